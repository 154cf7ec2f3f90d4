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

/** Either a member or a guest; a member who is signed in may leave both out. */
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
  /** Staff sets aside what is policy. */
  override?: boolean | undefined;
}

export type Holder = { memberId: string; guest: null } | { memberId: null; guest: Guest };

/** Whose booking it becomes. Members book for themselves only; somebody else is NOT_FOUND to them. */
export function resolveHolder(viewer: Viewer, { memberId, guest }: HolderInput): Holder {
  if (viewer.kind === 'member') {
    if (memberId !== undefined && memberId !== viewer.id) throw notFound('member');
    if (guest)
      throw invalidBookingInput(
        'GUEST_NOT_ALLOWED',
        'Members book for themselves. Leave out the guest.',
      );
    return { memberId: viewer.id, guest: null };
  }
  if (memberId !== undefined) assertCanBookAs(viewer, memberId);
  if (memberId !== undefined && guest === undefined) return { memberId, guest: null };
  if (memberId === undefined && guest !== undefined) return { memberId: null, guest };
  throw invalidBookingInput('HOLDER_NEEDED', 'Say who books: either a member or a guest.');
}

/** What a member may book and pays says something of them: it is for those who see or book for members. Throws NOT_FOUND. */
export function assertCanBookAs(viewer: Viewer, memberId: string): void {
  if (viewer.kind === 'member' && memberId === viewer.id) return;
  if (canSeeAll(viewer, 'members:read') || canSeeAll(viewer, 'bookings:write')) return;
  throw notFound('member');
}

/** Throws FORBIDDEN where somebody sets rules aside who may not. */
export function authorizeOverride(viewer: Viewer, override = false): boolean {
  if (override) assertStaff(viewer, 'Only staff may set the rules aside.');
  return override;
}

/** Staff, and programs that change everybody's bookings. Throws FORBIDDEN. */
export function assertStaff(viewer: Viewer, message: string): void {
  if (canSeeAll(viewer, 'bookings:write')) return;
  throw new DomainError('FORBIDDEN', message, { reason: 'STAFF_ONLY' });
}

const MAX_BOOKING_DAYS = 31;
const MAX_DISTANCE_YEARS = 10;

/** What can be a booking at all, whatever the rules. Throws VALIDATION. */
export function toBookingRange(
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  now: Date,
): TimeRange {
  const span = { start: startsAt.getTime(), end: endsAt.getTime() };
  if (span.end === span.start)
    throw invalidBookingInput(
      'ZERO_LENGTH',
      'The booking ends when it begins. Choose a later end.',
    );
  if (span.end < span.start)
    throw invalidBookingInput(
      'ENDS_BEFORE_START',
      'The booking ends before it begins. Choose a later end.',
    );
  if (span.start % MINUTE_MS !== 0 || span.end % MINUTE_MS !== 0)
    throw invalidBookingInput('NOT_WHOLE_MINUTES', 'A booking begins and ends on a whole minute.');
  if (span.end - span.start > MAX_BOOKING_DAYS * DAY_MS)
    throw invalidBookingInput(
      'TOO_LONG',
      `A booking lasts at most ${MAX_BOOKING_DAYS} days. Choose an earlier end.`,
    );
  if (isTooFarAway(span, now))
    throw invalidBookingInput(
      'TOO_FAR_AHEAD',
      `A booking begins within ${MAX_DISTANCE_YEARS} years. Choose another date.`,
    );
  return span;
}

/** Beyond what anybody plans, and soon beyond what databases and calendars can tell. */
export const isTooFarAway = ({ start }: TimeRange, now: Date) =>
  Math.abs(start - now.getTime()) > MAX_DISTANCE_YEARS * 366 * DAY_MS;

const invalidBookingInput = (reason: ErrorReason, message: string) =>
  new DomainError('VALIDATION', message, { reason });

// What callers may write into a booking, whichever door they come by.

/** On one line: it may stand in mails. */
export const bookingTitleSchema = singleLine(200);
export const bookingNotesSchema = boundedText(5_000);
export const cancelReasonSchema = boundedText(500);
export const guestSchema = z.strictObject({ name: personName, email: emailAddress.nullish() });
