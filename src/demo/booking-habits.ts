import type { ResourceSlug } from './inventory.ts';

/** The same hour of every week. */
type Regular = {
  resource: ResourceSlug;
  weekday: number;
  from: string;
  to: string;
  email: string;
  title: string;
};

// biome-ignore format: a table reads best with two lines a row
export const regulars: readonly Regular[] = [
  { resource: 'atelier', weekday: 2, from: '09:30', to: '11:00',
    email: 'ben@example.org', title: 'Mixing' },
  { resource: 'spree', weekday: 4, from: '14:00', to: '15:00',
    email: 'ben@example.org', title: 'Label call' },
  { resource: 'atelier', weekday: 1, from: '10:00', to: '12:00',
    email: 'aylin.demir@example.com', title: 'Plan review' },
  { resource: 'saal', weekday: 3, from: '10:00', to: '13:00',
    email: 'lukas.brandt@example.org', title: 'Solar co-op assembly' },
  { resource: 'tejo', weekday: 1, from: '09:30', to: '10:30',
    email: 'ines.carvalho@example.org', title: 'Sprint planning' },
  { resource: 'tejo', weekday: 5, from: '16:00', to: '17:00',
    email: 'wei.zhang@example.com', title: 'Demo hour' },
];

/** How a resource is used on a day that nothing regular takes. */
type Habit = {
  minutes: readonly number[];
  gaps: readonly number[];
  titles: readonly (string | null)[];
  onSaturdays: boolean;
};

const meetings = ['Team meeting', 'Client workshop', 'Interview', 'Retrospective', 'Budget', null];

const meetingRoom: Habit = {
  minutes: [60, 60, 90, 120, 180],
  gaps: [0, 30, 60, 120, 180],
  titles: meetings,
  onSaturdays: true,
};
const desk: Habit = {
  minutes: [180, 240, 300, 480],
  gaps: [0, 0, 60, 120, 240],
  titles: [null],
  onSaturdays: true,
};
const equipment: Habit = {
  minutes: [60, 120, 180, 240],
  gaps: [60, 120, 240, 360],
  titles: [null, null, 'Recording', 'Presentation'],
  onSaturdays: false,
};
// Events own the halls' evenings and weekends.
const hall: Habit = {
  minutes: [120, 180, 240],
  gaps: [60, 120, 240, 360],
  titles: ['Rehearsal', 'Training day', 'Photo shoot', 'General meeting'],
  onSaturdays: false,
};

export const habits: Record<ResourceSlug, Habit> = {
  atelier: meetingRoom,
  spree: { ...meetingRoom, minutes: [30, 30, 60, 60, 90] },
  saal: hall,
  'phone-booth': {
    minutes: [15, 30, 30, 45, 60],
    gaps: [30, 60, 90, 120, 180],
    titles: ['Call', 'Call', null],
    onSaturdays: false,
  },
  'window-desk': desk,
  'standing-desk': desk,
  projector: equipment,
  tejo: meetingRoom,
  miradouro: hall,
  'garden-desk': desk,
  'podcast-kit': equipment,
  darkroom: { ...meetingRoom, onSaturdays: false },
};

export const guests = [
  { guestName: 'Elif Aksoy', guestEmail: 'elif.aksoy@example.com' },
  { guestName: 'Pedro Salgado', guestEmail: 'pedro.salgado@example.org' },
  { guestName: 'Ruth Abernathy', guestEmail: 'ruth@example.com' },
  { guestName: 'Haruto Mori', guestEmail: null },
  { guestName: 'Chorverein Süd', guestEmail: 'vorstand@example.org' },
] as const;

export const notes = [
  'Needs the adapter for HDMI',
  'Two guests arrive by wheelchair',
  'Coffee for six',
];
export const cancelReasons = ['Moved online', 'Found another date', 'Ill', null];
