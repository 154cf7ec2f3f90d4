import { Button, Code, Text } from '@mantine/core';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable, NameCell, RowAction } from '../../components/DataTable.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import type { DisplayKind, DisplayStatus } from '../../gql/graphql.ts';
import type { Display } from './queries.ts';

const columns: Column<Display>[] = [
  {
    header: 'Name',
    cell: ({ name, tokenPrefix }) => (
      <NameCell
        name={name}
        details={
          <Code bg="transparent" p={0} c="dimmed">
            {tokenPrefix}…
          </Code>
        }
      />
    ),
  },
  { header: 'Status', cell: ({ status }) => <DisplayStatusBadge status={status} /> },
  { header: 'Last seen', cell: (display) => <DisplayLastSeen display={display} /> },
  { header: 'Location', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
  { header: 'Shows', cell: (display) => <DisplayContentCell display={display} /> },
];

interface Props {
  displays: Display[];
  onDetails: (display: Display) => void;
  onRevoke: (display: Display) => void;
}

export const DisplaysTable = ({ displays, onDetails, onRevoke }: Props) => (
  <DataTable<Display>
    label="Displays"
    columns={columns}
    rows={displays}
    getKey={({ id }) => id}
    isEnded={({ status }) => status === 'REVOKED'}
    actions={(display) => (
      <>
        <Button
          size="xs"
          variant="default"
          aria-label={`Details of ${display.name}`}
          onClick={() => onDetails(display)}
        >
          Details
        </Button>
        {display.allowedActions.revoke && (
          <RowAction
            label="Revoke"
            row={display.name}
            isDestructive
            onClick={() => onRevoke(display)}
          />
        )}
      </>
    )}
  />
);

export function DisplayStatusBadge({ status }: { status: DisplayStatus }) {
  const [color, label] = DISPLAY_STATUS_LABELS[status];
  return <StatusBadge color={color}>{label}</StatusBadge>;
}

const DisplayLastSeen = ({ display: { lastSeenAt } }: { display: Display }) => (
  <Text size="sm">{lastSeenAt ? <DateTime at={lastSeenAt} format="since" /> : 'Never'}</Text>
);

const DisplayContentCell = ({ display: { kind, resource } }: { display: Display }) => (
  <>
    <Text size="sm">{formatDisplayKind(kind)}</Text>
    {resource && (
      <Text size="xs" c="dimmed">
        {resource.name}
      </Text>
    )}
  </>
);

export const DISPLAY_STATUS_LABELS: Record<DisplayStatus, [color: string, label: string]> = {
  ONLINE: ['teal', 'Online'],
  STALE: ['yellow', 'Stale'],
  OFFLINE: ['red', 'Offline'],
  REVOKED: ['gray', 'Revoked'],
};

export const DISPLAY_KINDS: { value: DisplayKind; label: string; description: string }[] = [
  { value: 'ROOM_PANEL', label: 'Room panel', description: 'Current and next booking of one room' },
  { value: 'EVENT_BOARD', label: 'Event board', description: 'Upcoming events of a location' },
  { value: 'WELCOME', label: 'Welcome screen', description: 'Announcements and expected visitors' },
  {
    value: 'KIOSK',
    label: 'Check-in kiosk',
    description: 'People check in and out at the entrance',
  },
];

export const formatDisplayKind = (kind: DisplayKind) =>
  DISPLAY_KINDS.find(({ value }) => value === kind)?.label ?? kind;
