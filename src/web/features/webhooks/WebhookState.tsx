import { Text } from '@mantine/core';
import { Moment } from '../../ui/Moment.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import type { Webhook } from './queries.ts';

export function WebhookState({ webhook: { disabledAt, disabledReason } }: { webhook: Webhook }) {
  if (disabledAt === null) return <StateBadge color="teal">Enabled</StateBadge>;
  return (
    <>
      <StateBadge color="red">Disabled</StateBadge>
      <Text
        component="div"
        size="xs"
        c="dimmed"
        mt={4}
        maw={320}
        style={{ overflowWrap: 'anywhere' }}
      >
        <div>{disabledReason}</div>
        <Moment at={disabledAt} as="since" />
      </Text>
    </>
  );
}
