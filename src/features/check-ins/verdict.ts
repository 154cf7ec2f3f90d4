import type { Day } from '../../dates.ts';
import type { CheckInResult } from '../../db/generated/client.ts';
import { MINUTE_MS } from '../../time.ts';
import type { Found, MemberFound } from './find.ts';

/** Tickets and bookings let in from so long before their start. */
const EARLY_MS = 60 * MINUTE_MS;

/** Where somebody stands, and when. */
export interface Scene {
  locationId: string;
  /** The instant of which is judged, in milliseconds since 1970. */
  at: number;
  /** What day that is by the location's calendar. */
  today: Day;
  /** Whether as many are in as the location holds. */
  isFull: boolean;
}

/** What is known of earlier visits. */
export interface Past {
  /** Whether there is a visit at this location that lasts. */
  isIn: boolean;
  /** Whether it is a ticket that has let its holder in before. */
  isUsed: boolean;
}

/** What comes of it when this is presented. Only `admitted` lets somebody in. */
export function verdictOn(
  found: Found,
  past: Past,
  scene: Scene,
  { readmit = false }: { readmit?: boolean | undefined } = {},
): CheckInResult {
  const refusal = refusalOf(found, past, scene, readmit);
  if (refusal !== null) return refusal;
  return scene.isFull ? 'capacity_full' : 'admitted';
}

function refusalOf(found: Found, past: Past, scene: Scene, readmit: boolean): CheckInResult | null {
  switch (found.type) {
    case 'ticket':
      if (found.eventStatus === 'cancelled') return 'cancelled';
      return (
        ofAdmission(found.status) ??
        ofPlace(found, scene) ??
        (past.isIn ? 'already_in' : null) ??
        ofTime(found, scene) ??
        (past.isUsed && !readmit ? 'checked_out' : null)
      );
    case 'day_pass':
      return (
        ofAdmission(found.status) ??
        ofPlace(found, scene) ??
        (past.isIn ? 'already_in' : null) ??
        ofDay(found.validOn, scene)
      );
    case 'booking':
      return (
        ofBooking(found.status) ??
        ofPlace(found, scene) ??
        ofTime(found, scene) ??
        (past.isIn ? 'already_in' : null)
      );
    case 'member':
      return (past.isIn ? 'already_in' : null) ?? ofMembership(found, scene);
    case 'visitor':
      return ofMembership(found.host, scene);
  }
}

function ofAdmission(status: 'held' | 'valid' | 'expired' | 'cancelled'): CheckInResult | null {
  if (status === 'valid') return null;
  return status === 'cancelled' ? 'cancelled' : 'unpaid';
}

/** One that still waits for staff's yes is not valid yet; one that was given up is over. */
function ofBooking(
  status: 'pending' | 'confirmed' | 'cancelled' | 'no_show',
): CheckInResult | null {
  if (status === 'confirmed') return null;
  if (status === 'cancelled') return 'cancelled';
  return status === 'pending' ? 'not_yet_valid' : 'expired';
}

const ofPlace = (found: { locationId: string }, scene: Scene): CheckInResult | null =>
  found.locationId === scene.locationId ? null : 'wrong_location';

function ofTime(found: { startsAt: string; endsAt: string }, { at }: Scene): CheckInResult | null {
  if (at < Date.parse(found.startsAt) - EARLY_MS) return 'not_yet_valid';
  return at >= Date.parse(found.endsAt) ? 'expired' : null;
}

function ofDay(day: Day, { today }: Scene): CheckInResult | null {
  if (day === today) return null;
  return today < day ? 'not_yet_valid' : 'expired';
}

/** Who never had a contract needs none. */
function ofMembership({ status, contracts }: MemberFound, { today }: Scene): CheckInResult | null {
  const covers = ({ startsOn, endsOn }: MemberFound['contracts'][number]) =>
    startsOn <= today && (endsOn === null || today <= endsOn);
  const isCovered = contracts.length === 0 || contracts.some(covers);
  return status === 'active' && isCovered ? null : 'membership_inactive';
}
