import { z } from 'zod';

const maxSeats = z.int().min(1).max(1_000_000).nullable();
const DEFAULT_LIMIT = 'null for the default in docs/order-limits.md';
const LIMIT = { create: 'optional', update: true } as const;

export const MAX_LIMIT_WINDOW_HOURS = 168;

/** How long orders that are paid at the front desk are held. */
const UNPAID_HOLDS = ['until_start', 'days', 'opening_hours'] as const;

/** The columns of events and day pass types that limit their orders. The APIs show them as an object of their own. */
export const orderLimitColumns = {
  maxSeatsPerEmail: {
    schema: maxSeats,
    description:
      'The maximum number of unpaid and free seats for one email address within the window',
    whenNull: DEFAULT_LIMIT,
    ...LIMIT,
  },
  maxSeatsPerAddress: {
    schema: maxSeats,
    description: 'The same for one IPv4 address or IPv6 /64',
    whenNull: DEFAULT_LIMIT,
    ...LIMIT,
  },
  maxSeatsPerNetwork: {
    schema: maxSeats,
    description: 'The same for one IPv6 /48, and three times as many for one IPv4 /24',
    whenNull: DEFAULT_LIMIT,
    ...LIMIT,
  },
  limitWindowHours: {
    schema: z.int().min(1).max(MAX_LIMIT_WINDOW_HOURS),
    description: `The number of hours for which a seat counts after it was ordered, up to ${MAX_LIMIT_WINDOW_HOURS}`,
    ...LIMIT,
  },
  confirmFreeOrders: {
    schema: z.boolean().nullable(),
    description: 'Whether anonymous buyers must confirm free orders by a link in an email',
    whenNull: 'null to require it only with at most 100 seats',
    ...LIMIT,
  },
  unpaidHold: {
    schema: z.enum(UNPAID_HOLDS),
    description:
      'How long unpaid orders that are paid at the front desk are held. Later changes do not affect existing orders.',
    ...LIMIT,
  },
  unpaidHoldAmount: {
    schema: z.int().min(1).max(366),
    description: 'The number of days or opening hours. Not used for UNTIL_START.',
    ...LIMIT,
  },
} as const;
