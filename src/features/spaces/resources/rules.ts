import type { ErrorReason } from '../../../error-reasons.ts';
import { DomainError } from '../../../errors.ts';
import { DAY_MINUTES } from '../../../time.ts';

/** The rules of booking a resource. */
export interface BookingRules {
  minMinutes: number;
  maxMinutes: number;
  /** Bookings begin on it, by the location's wall clock, and last multiples of it. */
  slotIntervalMinutes: number;
  /** Kept free after a booking. */
  bufferMinutes: number;
  /** Booked at least so long before. */
  minNoticeMinutes: number;
  /** Booked at most so long before. */
  maxAdvanceDays: number;
  /** Before the start; later the price stays due. */
  freeCancellationHours: number;
  /** Who has not arrived by then loses the booking; null: nobody does. */
  noShowMinutes: number | null;
  /** Members' bookings wait for staff. */
  requiresApproval: boolean;
}

/** As the schema has it. */
const USUAL = { grid: 15, min: 30, max: 480, maxAdvanceDays: 365 };

type Some<T> = { [K in keyof T]?: T[K] | undefined };

/** The lengths of a new resource: half an hour to eight hours, as far as its grid allows, unless somebody chose them. */
export function usualMinutes({
  slotIntervalMinutes: grid = USUAL.grid,
  ...chosen
}: Some<Pick<BookingRules, 'slotIntervalMinutes' | 'minMinutes' | 'maxMinutes'>>) {
  const minMinutes = chosen.minMinutes ?? Math.ceil(USUAL.min / grid) * grid;
  const maxMinutes = chosen.maxMinutes ?? Math.max(minMinutes, Math.floor(USUAL.max / grid) * grid);
  return { slotIntervalMinutes: grid, minMinutes, maxMinutes };
}

/** Throws VALIDATION for rules by which nothing could be booked, or not all that they promise. */
export function checkRules({
  minMinutes,
  maxMinutes,
  slotIntervalMinutes,
  minNoticeMinutes = 0,
  maxAdvanceDays = USUAL.maxAdvanceDays,
}: Some<BookingRules> &
  Pick<BookingRules, 'minMinutes' | 'maxMinutes' | 'slotIntervalMinutes'>): void {
  if (maxMinutes < minMinutes) {
    refuse('MAX_BELOW_MIN', `maxMinutes: must not be below minMinutes, which is ${minMinutes}.`);
  }
  for (const [field, minutes] of Object.entries({ minMinutes, maxMinutes })) {
    if (minutes % slotIntervalMinutes !== 0) {
      const words = `${field}: ${minutes} is no multiple of gridMinutes, which is ${slotIntervalMinutes}.`;
      refuse('NOT_ON_GRID', `${words} Bookings last multiples of it.`);
    }
  }
  if (minNoticeMinutes > maxAdvanceDays * DAY_MINUTES) {
    const words = `noticeMinutes: with ${minNoticeMinutes} nothing could be booked`;
    refuse('NOTICE_BEYOND_HORIZON', `${words}, because daysAhead is ${maxAdvanceDays}.`);
  }
}

function refuse(reason: ErrorReason, message: string): never {
  throw new DomainError('VALIDATION', message, { reason });
}
