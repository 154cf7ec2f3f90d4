import { createExampleAmount, createExampleDate, createExampleTimeRange } from './examples.ts';
import type { EmailTemplate, TemplateVariable } from './template-description.ts';

export const BOOKING_VARIABLES = {
  resource: { description: 'The name of the resource', example: 'Room Oslo' },
  location: { description: 'The name of the location', example: 'Foyer Berlin' },
  address: {
    description: 'The address of the location. Empty if it has none.',
    example: 'Torstraße 1, 10119 Berlin',
  },
  time: {
    description: 'The time in the zone of the location; of a series, that of its first booking',
    example: createExampleTimeRange('2026-03-19T10:00', '2026-03-19T11:00'),
  },
  times: {
    description: 'All times of a series, one a line. Empty for a single booking.',
    example: (texts) => [
      createExampleTimeRange('2026-03-19T10:00', '2026-03-19T11:00')(texts),
      createExampleTimeRange('2026-03-26T10:00', '2026-03-26T11:00')(texts),
    ],
  },
  others: {
    description: 'How many bookings the series has besides the first. Empty for a single booking.',
    example: '1',
  },
  title: {
    description: 'The title that the holder gave the booking. Empty if there is none.',
    example: 'Weekly planning',
    isFromStranger: true,
  },
  price: { description: 'The price. Empty if it is free.', example: createExampleAmount(2_400) },
  due: {
    description:
      'What is still to be paid: the price or the fee, minus what was paid. Empty if nothing.',
    example: createExampleAmount(2_400),
  },
  pending: {
    description: 'Contains “yes” while the booking waits for approval, and is empty otherwise',
    example: 'yes',
  },
} as const satisfies Record<string, TemplateVariable>;

const REASON = {
  description: 'The reason that was entered. Empty if there is none.',
  example: 'The room is being repaired',
  isFromStranger: true,
} as const;

export const CLOSURE_VARIABLES = {
  location: BOOKING_VARIABLES.location,
  address: BOOKING_VARIABLES.address,
  days: {
    description: 'The day or the days of the closure',
    example: (texts) =>
      texts.text('date.range', {
        first: createExampleDate('2026-12-24')(texts),
        last: createExampleDate('2026-12-26')(texts),
      }),
  },
  reason: { description: 'The reason of the closure. Empty if none.', example: 'Holidays' },
  message: {
    description: 'What staff have entered for this email. Empty if nothing.',
    example: 'Our other location is open.',
  },
} as const satisfies Record<string, TemplateVariable>;

/** Emails about a booking, or about several of a series or a closure. */
export const BOOKING_TEMPLATES = {
  'booking-requested': {
    category: 'bookings',
    title: 'Booking requested',
    description: 'Sent to the holder of a booking that waits for approval.',
    variables: BOOKING_VARIABLES,
  },
  'requests-waiting': {
    category: 'bookings',
    title: 'Bookings need approval',
    description:
      'Sent to staff who want it when bookings need approval, at most every five minutes. A series is one line.',
    variables: {
      count: {
        description: 'How many requests there are: “A booking needs” or “3 bookings need”',
        example: ({ text }) => text('request.count', { count: 2 }),
      },
      requests: {
        description: 'Who wants to book what and when, one request a line',
        example: (texts) => [
          `Nora Lind, Hall, Foyer Berlin: ${createExampleTimeRange('2026-03-19T10:00', '2026-03-19T11:00')(texts)}`,
          `Ida Berg, Room Oslo, Foyer Berlin: ${createExampleTimeRange('2026-03-20T09:00', '2026-03-20T12:00')(texts)} ${texts.text('email.more', { count: 3 })}`,
        ],
        isFromStranger: true,
      },
    },
  },
  'booking-confirmed': {
    category: 'bookings',
    title: 'Booking confirmed',
    description: 'Sent to the holder of a new booking, or of a request that was approved.',
    variables: BOOKING_VARIABLES,
  },
  'booking-rescheduled': {
    category: 'bookings',
    title: 'Booking rescheduled',
    description:
      'Sent to the holder of a booking that was moved to another time or to another resource.',
    variables: {
      ...BOOKING_VARIABLES,
      previous: {
        description: 'The time before. Empty for a series, and if the time stays the same.',
        example: createExampleTimeRange('2026-03-18T10:00', '2026-03-18T11:00'),
      },
      previousResource: {
        description: 'The name of the resource before. Empty if the resource stays the same.',
        example: 'Room Bergen',
      },
    },
  },
  'booking-cancelled': {
    category: 'bookings',
    title: 'Booking cancelled',
    description: 'Sent to the holder of a booking or a request that was cancelled.',
    variables: {
      ...BOOKING_VARIABLES,
      reason: REASON,
      fee: {
        description: 'The cancellation fee. Empty if there is none.',
        example: createExampleAmount(2_400),
      },
    },
  },
  'booking-closure': {
    category: 'bookings',
    title: 'Closure during bookings',
    description:
      'Sent to the holders of bookings within a closure, if staff choose to email them. Lists all their bookings on these days.',
    variables: {
      ...CLOSURE_VARIABLES,
      times: {
        description: 'The time and the resource of each booking, one a line',
        example: (texts) => [
          `${createExampleTimeRange('2026-12-24T10:00', '2026-12-24T11:00')(texts)}, Room Oslo`,
        ],
      },
      cancelled: {
        description: 'Contains “yes” if the bookings were cancelled, and is empty if they stay',
        example: 'yes',
      },
    },
  },
  'booking-no-show': {
    category: 'bookings',
    title: 'Booking released',
    description: 'Sent to the holder of a booking that was released because nobody checked in.',
    variables: BOOKING_VARIABLES,
  },
} as const satisfies Record<string, EmailTemplate>;
