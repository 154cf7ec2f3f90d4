import type { ErrorReason } from '../../../error-reasons.ts';
import { DomainError } from '../../../errors.ts';
import { DAY_MINUTES } from '../../../time.ts';

/** The rules of booking a resource. */
export interface BookingRules {
  minMinutes: number;
  maxMinutes: number;
  /** Bookings begin on it, by the location's wall clock, and last multiples of it. */
  gridMinutes: number;
  /** Kept free after a booking. */
  bufferMinutes: number;
  /** Booked at least so long before. */
  noticeMinutes: number;
  /** Booked at most so long before. */
  daysAhead: number;
  /** Before the start; later the price stays due. */
  freeCancellationHours: number;
  /** Who has not arrived by then loses the booking; null: nobody does. */
  noShowMinutes: number | null;
  /** Members' bookings wait for staff. */
  requiresApproval: boolean;
}

/** As the schema has it. */
const USUAL = { grid: 15, min: 30, max: 480, daysAhead: 365 };

type Some<T> = { [K in keyof T]?: T[K] | undefined };

/** The lengths of a new resource: half an hour to eight hours, as far as its grid allows, unless somebody chose them. */
export function usualMinutes({
  gridMinutes: grid = USUAL.grid,
  ...chosen
}: Some<Pick<BookingRules, 'gridMinutes' | 'minMinutes' | 'maxMinutes'>>) {
  const minMinutes = chosen.minMinutes ?? Math.ceil(USUAL.min / grid) * grid;
  const maxMinutes = chosen.maxMinutes ?? Math.max(minMinutes, Math.floor(USUAL.max / grid) * grid);
  return { gridMinutes: grid, minMinutes, maxMinutes };
}

/** Throws VALIDATION for rules by which nothing could be booked, or not all that they promise. */
export function checkRules({
  minMinutes,
  maxMinutes,
  gridMinutes,
  noticeMinutes = 0,
  daysAhead = USUAL.daysAhead,
}: Some<BookingRules> & Pick<BookingRules, 'minMinutes' | 'maxMinutes' | 'gridMinutes'>): void {
  if (maxMinutes < minMinutes) {
    refuse('MAX_BELOW_MIN', `maxMinutes: must not be below minMinutes, which is ${minMinutes}.`);
  }
  for (const [field, minutes] of Object.entries({ minMinutes, maxMinutes })) {
    if (minutes % gridMinutes !== 0) {
      const words = `${field}: ${minutes} is no multiple of gridMinutes, which is ${gridMinutes}.`;
      refuse('NOT_ON_GRID', `${words} Bookings last multiples of it.`);
    }
  }
  if (noticeMinutes > daysAhead * DAY_MINUTES) {
    const words = `noticeMinutes: with ${noticeMinutes} nothing could be booked`;
    refuse('NOTICE_BEYOND_HORIZON', `${words}, because daysAhead is ${daysAhead}.`);
  }
}

function refuse(reason: ErrorReason, message: string): never {
  throw new DomainError('VALIDATION', message, { reason });
}
