import { Badge, Code, Group, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { DateTime, useNow } from '../../components/browser-time.tsx';
import { type Column, DataTable, isAnyAllowed, RowAction } from '../../components/DataTable.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import { ALL_SCOPES, type ApiKey, formatScopeNoun, groupScopesByNoun } from './queries.ts';

const columns: Column<ApiKey>[] = [
  { header: 'Name', cell: (key) => <KeyName apiKey={key} /> },
  { header: 'Permissions', cell: ({ scopes }) => <ScopeBadges scopes={scopes} /> },
  { header: 'Status', cell: (key) => <KeyStatus apiKey={key} /> },
  { header: 'Last used', cell: (key) => <KeyLastUsed apiKey={key} /> },
  { header: 'Created', cell: (key) => <KeyCreated apiKey={key} /> },
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
      getKey={({ id }) => id}
      isEnded={(key) => !isUsableState(toKeyState(key, now))}
      actions={(key) =>
        isAnyAllowed(key.allowedActions) && (
          <KeyActions apiKey={key} onRotate={() => onRotate(key)} onRevoke={() => onRevoke(key)} />
        )
      }
    />
  );
}

interface KeyActionsProps {
  apiKey: ApiKey;
  onRotate: () => void;
  onRevoke: () => void;
}

const KeyActions = ({ apiKey, onRotate, onRevoke }: KeyActionsProps) => (
  <>
    {apiKey.allowedActions.rotate && (
      <RowAction label="Rotate" row={apiKey.name} onClick={onRotate} />
    )}
    {apiKey.allowedActions.revoke && (
      <RowAction label="Revoke" row={apiKey.name} isDestructive onClick={onRevoke} />
    )}
  </>
);

const KeyLastUsed = ({ apiKey: { lastUsedAt } }: { apiKey: ApiKey }) => (
  <Text size="sm">{lastUsedAt ? <DateTime at={lastUsedAt} format="since" /> : 'Never'}</Text>
);

const KeyCreated = ({ apiKey: { createdAt, createdBy } }: { apiKey: ApiKey }) => (
  <>
    <Text size="sm">
      <DateTime at={createdAt} format="day" />
    </Text>
    <Text size="xs" c="dimmed">
      {createdBy ? `by ${createdBy.name}` : 'command line'}
    </Text>
  </>
);

function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const warning = findKeyWarning(apiKey, useNow(60));
  return (
    <>
      <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {apiKey.name}
      </Text>
      <Code bg="transparent" p={0} c="dimmed">
        {apiKey.prefix}…
      </Code>
      {warning && (
        <Group gap={6} wrap="nowrap" align="flex-start" mt={4} c="var(--foyer-warning)">
          <span>
            <IconAlertTriangle size={14} />
          </span>
          <Text size="xs">{warning}</Text>
        </Group>
      )}
    </>
  );
}

const KEY_STATE_LABELS: Record<KeyState, [color: string, label: string]> = {
  active: ['teal', 'Active'],
  replaced: ['yellow', 'Being replaced'],
  rotated: ['gray', 'Rotated'],
  revoked: ['red', 'Revoked'],
  expired: ['gray', 'Expired'],
};

function KeyStatus({ apiKey }: { apiKey: ApiKey }) {
  const state = toKeyState(apiKey, useNow(15));
  const [color, label] = KEY_STATE_LABELS[state];
  return (
    <>
      <StatusBadge color={color}>{label}</StatusBadge>
      <Text size="xs" c="dimmed" mt={4}>
        <KeyExpiry apiKey={apiKey} state={state} />
      </Text>
    </>
  );
}

function KeyExpiry({ apiKey, state }: { apiKey: ApiKey; state: KeyState }) {
  const { expiresAt, revokedAt } = apiKey;
  if (state === 'active') {
    return expiresAt ? (
      <>
        Expires <DateTime at={expiresAt} format="day" />
      </>
    ) : (
      'No expiry'
    );
  }
  if (state === 'replaced' && expiresAt)
    return (
      <>
        Expires <DateTime at={expiresAt} format="until" />
      </>
    );
  const endedAt = revokedAt ?? expiresAt;
  return endedAt && <DateTime at={endedAt} format="day" />;
}

const MAX_COLLAPSED_BADGES = 3;

function ScopeBadges({ scopes }: { scopes: string[] }) {
  const [isExpanded, setIsExpanded] = useState(false);
  if (scopes.includes(ALL_SCOPES)) return <Badge variant="light">Everything</Badge>;
  const groups = groupScopesByNoun(scopes);
  const isLong = groups.length > MAX_COLLAPSED_BADGES + 1;
  const visible = isLong && !isExpanded ? groups.slice(0, MAX_COLLAPSED_BADGES) : groups;
  return (
    <Group gap={6}>
      {visible.map(({ noun, verbs }) => (
        <Badge key={noun} variant="light" color={verbs.includes('write') ? 'indigo' : 'gray'}>
          {formatScopeNoun(noun)}: {verbs.join(' + ')}
        </Badge>
      ))}
      {isLong && (
        <UnstyledButton
          fz="xs"
          td="underline"
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {isExpanded ? 'Show fewer' : `${groups.length - MAX_COLLAPSED_BADGES} more`}
        </UnstyledButton>
      )}
    </Group>
  );
}

type KeyState = 'active' | 'replaced' | 'rotated' | 'revoked' | 'expired';

const DAY_MS = 24 * 3600 * 1000;
const MAX_KEY_AGE_MS = 365 * DAY_MS;
const MAX_IDLE_MS = 90 * DAY_MS;

/** After a rotation, a key is `replaced` while the overlap lasts, then `rotated`. */
function toKeyState(key: ApiKey, now: Date): KeyState {
  const isReplaced = key.replacedById !== null;
  if (key.revokedAt !== null) return isReplaced ? 'rotated' : 'revoked';
  if (key.expiresAt !== null && new Date(key.expiresAt) <= now) {
    return isReplaced ? 'rotated' : 'expired';
  }
  return isReplaced ? 'replaced' : 'active';
}

const isUsableState = (state: KeyState) => state === 'active' || state === 'replaced';

/** Recommends what to do about unused and old keys. */
function findKeyWarning(key: ApiKey, now: Date): string | null {
  if (toKeyState(key, now) !== 'active') return null;
  const msSince = (at: string) => now.getTime() - new Date(at).getTime();
  if (msSince(key.lastUsedAt ?? key.createdAt) > MAX_IDLE_MS) {
    return 'Not used for three months. Revoke it if you no longer need it.';
  }
  if (msSince(key.createdAt) > MAX_KEY_AGE_MS) return 'Older than a year. Rotate it.';
  return null;
}
