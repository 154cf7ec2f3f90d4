import type { DisplayKind, DisplayStatus } from '../../gql/graphql.ts';

export const DISPLAY_KINDS: { value: DisplayKind; label: string; description: string }[] = [
  { value: 'ROOM_PANEL', label: 'Room panel', description: 'At a door: now and next in one room' },
  { value: 'EVENT_BOARD', label: 'Event board', description: 'The coming events of a location' },
  { value: 'WELCOME', label: 'Welcome screen', description: 'Announcements and who is expected' },
  {
    value: 'KIOSK',
    label: 'Check-in kiosk',
    description: 'At the entrance: people come in and leave',
  },
];

export const formatDisplayKind = (kind: DisplayKind) =>
  DISPLAY_KINDS.find(({ value }) => value === kind)?.label ?? kind;

export const DISPLAY_STATUS_LABELS: Record<DisplayStatus, [color: string, word: string]> = {
  ONLINE: ['teal', 'Online'],
  STALE: ['yellow', 'Stale'],
  OFFLINE: ['red', 'Offline'],
  REVOKED: ['gray', 'Revoked'],
};

/** "3 days", "2 h 5 min": how long a device has been running. */
export function formatUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return 'less than a minute';
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} min`;
  const days = Math.floor(hours / 24);
  if (days < 2) return `${hours} h ${minutes % 60} min`;
  return `${days} days`;
}
