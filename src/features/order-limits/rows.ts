import { z } from 'zod';
import type { Event } from '../../db/generated/client.ts';
import type { RowDescription } from '../../rows/row.ts';

/**
 * Limits on the orders of an event, or of a day pass type on each date: columns of both tables. `docs/order-limits.md` explains
 * them.
 */
export type OrderLimits = Pick<
  Event,
  | 'maxSeatsPerEmail'
  | 'maxSeatsPerAddress'
  | 'maxSeatsPerNetwork'
  | 'limitWindowHours'
  | 'confirmFreeOrders'
>;

export const MAX_LIMIT_WINDOW_HOURS = 168;

const maxSeats = z.int().min(1).max(1_000_000).nullable();
const whenDefault = 'null for the default in docs/order-limits.md';

export const ORDER_LIMITS = {
  table: 'events',
  columns: {
    maxSeatsPerEmail: {
      schema: maxSeats,
      description:
        'The maximum number of unpaid and free seats for one email address within the window',
      whenNull: whenDefault,
      create: 'optional',
      update: true,
    },
    maxSeatsPerAddress: {
      schema: maxSeats,
      description: 'The same for one IPv4 address or IPv6 /64',
      whenNull: whenDefault,
      create: 'optional',
      update: true,
    },
    maxSeatsPerNetwork: {
      schema: maxSeats,
      description: 'The same for one IPv6 /48, and three times as many for one IPv4 /24',
      whenNull: whenDefault,
      create: 'optional',
      update: true,
    },
    limitWindowHours: {
      schema: z.int().min(1).max(MAX_LIMIT_WINDOW_HOURS),
      description: `The number of hours for which a seat counts after it was ordered, up to ${MAX_LIMIT_WINDOW_HOURS}`,
      create: 'optional',
      update: true,
    },
    confirmFreeOrders: {
      schema: z.boolean().nullable(),
      description: 'Whether anonymous buyers must confirm free orders by a link in an email',
      whenNull: 'null: only with at most 100 seats',
      create: 'optional',
      update: true,
    },
  },
} as const satisfies RowDescription<OrderLimits>;

const limits = ORDER_LIMITS.columns;

const hide = <Column extends object>(column: Column) =>
  ({ ...column, hidden: 'Shown as orderLimits', journal: true }) as const;

/** The columns of the limits, for the tables that have them. */
export const orderLimitColumns = {
  maxSeatsPerEmail: hide(limits.maxSeatsPerEmail),
  maxSeatsPerAddress: hide(limits.maxSeatsPerAddress),
  maxSeatsPerNetwork: hide(limits.maxSeatsPerNetwork),
  limitWindowHours: hide(limits.limitWindowHours),
  confirmFreeOrders: hide(limits.confirmFreeOrders),
};
