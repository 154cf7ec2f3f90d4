import type { ApiKey } from './queries.ts';

export type KeyState = 'active' | 'replaced' | 'rotated' | 'revoked' | 'expired';

const DAY = 24 * 3600 * 1000;
const OLD_AFTER = 365 * DAY;
const IDLE_AFTER = 90 * DAY;

/** `replaced` still works for the rest of its overlap, `rotated` no longer does. */
export function stateOf(key: ApiKey, now: Date): KeyState {
  const isReplaced = key.replacedById !== null;
  if (key.revokedAt !== null) return isReplaced ? 'rotated' : 'revoked';
  if (key.expiresAt !== null && new Date(key.expiresAt) <= now) {
    return isReplaced ? 'rotated' : 'expired';
  }
  return isReplaced ? 'replaced' : 'active';
}

export const works = (state: KeyState) => state === 'active' || state === 'replaced';

/** What its owner should think about, if anything. */
export function nudgeFor(key: ApiKey, now: Date): string | null {
  if (stateOf(key, now) !== 'active') return null;
  const since = (at: string) => now.getTime() - new Date(at).getTime();
  if (since(key.lastUsedAt ?? key.createdAt) > IDLE_AFTER) {
    return 'Not used for three months. Revoke it if nothing needs it.';
  }
  if (since(key.createdAt) > OLD_AFTER) return 'Older than a year. Rotate it.';
  return null;
}
