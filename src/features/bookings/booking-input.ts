import { z } from 'zod';
import { canSeeAll, type Viewer } from '../../auth/viewer.ts';
import type { ErrorReason } from '../../core/error-reasons.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time/time-zone.ts';
import { boundedText, emailAddress, personName, singleLine } from '../../core/validation.ts';
import { DomainError, notFound } from '../../errors.ts';

interface Guest {
  name: string;
  email?: string | null | undefined;
}

/** Either a member or a guest. A member who is signed in can omit both. */
interface HolderInput {
  memberId?: string | undefined;
  guest?: Guest | undefined;
}

export interface BookingInput extends HolderInput {
  resourceId: string;
  startsAt: Date;
  endsAt: Date;
  title?: string | undefined;
  notes?: string | undefined;
  /** Ignore the overridable rules; staff only. */
  override?: boolean | undefined;
}

export type Holder = { memberId: string; guest: null } | { memberId: null; guest: Guest };

/**
 * Resolves who a booking belongs to. Members can only book for themselves.
 *
 * @throws NOT_FOUND for another member, VALIDATION for a guest of a member and when there is neither or both.
 */
export function resolveHolder(viewer: Viewer, { memberId, guest }: HolderInput): Holder {
  if (viewer.kind === 'member') {
    if (memberId !== undefined && memberId !== viewer.id) throw notFound('member');
    if (guest)
      throw invalidBookingInput(
        'GUEST_NOT_ALLOWED',
        'Members book for themselves. Remove the guest.',
      );
    return { memberId: viewer.id, guest: null };
  }
  if (memberId !== undefined) assertCanBookAs(viewer, memberId);
  if (memberId !== undefined && guest === undefined) return { memberId, guest: null };
  if (memberId === undefined && guest !== undefined) return { memberId: null, guest };
  throw invalidBookingInput('HOLDER_NEEDED', 'Specify either a member or a guest.');
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
 * @throws FORBIDDEN when a caller who is not staff asks for it
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

const MAX_BOOKING_DAYS = 31;
const MAX_DISTANCE_YEARS = 10;

/**
 * Converts the times of a booking and checks what holds for every booking, whatever the rules of its resource.
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
      'The booking ends when it starts. Choose a later end.',
    );
  if (range.end < range.start)
    throw invalidBookingInput(
      'ENDS_BEFORE_START',
      'The booking ends before it starts. Choose a later end.',
    );
  if (range.start % MINUTE_MS !== 0 || range.end % MINUTE_MS !== 0)
    throw invalidBookingInput('NOT_WHOLE_MINUTES', 'Bookings start and end on a whole minute.');
  if (range.end - range.start > MAX_BOOKING_DAYS * DAY_MS)
    throw invalidBookingInput(
      'TOO_LONG',
      `Bookings last at most ${MAX_BOOKING_DAYS} days. Choose an earlier end.`,
    );
  if (isTooFarAway(range, now))
    throw invalidBookingInput(
      'TOO_FAR_AHEAD',
      `Bookings start within ${MAX_DISTANCE_YEARS} years from now. Choose another date.`,
    );
  return range;
}

/** Nobody plans this far ahead, and dates much farther away exceed what databases and calendars support. */
export const isTooFarAway = ({ start }: TimeRange, now: Date) =>
  Math.abs(start - now.getTime()) > MAX_DISTANCE_YEARS * 366 * DAY_MS;

const invalidBookingInput = (reason: ErrorReason, message: string) =>
  new DomainError('VALIDATION', message, { reason });

// The fields that callers can write, for both APIs.

/** A single line, because emails and calendars show it. */
export const bookingTitleSchema = singleLine(200);
export const bookingNotesSchema = boundedText(5_000);
export const cancelReasonSchema = boundedText(500);
export const guestSchema = z.strictObject({ name: personName, email: emailAddress.nullish() });
