import type { CalendarDate } from '../../../core/time/calendar-date.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import type {
  CheckInResult,
  DisputedAdmission,
  MemberAdmission,
} from '../../../db/generated/client.ts';
import { MAX_EARLY_CHECK_IN_MINUTES } from '../../bookings/types.ts';
import type { AdmissionCandidate, MemberCandidate } from '../resolve-code.ts';

/** Tickets and bookings admit from one hour before their start. */
const MAX_EARLY_ADMISSION_MS = MAX_EARLY_CHECK_IN_MINUTES * MINUTE_MS;

/** The place and time of an attempt. */
export interface AdmissionContext {
  locationId: string;
  /** The instant of the attempt, in milliseconds since 1970. */
  at: number;
  /** The date of that instant in the time zone of the location. */
  today: CalendarDate;
  /** Whether the location has reached its capacity. */
  isFull: boolean;
  /** Which members the location admits. */
  memberAdmission: MemberAdmission;
  /** Whether the space admits those whose payment is disputed. */
  disputedAdmission: DisputedAdmission;
}

/** What staff decide. */
interface StaffDecisions {
  /** Admit the holder of a used ticket again. */
  readmit?: boolean | undefined;
  /** Admit although the payment is disputed. */
  admitDisputed?: boolean | undefined;
}

/** Earlier visits of the candidate. */
export interface VisitHistory {
  /** Whether a visit at this location is open. */
  isIn: boolean;
  /** Whether the ticket was used before. */
  isUsed: boolean;
}

/** Evaluates one candidate. Returns `admitted` or the reason for the rejection. */
export function evaluateAdmission(
  candidate: AdmissionCandidate,
  history: VisitHistory,
  context: AdmissionContext,
  decisions: StaffDecisions = {},
): CheckInResult {
  const rejection = findRejection(candidate, history, context, decisions);
  if (rejection !== null) return rejection;
  return context.isFull ? 'capacity_full' : 'admitted';
}

/**
 * The rights come first, then earlier visits: whoever is in, and could not be admitted any more, is rejected with the reason. Doors
 * open on `already_in`, so it must say that the person may enter.
 */
function findRejection(
  candidate: AdmissionCandidate,
  history: VisitHistory,
  context: AdmissionContext,
  decisions: StaffDecisions,
): CheckInResult | null {
  return (
    findMissingRight(candidate, context) ??
    findDisputeRejection(candidate, context, decisions) ??
    findEarlierVisit(candidate, history, decisions)
  );
}

/** Nobody knows yet who has the money, so a disputed order counts as unpaid unless the space or its staff admit its people. */
function findDisputeRejection(
  candidate: AdmissionCandidate,
  { disputedAdmission }: AdmissionContext,
  { admitDisputed = false }: StaffDecisions,
): CheckInResult | null {
  if (!isDisputed(candidate) || disputedAdmission === 'admit') return null;
  return disputedAdmission === 'ask' && admitDisputed ? null : 'unpaid';
}

/** Whether the candidate is a ticket or day pass whose payment is disputed. */
export const isDisputed = (candidate: AdmissionCandidate): boolean =>
  'disputed' in candidate && candidate.disputed;

/** Finds why the candidate may not enter here and now, whatever their earlier visits are. */
function findMissingRight(
  candidate: AdmissionCandidate,
  context: AdmissionContext,
): CheckInResult | null {
  switch (candidate.type) {
    case 'ticket':
      if (candidate.eventStatus === 'cancelled') return 'cancelled';
      return (
        findStatusRejection(candidate.status) ??
        findLocationRejection(candidate, context) ??
        findTimeRejection(candidate, context)
      );
    case 'day_pass':
      return (
        findStatusRejection(candidate.status) ??
        findLocationRejection(candidate, context) ??
        findDayRejection(candidate.validOn, context)
      );
    case 'booking':
      return (
        findBookingRejection(candidate.status) ??
        findLocationRejection(candidate, context) ??
        findTimeRejection(candidate, context)
      );
    case 'member':
      return findMembershipRejection(candidate, context);
    case 'visitor':
      return findMembershipRejection(candidate.host, context);
  }
}

/** A visitor has no id, so nothing shows whether they are in. A ticket admits once unless staff readmit its holder. */
function findEarlierVisit(
  { type }: AdmissionCandidate,
  { isIn, isUsed }: VisitHistory,
  { readmit = false }: StaffDecisions,
): CheckInResult | null {
  if (isIn && type !== 'visitor') return 'already_in';
  return type === 'ticket' && isUsed && !readmit ? 'checked_out' : null;
}

function findStatusRejection(
  status: 'held' | 'valid' | 'expired' | 'cancelled',
): CheckInResult | null {
  if (status === 'valid') return null;
  return status === 'cancelled' ? 'cancelled' : 'unpaid';
}

/** A pending booking is not valid yet, a no-show has expired. */
function findBookingRejection(
  status: 'pending' | 'confirmed' | 'cancelled' | 'no_show',
): CheckInResult | null {
  if (status === 'confirmed') return null;
  if (status === 'cancelled') return 'cancelled';
  return status === 'pending' ? 'not_yet_valid' : 'expired';
}

const findLocationRejection = (
  candidate: { locationId: string },
  context: AdmissionContext,
): CheckInResult | null => (candidate.locationId === context.locationId ? null : 'wrong_location');

function findTimeRejection(
  candidate: { startsAt: string; endsAt: string },
  { at }: AdmissionContext,
): CheckInResult | null {
  if (at < Date.parse(candidate.startsAt) - MAX_EARLY_ADMISSION_MS) return 'not_yet_valid';
  return at >= Date.parse(candidate.endsAt) ? 'expired' : null;
}

function findDayRejection(day: CalendarDate, { today }: AdmissionContext): CheckInResult | null {
  if (day === today) return null;
  return today < day ? 'not_yet_valid' : 'expired';
}

/** A member must be active, and needs a membership for the day unless the location admits all members. */
function findMembershipRejection(
  { status, memberships }: MemberCandidate,
  { today, memberAdmission }: AdmissionContext,
): CheckInResult | null {
  const covers = ({ startsOn, endsOn }: MemberCandidate['memberships'][number]) =>
    startsOn <= today && (endsOn === null || today <= endsOn);
  const isAdmitted = memberAdmission === 'all' || memberships.some(covers);
  return status === 'active' && isAdmitted ? null : 'membership_inactive';
}

/** Returns a candidate whose payment was disputed after this instant as it was before. */
export const restoreUndisputed = (candidate: AdmissionCandidate, at: number): AdmissionCandidate =>
  'disputedAt' in candidate &&
  candidate.disputedAt !== null &&
  at < Date.parse(candidate.disputedAt)
    ? { ...candidate, disputed: false, disputedAt: null }
    : candidate;

/**
 * Returns a ticket or day pass that was cancelled after this instant as it was before. Null for any other candidate: whoever was
 * cancelled before could not be admitted then either.
 */
export function restoreCancelled(
  candidate: AdmissionCandidate,
  at: number,
): AdmissionCandidate | null {
  if (candidate.type !== 'ticket' && candidate.type !== 'day_pass') return null;
  if (candidate.cancelledAt === null || Date.parse(candidate.cancelledAt) <= at) return null;
  return candidate.type === 'ticket'
    ? { ...candidate, status: 'valid', eventStatus: 'published' }
    : { ...candidate, status: 'valid' };
}
