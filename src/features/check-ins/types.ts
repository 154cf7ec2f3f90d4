import type { CheckInResult, CheckInSubject } from '../../db/generated/client.ts';

/** The result of one attempt to check in or out, as both APIs return it. */
export interface CheckIn {
  /** The id of the visit, only for the caller who began or ended it. Staff and tokens can check out by it. */
  id: string | null;
  /** Ends the visit for anyone who has it. Only if admitted, and only in this response. */
  checkOutToken: string | null;
  result: CheckInResult;
  /** Whether an unpaired client checked the person in by handle. Such responses are the same for everyone, without times. */
  unconfirmed: boolean;
  /** Whether the payment of the presented ticket or day pass was disputed. */
  disputed: boolean;
  /** The person's name: in full for staff, otherwise as "Ada L."; null if nothing was found. */
  label: string | null;
  /** When the visit began, also for whoever is rejected while they are in. Null for unconfirmed visits, except for callers who see full names. */
  checkedInAt: Date | null;
  checkedOutAt: Date | null;
  subject: {
    type: CheckInSubject;
    /** The title of the event, the type of the day pass, the booked resource, or the host of a visitor as "Ada L.". */
    title: string | null;
  } | null;
}

/** A credential that is presented at a location. Only staff and tokens can use any id; members can use their own ids. */
export type Credential =
  | { code: string }
  | { handle: string }
  | { memberId: string }
  | { bookingId: string };

export interface CheckInRequest {
  locationId: string;
  credential: Credential;
  /** A visitor of the presented member. */
  visitor?: { name: string } | undefined;
  /** Check out instead of in. */
  leaving?: boolean | undefined;
  /** The client's id of this attempt. A retry with the same id returns the first result. */
  scanId?: string | undefined;
  /** When it happened, for uploads of offline scans. Default: now. */
  occurredAt?: Date | undefined;
  /** Admit the holder of a used ticket once more. For staff and tokens. */
  readmit?: boolean | undefined;
  /** Admit although the payment is disputed. For staff and tokens. */
  admitDisputed?: boolean | undefined;
}
