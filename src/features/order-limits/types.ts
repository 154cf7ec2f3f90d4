import { z } from 'zod';
import type { Projection } from '../../db/json-projection.ts';

/** Limits on the orders of an event, or of a day pass type on each date. `docs/order-limits.md` explains them. */
export interface OrderLimits {
  /** The maximum of unpaid and free seats of one email address within the window. Null for the default. */
  maxSeatsPerEmail: number | null;
  /** The maximum of one IPv4 address or IPv6 /64. Null for the default. */
  maxSeatsPerAddress: number | null;
  /** The maximum of one IPv6 /48. One IPv4 /24 gets three times as many. Null for the default. */
  maxSeatsPerNetwork: number | null;
  limitWindowHours: number;
  /** Whether anonymous buyers must confirm free orders by email. Null means only if the capacity is small. */
  confirmFreeOrders: boolean | null;
}

/** Projects the limits in the columns of a row. */
export const toOrderLimitsProjection = (row: string) =>
  ({
    maxSeatsPerEmail: `${row}.max_seats_per_email`,
    maxSeatsPerAddress: `${row}.max_seats_per_address`,
    maxSeatsPerNetwork: `${row}.max_seats_per_network`,
    limitWindowHours: `${row}.limit_window_hours`,
    confirmFreeOrders: `${row}.confirm_free_orders`,
  }) satisfies Projection & Record<keyof OrderLimits, unknown>;

const MAX_SEATS = 1_000_000;
export const MAX_LIMIT_WINDOW_HOURS = 168;
/** The default for `confirmFreeOrders`: required up to this many seats. */
const MAX_SMALL_CAPACITY = 100;

const DEFAULT_NOTE = 'Null: the default in docs/order-limits.md.';

export const LIMIT_DESCRIPTIONS = {
  maxSeatsPerEmail: `The maximum number of unpaid and free seats for one email address within the window. ${DEFAULT_NOTE}`,
  maxSeatsPerAddress: `The same for one IPv4 address or IPv6 /64. ${DEFAULT_NOTE}`,
  maxSeatsPerNetwork: `The same for one IPv6 /48, and three times as many for one IPv4 /24. ${DEFAULT_NOTE}`,
  limitWindowHours: 'The number of hours for which a seat counts after it was ordered, up to 168',
  confirmFreeOrders:
    'Whether anonymous buyers must confirm free orders by a link in an email. Null: only with at most 100 seats.',
};

const maxSeats = z.int().min(1).max(MAX_SEATS);

/** The limits as input fields of events and day pass types. Null resets all but the window to their defaults. */
export const orderLimitFields = {
  maxSeatsPerEmail: maxSeats.nullish().meta({ description: LIMIT_DESCRIPTIONS.maxSeatsPerEmail }),
  maxSeatsPerAddress: maxSeats
    .nullish()
    .meta({ description: LIMIT_DESCRIPTIONS.maxSeatsPerAddress }),
  maxSeatsPerNetwork: maxSeats
    .nullish()
    .meta({ description: LIMIT_DESCRIPTIONS.maxSeatsPerNetwork }),
  limitWindowHours: z
    .int()
    .min(1)
    .max(MAX_LIMIT_WINDOW_HOURS)
    .optional()
    .meta({ description: LIMIT_DESCRIPTIONS.limitWindowHours }),
  confirmFreeOrders: z
    .boolean()
    .nullish()
    .meta({ description: LIMIT_DESCRIPTIONS.confirmFreeOrders }),
};

/** Whether anonymous buyers must confirm free orders. `capacity` is null if unlimited. */
export const requiresConfirmation = (
  { confirmFreeOrders }: OrderLimits,
  capacity: number | null,
): boolean => confirmFreeOrders ?? (capacity !== null && capacity <= MAX_SMALL_CAPACITY);
