import type { DisplayKind, DisplayStatus } from '../../gql/graphql.ts';

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

export const DISPLAY_STATUS_LABELS: Record<DisplayStatus, [color: string, label: string]> = {
  ONLINE: ['teal', 'Online'],
  STALE: ['yellow', 'Stale'],
  OFFLINE: ['red', 'Offline'],
  REVOKED: ['gray', 'Revoked'],
};

/** Formats the uptime of a device: "3 days", "2 h 5 min". */
export function formatUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return 'less than a minute';
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} min`;
  const days = Math.floor(hours / 24);
  if (days < 2) return `${hours} h ${minutes % 60} min`;
  return `${days} days`;
}
