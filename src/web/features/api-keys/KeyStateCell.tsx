import { Text } from '@mantine/core';
import { Moment } from '../../ui/Moment.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { useNow } from '../../ui/use-now.ts';
import { type KeyState, stateOf } from './key-state.ts';
import type { ApiKey } from './queries.ts';

const BADGES: Record<KeyState, [color: string, word: string]> = {
  active: ['teal', 'Active'],
  replaced: ['yellow', 'Being replaced'],
  rotated: ['gray', 'Rotated'],
  revoked: ['red', 'Revoked'],
  expired: ['gray', 'Expired'],
};

export function KeyStateCell({ apiKey }: { apiKey: ApiKey }) {
  const state = stateOf(apiKey, useNow(15));
  const [color, word] = BADGES[state];
  return (
    <>
      <StateBadge color={color}>{word}</StateBadge>
      <Text size="xs" c="dimmed" mt={4}>
        <Ending apiKey={apiKey} state={state} />
      </Text>
    </>
  );
}

function Ending({ apiKey, state }: { apiKey: ApiKey; state: KeyState }) {
  const { expiresAt, revokedAt } = apiKey;
  if (state === 'active') {
    return expiresAt ? (
      <>
        Expires <Moment at={expiresAt} as="day" />
      </>
    ) : (
      'No expiry'
    );
  }
  if (state === 'replaced' && expiresAt)
    return (
      <>
        Ends <Moment at={expiresAt} as="until" />
      </>
    );
  const ended = revokedAt ?? expiresAt;
  return ended && <Moment at={ended} as="day" />;
}
