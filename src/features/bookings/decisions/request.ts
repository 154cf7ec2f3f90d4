import { seesAll, type Viewer } from '../../../auth/viewer.ts';
import type { ErrorReason } from '../../../error-reasons.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { MINUTE, type Span } from '../policy/span.ts';

export interface Guest {
  name: string;
  email?: string | null | undefined;
}

/** Either a member or a guest; a member who is signed in may leave both out. */
export interface HolderInput {
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
export function holderOf(viewer: Viewer, { memberId, guest }: HolderInput): Holder {
  if (viewer.kind === 'member') {
    if (memberId !== undefined && memberId !== viewer.id) throw notFound('member');
    if (guest) throw bad('GUEST_NOT_ALLOWED', 'Members book for themselves. Leave out the guest.');
    return { memberId: viewer.id, guest: null };
  }
  if (memberId !== undefined) refuseUnknown(viewer, memberId);
  if (memberId !== undefined && guest === undefined) return { memberId, guest: null };
  if (memberId === undefined && guest !== undefined) return { memberId: null, guest };
  throw bad('HOLDER_NEEDED', 'Say who books: either a member or a guest.');
}

/** What a member may book and pays says something of them: it is for those who see or book for members. Throws NOT_FOUND. */
export function refuseUnknown(viewer: Viewer, memberId: string): void {
  if (viewer.kind === 'member' && memberId === viewer.id) return;
  if (seesAll(viewer, 'members:read') || seesAll(viewer, 'bookings:write')) return;
  throw notFound('member');
}

/** Throws FORBIDDEN where somebody sets rules aside who may not. */
export function mayOverride(viewer: Viewer, override = false): boolean {
  if (override) staffOnly(viewer, 'Only staff may set the rules aside.');
  return override;
}

/** Staff, and programs that change everybody's bookings. Throws FORBIDDEN. */
export function staffOnly(viewer: Viewer, message: string): void {
  if (seesAll(viewer, 'bookings:write')) return;
  throw new DomainError('FORBIDDEN', message, { reason: 'STAFF_ONLY' });
}

const MOST_DAYS = 31;
const MOST_YEARS = 10;
const DAY = 24 * 60 * MINUTE;

/** What can be a booking at all, whatever the rules. Throws VALIDATION. */
export function spanOf({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }, now: Date): Span {
  const span = { start: startsAt.getTime(), end: endsAt.getTime() };
  if (span.end === span.start)
    throw bad('ZERO_LENGTH', 'The booking ends when it begins. Choose a later end.');
  if (span.end < span.start)
    throw bad('ENDS_BEFORE_START', 'The booking ends before it begins. Choose a later end.');
  if (span.start % MINUTE !== 0 || span.end % MINUTE !== 0)
    throw bad('NOT_WHOLE_MINUTES', 'A booking begins and ends on a whole minute.');
  if (span.end - span.start > MOST_DAYS * DAY)
    throw bad('TOO_LONG', `A booking lasts at most ${MOST_DAYS} days. Choose an earlier end.`);
  if (isOutOfReach(span, now))
    throw bad('TOO_FAR_AHEAD', `A booking begins within ${MOST_YEARS} years. Choose another date.`);
  return span;
}

/** Beyond what anybody plans, and soon beyond what databases and calendars can tell. */
export const isOutOfReach = ({ start }: Span, now: Date) =>
  Math.abs(start - now.getTime()) > MOST_YEARS * 366 * DAY;

const bad = (reason: ErrorReason, message: string) =>
  new DomainError('VALIDATION', message, { reason });
