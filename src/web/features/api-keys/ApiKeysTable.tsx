import { Button, Text } from '@mantine/core';
import { may, useStaff } from '../../session/viewer.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { useNow } from '../../ui/use-now.ts';
import { KeyName } from './KeyName.tsx';
import { KeyStateCell } from './KeyStateCell.tsx';
import { stateOf, works } from './key-state.ts';
import type { ApiKey } from './queries.ts';
import { ScopeBadges } from './ScopeBadges.tsx';
import { ALL_SCOPES } from './scope-words.ts';

const columns: Column<ApiKey>[] = [
  { header: 'Name', cell: (key) => <KeyName apiKey={key} /> },
  { header: 'May do', cell: ({ scopes }) => <ScopeBadges scopes={scopes} /> },
  { header: 'State', cell: (key) => <KeyStateCell apiKey={key} /> },
  { header: 'Last used', cell: (key) => <LastUsed apiKey={key} /> },
  { header: 'Created', cell: (key) => <Created apiKey={key} /> },
];

interface Props {
  keys: ApiKey[];
  onRotate: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

export function ApiKeysTable({ keys, onRotate, onRevoke }: Props) {
  const now = useNow(15);
  return (
    <DataTable
      label="API keys"
      columns={columns}
      rows={keys}
      keyOf={({ id }) => id}
      isEnded={(key) => !works(stateOf(key, now))}
      actions={(key) => (
        <KeyActions
          apiKey={key}
          now={now}
          onRotate={() => onRotate(key)}
          onRevoke={() => onRevoke(key)}
        />
      )}
    />
  );
}

function KeyActions(props: {
  apiKey: ApiKey;
  now: Date;
  onRotate: () => void;
  onRevoke: () => void;
}) {
  const { apiKey, now, onRotate, onRevoke } = props;
  const state = stateOf(apiKey, now);
  const viewer = useStaff();
  if (apiKey.scopes.includes(ALL_SCOPES) && !may(viewer, ALL_SCOPES)) return null;
  return (
    <>
      {state === 'active' && (
        <Button size="xs" variant="default" aria-label={`Rotate ${apiKey.name}`} onClick={onRotate}>
          Rotate
        </Button>
      )}
      {works(state) && (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          aria-label={`Revoke ${apiKey.name}`}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      )}
    </>
  );
}

const LastUsed = ({ apiKey: { lastUsedAt } }: { apiKey: ApiKey }) => (
  <Text size="sm">{lastUsedAt ? <Moment at={lastUsedAt} as="since" /> : 'Never'}</Text>
);

const Created = ({ apiKey: { createdAt, createdBy } }: { apiKey: ApiKey }) => (
  <>
    <Text size="sm">
      <Moment at={createdAt} as="day" />
    </Text>
    <Text size="xs" c="dimmed">
      {createdBy ? `by ${createdBy}` : 'command line'}
    </Text>
  </>
);
