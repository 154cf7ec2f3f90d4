import { Button, Code, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DateTime } from '../../components/DateTime.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import type { DisplayStatus } from '../../gql/graphql.ts';
import { DISPLAY_STATUS_LABELS, formatDisplayKind } from './display-labels.ts';
import type { Display } from './queries.ts';

const columns: Column<Display>[] = [
  { header: 'Name', cell: (display) => <DisplayName display={display} /> },
  { header: 'Status', cell: ({ status }) => <DisplayStatusBadge status={status} /> },
  { header: 'Last seen', cell: (display) => <DisplayLastSeen display={display} /> },
  { header: 'Location', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
  { header: 'Shows', cell: (display) => <DisplayContentCell display={display} /> },
];

interface Props {
  displays: Display[];
  onDetails: (display: Display) => void;
  onRevoke: ((display: Display) => void) | undefined;
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
        {onRevoke && <RevokeButton display={display} onRevoke={onRevoke} />}
      </>
    )}
  />
);

const DisplayName = ({ display: { name, tokenPrefix } }: { display: Display }) => (
  <>
    <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Text>
    <Code bg="transparent" p={0} c="dimmed">
      {tokenPrefix}…
    </Code>
  </>
);

function DisplayStatusBadge({ status }: { status: DisplayStatus }) {
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

function RevokeButton({
  display,
  onRevoke,
}: {
  display: Display;
  onRevoke: (it: Display) => void;
}) {
  if (display.status === 'REVOKED') return null;
  return (
    <Button
      size="xs"
      variant="subtle"
      color="red"
      aria-label={`Revoke ${display.name}`}
      onClick={() => onRevoke(display)}
    >
      Revoke
    </Button>
  );
}
