import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { DateTime, formatBrowserDateTimeLong } from '../../components/browser-time.tsx';
import { isAnyAllowed } from '../../components/DataTable.tsx';
import { DescriptionList } from '../../components/PageLayout.tsx';
import { DISPLAY_STATUS_LABELS, DisplayStatusBadge, formatDisplayKind } from './DisplaysTable.tsx';
import type { Display } from './queries.ts';

interface Props {
  display: Display;
  onEdit: (display: Display) => void;
  onRotate: (display: Display) => void;
  onReplace: (display: Display) => void;
}

/** The reported state of one display, its connection history and actions. */
export function DisplayDetails({ display, ...on }: Props) {
  const {
    status,
    location,
    resource,
    kind,
    lastSeenAt,
    createdAt,
    allowedActions: allowed,
  } = display;
  return (
    <Stack>
      <DescriptionList
        items={[
          ['Status', <DisplayStatusBadge key="status" status={status} />],
          [
            'Last seen',
            lastSeenAt ? <DateTime key="seen" at={lastSeenAt} format="since" /> : 'Never',
          ],
          ['Shows', [formatDisplayKind(kind), resource?.name].filter(Boolean).join(', ')],
          ['Location', location.name],
          ['Version', display.appVersion],
          ['Uptime', display.uptimeSeconds === null ? null : formatUptime(display.uptimeSeconds)],
          ['Battery', display.batteryPercent === null ? null : `${display.batteryPercent}%`],
          ['Token', `${display.tokenPrefix}…`],
          ['Added', <DateTime key="added" at={createdAt} format="day" />],
        ]}
      />
      <section aria-label="Connection history">
        <Title order={3} size="h5" mb={4}>
          Connection history
        </Title>
        <StatusHistory display={display} />
      </section>
      {isAnyAllowed(allowed) && (
        <Group gap="sm">
          {allowed.update && (
            <Button variant="default" onClick={() => on.onEdit(display)}>
              Edit
            </Button>
          )}
          {allowed.claimPairing && (
            <Button variant="default" onClick={() => on.onReplace(display)}>
              Replace screen
            </Button>
          )}
          {allowed.rotateToken && (
            <Button variant="default" onClick={() => on.onRotate(display)}>
              Rotate token
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

function StatusHistory({ display: { statusChanges } }: { display: Display }) {
  if (statusChanges.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No changes yet.
      </Text>
    );
  }
  return (
    <ul style={{ margin: 0, paddingInlineStart: '1.2em' }}>
      {statusChanges.map(({ at, previousStatus, status }) => (
        <li key={at}>
          <Text size="sm">
            <time dateTime={at}>{formatBrowserDateTimeLong(new Date(at))}</time>:{' '}
            {DISPLAY_STATUS_LABELS[previousStatus][1].toLowerCase()} to{' '}
            {DISPLAY_STATUS_LABELS[status][1].toLowerCase()}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** Formats the uptime of a device: "3 days", "2 h 5 min". */
function formatUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return 'less than a minute';
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} min`;
  const days = Math.floor(hours / 24);
  if (days < 2) return `${hours} h ${minutes % 60} min`;
  return `${days} days`;
}
