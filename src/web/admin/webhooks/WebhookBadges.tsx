import { Badge, Group, Text } from '@mantine/core';
import { DateTime } from '../../components/browser-time.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import { formatEventName } from './event-labels.ts';
import type { Webhook } from './queries.ts';

export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const { disabledAt, disabledReason, withheldEvents } = webhook;
  if (disabledAt === null) {
    return (
      <>
        <StatusBadge color="teal">Enabled</StatusBadge>
        {withheldEvents.length > 0 && (
          <Text size="xs" c="dimmed" mt={4} maw={320} style={{ overflowWrap: 'anywhere' }}>
            Not sent, because its owner cannot read them:{' '}
            {withheldEvents.map(formatEventName).join(', ')}
          </Text>
        )}
      </>
    );
  }
  return (
    <>
      <StatusBadge color="red">Disabled</StatusBadge>
      <Text
        component="div"
        size="xs"
        c="dimmed"
        mt={4}
        maw={320}
        style={{ overflowWrap: 'anywhere' }}
      >
        <div>{disabledReason}</div>
        <DateTime at={disabledAt} format="since" />
      </Text>
    </>
  );
}

const MAX_COLLAPSED_BADGES = 3;

export function EventBadges({ names, isExpanded }: { names: string[]; isExpanded?: boolean }) {
  const visible =
    isExpanded || names.length <= MAX_COLLAPSED_BADGES + 1
      ? names
      : names.slice(0, MAX_COLLAPSED_BADGES);
  return (
    <Group gap={6}>
      {visible.map((name) => (
        <Badge key={name} variant="light" tt="none">
          {formatEventName(name)}
        </Badge>
      ))}
      {visible.length < names.length && <span>and {names.length - visible.length} more</span>}
    </Group>
  );
}
