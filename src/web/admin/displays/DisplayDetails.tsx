import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { DateTime } from '../../components/DateTime.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { formatBrowserDateTimeLong } from '../../components/format-browser-time.ts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { DISPLAY_STATUS_LABELS, formatDisplayKind, formatUptime } from './display-labels.ts';
import type { Display } from './queries.ts';

interface Props {
  display: Display;
  canChange: boolean;
  onEdit: (display: Display) => void;
  onRotate: (display: Display) => void;
  onReplace: (display: Display) => void;
}

/** What one display tells of itself, how it came and went, and what may be done about it. */
export function DisplayDetails({ display, canChange, ...on }: Props) {
  const { status, location, resource, kind, lastSeenAt, createdAt } = display;
  const [color, word] = DISPLAY_STATUS_LABELS[status];
  return (
    <Stack>
      <DescriptionList
        items={[
          [
            'Status',
            <StatusBadge key="status" color={color}>
              {word}
            </StatusBadge>,
          ],
          [
            'Last seen',
            lastSeenAt ? <DateTime key="seen" at={lastSeenAt} format="since" /> : 'Never',
          ],
          ['Shows', [formatDisplayKind(kind), resource?.name].filter(Boolean).join(', ')],
          ['Location', location.name],
          ['Version', display.appVersion],
          [
            'Running for',
            display.uptimeSeconds === null ? null : formatUptime(display.uptimeSeconds),
          ],
          ['Battery', display.batteryPercent === null ? null : `${display.batteryPercent} %`],
          ['Token', `${display.tokenPrefix}…`],
          ['Added', <DateTime key="added" at={createdAt} format="day" />],
        ]}
      />
      <section aria-label="How it came and went">
        <Title order={3} size="h5" mb={4}>
          How it came and went
        </Title>
        <StatusHistory display={display} />
      </section>
      {canChange && status !== 'REVOKED' && (
        <Group gap="sm">
          <Button variant="default" onClick={() => on.onEdit(display)}>
            Change
          </Button>
          <Button variant="default" onClick={() => on.onReplace(display)}>
            Replace the screen
          </Button>
          <Button variant="default" onClick={() => on.onRotate(display)}>
            New token
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function StatusHistory({ display: { statusChanges } }: { display: Display }) {
  if (statusChanges.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing yet.
      </Text>
    );
  }
  return (
    <ul style={{ margin: 0, paddingInlineStart: '1.2em' }}>
      {statusChanges.map(({ at, was, status }) => (
        <li key={at}>
          <Text size="sm">
            <time dateTime={at}>{formatBrowserDateTimeLong(new Date(at))}</time>:{' '}
            {DISPLAY_STATUS_LABELS[was][1].toLowerCase()} to{' '}
            {DISPLAY_STATUS_LABELS[status][1].toLowerCase()}
          </Text>
        </li>
      ))}
    </ul>
  );
}
