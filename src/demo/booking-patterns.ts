import type { ResourceSlug } from './locations.ts';

/** A booking that repeats every week. */
type RecurringBooking = {
  resource: ResourceSlug;
  weekday: number;
  from: string;
  to: string;
  email: string;
  title: string;
};

// biome-ignore format: a table reads best with two lines a row
export const recurringBookings: readonly RecurringBooking[] = [
  { resource: 'atelier', weekday: 2, from: '09:30', to: '11:00',
    email: 'ben@example.org', title: 'Mixing' },
  { resource: 'spree', weekday: 4, from: '14:00', to: '15:00',
    email: 'ben@example.org', title: 'Label call' },
  { resource: 'atelier', weekday: 1, from: '10:00', to: '12:00',
    email: 'aylin.demir@example.com', title: 'Plan review' },
  { resource: 'saal', weekday: 3, from: '10:00', to: '13:00',
    email: 'lukas.brandt@example.org', title: 'Solar co-op meeting' },
  { resource: 'tejo', weekday: 1, from: '09:30', to: '10:30',
    email: 'ines.carvalho@example.org', title: 'Sprint planning' },
  { resource: 'tejo', weekday: 5, from: '16:00', to: '17:00',
    email: 'wei.zhang@example.com', title: 'Product demo' },
];

/** How often, how long and for what a resource is booked, apart from the recurring bookings. */
type BookingPattern = {
  minutes: readonly number[];
  gaps: readonly number[];
  titles: readonly (string | null)[];
  onSaturdays: boolean;
};

const meetingTitles = [
  'Team meeting',
  'Client workshop',
  'Interview',
  'Retrospective',
  'Budget review',
  null,
];

const meetingRoomPattern: BookingPattern = {
  minutes: [60, 60, 90, 120, 180],
  gaps: [0, 30, 60, 120, 180],
  titles: meetingTitles,
  onSaturdays: true,
};
const deskPattern: BookingPattern = {
  minutes: [180, 240, 300, 480],
  gaps: [0, 0, 60, 120, 240],
  titles: [null],
  onSaturdays: true,
};
const equipmentPattern: BookingPattern = {
  minutes: [60, 120, 180, 240],
  gaps: [60, 120, 240, 360],
  titles: [null, null, 'Recording', 'Presentation'],
  onSaturdays: false,
};
// Events use the halls in the evenings and on weekends.
const hallPattern: BookingPattern = {
  minutes: [120, 180, 240],
  gaps: [60, 120, 240, 360],
  titles: ['Rehearsal', 'Training day', 'Photo shoot', 'Annual meeting'],
  onSaturdays: false,
};

export const bookingPatterns: Record<ResourceSlug, BookingPattern> = {
  atelier: meetingRoomPattern,
  spree: { ...meetingRoomPattern, minutes: [30, 30, 60, 60, 90] },
  saal: hallPattern,
  'phone-booth': {
    minutes: [15, 30, 30, 45, 60],
    gaps: [30, 60, 90, 120, 180],
    titles: ['Call', 'Call', null],
    onSaturdays: false,
  },
  'window-desk': deskPattern,
  'standing-desk': deskPattern,
  projector: equipmentPattern,
  tejo: meetingRoomPattern,
  miradouro: hallPattern,
  'garden-desk': deskPattern,
  'podcast-kit': equipmentPattern,
  darkroom: { ...meetingRoomPattern, onSaturdays: false },
};

export const bookingGuests = [
  { guestName: 'Elif Aksoy', guestEmail: 'elif.aksoy@example.com' },
  { guestName: 'Pedro Salgado', guestEmail: 'pedro.salgado@example.org' },
  { guestName: 'Ruth Abernathy', guestEmail: 'ruth@example.com' },
  { guestName: 'Haruto Mori', guestEmail: null },
  { guestName: 'Chorverein Süd', guestEmail: 'vorstand@example.org' },
] as const;

export const bookingNotes = [
  'Needs an HDMI adapter',
  'Two guests use wheelchairs',
  'Coffee for six',
];
export const cancelReasons = ['Moved online', 'Moved to another date', 'Illness', null];
