import type { CheckInResult, CheckInSubject } from '../../db/generated/client.ts';

export type { CheckInResult, CheckInSubject };

export const CHECK_IN_RESULTS = [
  'admitted',
  'already_in',
  'checked_out',
  'not_found',
  'unpaid',
  'cancelled',
  'not_yet_valid',
  'expired',
  'wrong_location',
  'membership_inactive',
  'capacity_full',
  'ambiguous',
] as const satisfies CheckInResult[];

export const CHECK_IN_SUBJECTS = [
  'ticket',
  'day_pass',
  'member',
  'booking',
  'visitor',
] as const satisfies CheckInSubject[];

/** What came of one attempt to get in, or to leave, in the words of both doors. */
export interface CheckIn {
  /** Only of a visit, and only to who has begun or ended it. Staff and programs end the visit by it. */
  id: string | null;
  /** Ends the visit, for whoever holds it. Only where admitted, and in no later answer. */
  checkOutToken: string | null;
  result: CheckInResult;
  /** Who it is: in full for staff, "Ada L." for everybody else; null where nothing was found. */
  label: string | null;
  /** Of a visit: when it began. Where somebody is in already, since when. */
  checkedInAt: Date | null;
  checkedOutAt: Date | null;
  subject: {
    type: CheckInSubject;
    /** The event's title, the day pass's kind, the booked resource, or the host of a visitor as "Ada L.". */
    title: string | null;
  } | null;
}

/** What is presented: one of these. The latter two are for staff and programs. */
export type Credential =
  | { code: string }
  | { handle: string }
  | { memberId: string }
  | { bookingId: string };

export interface CheckInRequest {
  locationId: string;
  credential: Credential;
  /** Who came to see the member whose handle is presented. */
  visitor?: { name: string } | undefined;
  /** They go, rather than come. */
  leaving?: boolean | undefined;
  /** The client's own name for this attempt: sent again, it is answered as the first time. */
  scanId?: string | undefined;
  /** When it happened, where that was before now: an upload of what was scanned offline. */
  occurredAt?: Date | undefined;
  /** Lets the holder of a used ticket in once more; for staff and programs. */
  readmit?: boolean | undefined;
}
