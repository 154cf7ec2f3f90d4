import type { DisplayKind } from '../../gql/graphql.ts';

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

export const kindName = (kind: DisplayKind) =>
  DISPLAY_KINDS.find(({ value }) => value === kind)?.label ?? kind;
