import type { DisplayStatus } from '../../gql/graphql.ts';

export const STATUS: Record<DisplayStatus, [color: string, word: string]> = {
  ONLINE: ['teal', 'Online'],
  STALE: ['yellow', 'Stale'],
  OFFLINE: ['red', 'Offline'],
  REVOKED: ['gray', 'Revoked'],
};

/** "3 days", "2 h 5 min": how long a device has been running. */
export function uptimeWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return 'less than a minute';
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} min`;
  const days = Math.floor(hours / 24);
  if (days < 2) return `${hours} h ${minutes % 60} min`;
  return `${days} days`;
}
