import { Button, Code, Text } from '@mantine/core';
import type { DisplayStatus } from '../../gql/graphql.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { kindName } from './kinds.ts';
import type { Display } from './queries.ts';
import { STATUS } from './status-words.ts';

const columns: Column<Display>[] = [
  { header: 'Name', cell: (display) => <Name display={display} /> },
  { header: 'Status', cell: ({ status }) => <Status status={status} /> },
  { header: 'Last seen', cell: (display) => <LastSeen display={display} /> },
  { header: 'Location', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
  { header: 'Shows', cell: (display) => <Shows display={display} /> },
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
    keyOf={({ id }) => id}
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
        {onRevoke && <Revoke display={display} onRevoke={onRevoke} />}
      </>
    )}
  />
);

const Name = ({ display: { name, tokenPrefix } }: { display: Display }) => (
  <>
    <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Text>
    <Code bg="transparent" p={0} c="dimmed">
      {tokenPrefix}…
    </Code>
  </>
);

function Status({ status }: { status: DisplayStatus }) {
  const [color, word] = STATUS[status];
  return <StateBadge color={color}>{word}</StateBadge>;
}

const LastSeen = ({ display: { lastSeenAt } }: { display: Display }) => (
  <Text size="sm">{lastSeenAt ? <Moment at={lastSeenAt} as="since" /> : 'Never'}</Text>
);

const Shows = ({ display: { kind, resource } }: { display: Display }) => (
  <>
    <Text size="sm">{kindName(kind)}</Text>
    {resource && (
      <Text size="xs" c="dimmed">
        {resource.name}
      </Text>
    )}
  </>
);

function Revoke({ display, onRevoke }: { display: Display; onRevoke: (it: Display) => void }) {
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
