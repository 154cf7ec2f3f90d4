import { z } from 'zod';

/** Limits on the orders of an event, or of a day pass type on each date. `docs/order-limits.md` explains them. */
export interface OrderLimits {
  /** Unpaid and free seats of one email address within the window; null: the default. */
  maxSeatsPerEmail: number | null;
  /** The same for one IPv4 address or IPv6 /64. */
  maxSeatsPerAddress: number | null;
  /** The same for one IPv6 /48; three times as many for one IPv4 /24. */
  maxSeatsPerNetwork: number | null;
  limitWindowHours: number;
  /** Whether anonymous buyers must confirm free orders by email; null: only if the capacity is small. */
  confirmFreeOrders: boolean | null;
}

const MAX_SEATS = 1_000_000;
export const MAX_LIMIT_WINDOW_HOURS = 168;
/** The default for `confirmFreeOrders`: required up to this many seats. */
const MAX_SMALL_CAPACITY = 100;

const maxSeats = z.int().min(1).max(MAX_SEATS);
export const limitWindowHours = z.int().min(1).max(MAX_LIMIT_WINDOW_HOURS);

/** The settings that null resets to their defaults. */
export const nullableLimits = {
  maxSeatsPerEmail: maxSeats,
  maxSeatsPerAddress: maxSeats,
  maxSeatsPerNetwork: maxSeats,
  confirmFreeOrders: z.boolean(),
};

/** Whether anonymous buyers must confirm free orders. `capacity` is null where unlimited. */
export const requiresConfirmation = (
  { confirmFreeOrders }: OrderLimits,
  capacity: number | null,
): boolean => confirmFreeOrders ?? (capacity !== null && capacity <= MAX_SMALL_CAPACITY);
