import type { CalendarDate } from '../../../core/time/calendar-date.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import type { CheckInResult } from '../../../db/generated/client.ts';
import { MAX_EARLY_CHECK_IN_MINUTES } from '../../bookings/types.ts';
import type { AdmissionCandidate, MemberCandidate } from '../queries/resolve-code.ts';

/** Tickets and bookings let in from so long before their start. */
const MAX_EARLY_ADMISSION_MS = MAX_EARLY_CHECK_IN_MINUTES * MINUTE_MS;

/** Where somebody stands, and when. */
export interface AdmissionContext {
  locationId: string;
  /** The instant of which is judged, in milliseconds since 1970. */
  at: number;
  /** What day that is by the location's calendar. */
  today: CalendarDate;
  /** Whether as many are in as the location holds. */
  isFull: boolean;
}

/** What is known of earlier visits. */
export interface VisitHistory {
  /** Whether there is a visit at this location that lasts. */
  isIn: boolean;
  /** Whether it is a ticket that has let its holder in before. */
  isUsed: boolean;
}

/** What comes of it when this is presented. Only `admitted` lets somebody in. */
export function evaluateAdmission(
  found: AdmissionCandidate,
  past: VisitHistory,
  scene: AdmissionContext,
  { readmit = false }: { readmit?: boolean | undefined } = {},
): CheckInResult {
  const refusal = findRefusal(found, past, scene, readmit);
  if (refusal !== null) return refusal;
  return scene.isFull ? 'capacity_full' : 'admitted';
}

function findRefusal(
  found: AdmissionCandidate,
  past: VisitHistory,
  scene: AdmissionContext,
  readmit: boolean,
): CheckInResult | null {
  switch (found.type) {
    case 'ticket':
      if (found.eventStatus === 'cancelled') return 'cancelled';
      return (
        findStatusRefusal(found.status) ??
        findLocationRefusal(found, scene) ??
        (past.isIn ? 'already_in' : null) ??
        findTimeRefusal(found, scene) ??
        (past.isUsed && !readmit ? 'checked_out' : null)
      );
    case 'day_pass':
      return (
        findStatusRefusal(found.status) ??
        findLocationRefusal(found, scene) ??
        (past.isIn ? 'already_in' : null) ??
        findDayRefusal(found.validOn, scene)
      );
    case 'booking':
      return (
        findBookingRefusal(found.status) ??
        findLocationRefusal(found, scene) ??
        findTimeRefusal(found, scene) ??
        (past.isIn ? 'already_in' : null)
      );
    case 'member':
      return (past.isIn ? 'already_in' : null) ?? findMembershipRefusal(found, scene);
    case 'visitor':
      return findMembershipRefusal(found.host, scene);
  }
}

function findStatusRefusal(
  status: 'held' | 'valid' | 'expired' | 'cancelled',
): CheckInResult | null {
  if (status === 'valid') return null;
  return status === 'cancelled' ? 'cancelled' : 'unpaid';
}

/** One that still waits for staff's yes is not valid yet; one that was given up is over. */
function findBookingRefusal(
  status: 'pending' | 'confirmed' | 'cancelled' | 'no_show',
): CheckInResult | null {
  if (status === 'confirmed') return null;
  if (status === 'cancelled') return 'cancelled';
  return status === 'pending' ? 'not_yet_valid' : 'expired';
}

const findLocationRefusal = (
  found: { locationId: string },
  scene: AdmissionContext,
): CheckInResult | null => (found.locationId === scene.locationId ? null : 'wrong_location');

function findTimeRefusal(
  found: { startsAt: string; endsAt: string },
  { at }: AdmissionContext,
): CheckInResult | null {
  if (at < Date.parse(found.startsAt) - MAX_EARLY_ADMISSION_MS) return 'not_yet_valid';
  return at >= Date.parse(found.endsAt) ? 'expired' : null;
}

function findDayRefusal(day: CalendarDate, { today }: AdmissionContext): CheckInResult | null {
  if (day === today) return null;
  return today < day ? 'not_yet_valid' : 'expired';
}

/** Who never had a contract needs none. */
function findMembershipRefusal(
  { status, contracts }: MemberCandidate,
  { today }: AdmissionContext,
): CheckInResult | null {
  const covers = ({ startsOn, endsOn }: MemberCandidate['contracts'][number]) =>
    startsOn <= today && (endsOn === null || today <= endsOn);
  const isCovered = contracts.length === 0 || contracts.some(covers);
  return status === 'active' && isCovered ? null : 'membership_inactive';
}
