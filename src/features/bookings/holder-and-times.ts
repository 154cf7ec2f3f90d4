import type { z } from 'zod';
import { canSeeAll, type Viewer } from '../../auth/viewer.ts';
import type { ErrorReason } from '../../core/error-reasons.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time/time-zone.ts';
import type { InputOf } from '../../core/validation.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { createBookingInput, guestInput } from './inputs.ts';
import { MAX_BOOKING_DAYS } from './types.ts';

type Guest = z.output<typeof guestInput>;
type HolderInput = Pick<BookingInput, 'memberId' | 'guest'>;
export type BookingInput = InputOf<typeof createBookingInput>;

export type Holder = { memberId: string; guest: null } | { memberId: null; guest: Guest };

/**
 * Resolves the holder of a booking. Members can only book for themselves.
 *
 * @throws NOT_FOUND for another member; VALIDATION if a member names a guest, or if both or neither are given
 */
export function resolveHolder(viewer: Viewer, { memberId, guest }: HolderInput): Holder {
  if (viewer.kind === 'member') {
    if (memberId !== undefined && memberId !== viewer.id) throw notFound('member');
    if (guest)
      throw invalidBookingInput(
        'GUEST_NOT_ALLOWED',
        ['guest'],
        'Members book for themselves. Remove the guest.',
      );
    return { memberId: viewer.id, guest: null };
  }
  if (memberId !== undefined) assertCanBookAs(viewer, memberId);
  if (memberId !== undefined && guest === undefined) return { memberId, guest: null };
  if (memberId === undefined && guest !== undefined) return { memberId: null, guest };
  throw invalidBookingInput(
    'HOLDER_NEEDED',
    ['memberId', 'guest'],
    'Specify either a member or a guest.',
  );
}

/**
 * Rejects callers who cannot see or book for this member: prices and limits reveal the member's plan.
 *
 * @throws NOT_FOUND
 */
export function assertCanBookAs(viewer: Viewer, memberId: string): void {
  if (viewer.kind === 'member' && memberId === viewer.id) return;
  if (canSeeAll(viewer, 'members:read') || canSeeAll(viewer, 'bookings:write')) return;
  throw notFound('member');
}

/**
 * Returns whether to override rules.
 *
 * @throws FORBIDDEN if a caller other than staff requests an override
 */
export function authorizeOverride(viewer: Viewer, override = false): boolean {
  if (override) assertStaff(viewer, 'Only staff can override booking rules.');
  return override;
}

/**
 * Rejects callers other than staff and tokens that can change all bookings.
 *
 * @throws FORBIDDEN
 */
export function assertStaff(viewer: Viewer, message: string): void {
  if (canSeeAll(viewer, 'bookings:write')) return;
  throw new DomainError('FORBIDDEN', message, { reason: 'STAFF_ONLY' });
}

const MAX_DISTANCE_YEARS = 10;

/**
 * Converts the times of a booking and checks the rules that apply to bookings of every resource.
 *
 * @throws VALIDATION
 */
export function toBookingRange(
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  now: Date,
): TimeRange {
  const range = { start: startsAt.getTime(), end: endsAt.getTime() };
  if (range.end === range.start)
    throw invalidBookingInput(
      'ZERO_LENGTH',
      ['endsAt'],
      'The booking ends when it starts. Choose a later end.',
    );
  if (range.end < range.start)
    throw invalidBookingInput(
      'ENDS_BEFORE_START',
      ['endsAt'],
      'The booking ends before it starts. Choose a later end.',
    );
  // First, because the clocks of distant years are off by seconds.
  if (isTooFarAway(range, now))
    throw invalidBookingInput(
      'TOO_FAR_AHEAD',
      ['startsAt'],
      `Bookings must start within ${MAX_DISTANCE_YEARS} years, but this date is in the year ${startsAt.getUTCFullYear()}. Choose another date.`,
    );
  if (range.start % MINUTE_MS !== 0 || range.end % MINUTE_MS !== 0)
    throw invalidBookingInput(
      'NOT_WHOLE_MINUTES',
      ['startsAt', 'endsAt'],
      'Bookings must start and end on a whole minute.',
    );
  if (range.end - range.start > MAX_BOOKING_DAYS * DAY_MS)
    throw invalidBookingInput(
      'TOO_LONG',
      ['endsAt'],
      `Bookings can last at most ${MAX_BOOKING_DAYS} days. Choose an earlier end.`,
    );
  return range;
}

/** Whether a range starts more than ten years from now. Much farther dates exceed the limits of databases and calendars. */
export const isTooFarAway = ({ start }: TimeRange, now: Date) =>
  Math.abs(start - now.getTime()) > MAX_DISTANCE_YEARS * 366 * DAY_MS;

const invalidBookingInput = (reason: ErrorReason, fields: string[], message: string) =>
  new DomainError('VALIDATION', message, { reason, fields });
