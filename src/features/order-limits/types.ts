import { z } from 'zod';

/** How staff limits the orders of an event, or of a day pass type on each date. `docs/order-limits.md` explains them. */
export interface OrderLimits {
  /** Unpaid and free seats within the window, per e-mail address; null: the default. */
  maxSeatsPerEmail: number | null;
  /** The same per IPv4 address or IPv6 /64. */
  maxSeatsPerAddress: number | null;
  /** The same per IPv6 /48; an IPv4 /24 may take three times as many. */
  maxSeatsPerNetwork: number | null;
  limitWindowHours: number;
  /** Whether anonymous buyers confirm free orders by mail; null: where capacity is small. */
  confirmFreeOrders: boolean | null;
}

const MAX_SEATS = 1_000_000;
export const MAX_LIMIT_WINDOW_HOURS = 168;
/** Free orders of events and days with at most so many seats are confirmed by mail, unless the setting says otherwise. */
const MAX_SMALL_CAPACITY = 100;

const maxSeats = z.int().min(1).max(MAX_SEATS);
export const limitWindowHours = z.int().min(1).max(MAX_LIMIT_WINDOW_HOURS);

/** The settings that null puts back to their defaults, as inputs name them. */
export const nullableLimits = {
  maxSeatsPerEmail: maxSeats,
  maxSeatsPerAddress: maxSeats,
  maxSeatsPerNetwork: maxSeats,
  confirmFreeOrders: z.boolean(),
};

/** `capacity` is null where it is unlimited. */
export const requiresConfirmation = (
  { confirmFreeOrders }: OrderLimits,
  capacity: number | null,
): boolean => confirmFreeOrders ?? (capacity !== null && capacity <= MAX_SMALL_CAPACITY);
