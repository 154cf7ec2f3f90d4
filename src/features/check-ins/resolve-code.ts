import { hashSecret, isWellFormedSecret } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import { isUuid, undoKeyboardSwap } from '../../core/ids.ts';
import type { CalendarDate } from '../../core/time/calendar-date.ts';
import type { Instant } from '../../core/time/time-zone.ts';
import type {
  AdmissionStatus,
  BookingStatus,
  EventStatus,
  LookupHandle,
  MemberStatus,
} from '../../db/generated/client.ts';
import { projectInstant } from '../../db/json-projection.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import type { VisitHolder } from './location-lock.ts';
import type { Credential } from './types.ts';

interface CandidateIdentity {
  id: string;
  /** The full name. */
  label: string;
  title: string | null;
}
interface TicketCandidate extends CandidateIdentity {
  type: 'ticket';
  status: AdmissionStatus;
  /** Whether the payment of its order is disputed. */
  disputed: boolean;
  disputedAt: Instant | null;
  /** Since when it does not admit although it did before: it or its event was cancelled. */
  cancelledAt: Instant | null;
  eventStatus: EventStatus;
  locationId: string;
  startsAt: string;
  endsAt: string;
}
interface DayPassCandidate extends CandidateIdentity {
  type: 'day_pass';
  status: AdmissionStatus;
  /** Whether the payment of its order is disputed. */
  disputed: boolean;
  disputedAt: Instant | null;
  cancelledAt: Instant | null;
  locationId: string;
  validOn: CalendarDate;
}
export interface MemberCandidate extends CandidateIdentity {
  type: 'member';
  status: MemberStatus;
  email: string;
  /** The member's own memberships and those of their team, including past and future ones. */
  memberships: { startsOn: CalendarDate; endsOn: CalendarDate | null }[];
}
interface BookingCandidate extends CandidateIdentity {
  type: 'booking';
  status: BookingStatus;
  locationId: string;
  startsAt: string;
  endsAt: string;
  /** Null for a booking of a guest. */
  memberId: string | null;
}
interface VisitorCandidate {
  type: 'visitor';
  label: string;
  title: string;
  host: MemberCandidate;
}
export type AdmissionCandidate =
  | TicketCandidate
  | DayPassCandidate
  | MemberCandidate
  | BookingCandidate
  | VisitorCandidate;

type Match = Exclude<AdmissionCandidate, VisitorCandidate>;

export interface ResolvedCredential {
  /** For the code of an order, all its tickets and passes. Otherwise one match, or several for an ambiguous code. */
  matches: Match[];
  /** Whether the presented code is that of an order. */
  byOrder: boolean;
  /** The presented handle, if it exists. */
  handle: LookupHandle | null;
}

const MEMBER_JSON = `json_build_object('type', 'member', 'id', m.id, 'label', m.name, 'title', NULL, 'status', m.status,
  'email', m.email, 'memberships', (SELECT coalesce(json_agg(json_build_object('startsOn', c.starts_on, 'endsOn', c.ends_on)), '[]'::json)
    FROM memberships c WHERE c.member_id = m.id OR c.team_id = m.team_id))`;

const FIND_BY_CODE = prepareStatement(`
  WITH ticket AS (
    SELECT id, false AS "byOrder" FROM tickets WHERE code = ANY ($1::text[])
    UNION ALL SELECT t.id, true FROM orders o JOIN tickets t ON t.order_id = o.id WHERE o.code = ANY ($1::text[])),
  pass AS (
    SELECT id, false AS "byOrder" FROM day_passes WHERE code = ANY ($1::text[])
    UNION ALL SELECT p.id, true FROM orders o JOIN day_passes p ON p.order_id = o.id WHERE o.code = ANY ($1::text[]))
  SELECT "byOrder", t.position, json_build_object('type', 'ticket', 'id', t.id, 'label', t.attendee_name, 'title', e.title,
    'status', t.status, 'disputed', o.disputed_at IS NOT NULL, 'disputedAt', ${projectInstant('o.disputed_at')},
    'cancelledAt', CASE WHEN t.status = 'valid' OR t.cancelled_at IS NOT NULL THEN ${projectInstant('least(t.cancelled_at, e.cancelled_at)')} END,
    'eventStatus', e.status, 'locationId', e.location_id,
    'startsAt', ${projectInstant('e.starts_at')}, 'endsAt', ${projectInstant('e.ends_at')}) AS match
  FROM ticket JOIN tickets t ON t.id = ticket.id JOIN events e ON e.id = t.event_id JOIN orders o ON o.id = t.order_id
  UNION ALL
  SELECT "byOrder", p.position, json_build_object('type', 'day_pass', 'id', p.id, 'label', p.holder_name, 'title', type.name,
    'status', p.status, 'disputed', o.disputed_at IS NOT NULL, 'disputedAt', ${projectInstant('o.disputed_at')}, 'cancelledAt', ${projectInstant('p.cancelled_at')}, 'locationId', type.location_id, 'validOn', p.valid_on)
  FROM pass JOIN day_passes p ON p.id = pass.id JOIN day_pass_types type ON type.id = p.type_id JOIN orders o ON o.id = p.order_id
  UNION ALL
  SELECT false, 0, ${MEMBER_JSON} FROM members m WHERE m.code = ANY ($1::text[])
  ORDER BY 1, 2`);

const FIND_MEMBER_BY_ID = prepareStatement(
  `SELECT ${MEMBER_JSON} AS match FROM members m WHERE m.id = $1::uuid`,
);

const FIND_BOOKING_BY_ID = prepareStatement(`
  SELECT json_build_object('type', 'booking', 'id', b.id, 'label', coalesce(m.name, b.guest_name), 'title', r.name,
    'status', b.status, 'locationId', b.location_id, 'startsAt', ${projectInstant('b.starts_at')}, 'endsAt', ${projectInstant('b.ends_at')},
    'memberId', b.member_id) AS match
  FROM bookings b JOIN resources r ON r.id = b.resource_id LEFT JOIN members m ON m.id = b.member_id
  WHERE b.id = $1::uuid`);

/** Finds the current candidates for a credential. */
export async function resolveCredential(
  ctx: Context,
  credential: Credential,
): Promise<ResolvedCredential> {
  const toResolved = (matches: Match[], handle: LookupHandle | null = null) => ({
    matches,
    byOrder: false,
    handle,
  });
  if ('memberId' in credential)
    return toResolved(await findCandidateById(ctx, FIND_MEMBER_BY_ID, credential.memberId));
  if ('bookingId' in credential)
    return toResolved(await findCandidateById(ctx, FIND_BOOKING_BY_ID, credential.bookingId));
  if ('handle' in credential) {
    const handle = await findHandle(ctx, credential.handle);
    return toResolved(
      handle ? await findCandidateById(ctx, FIND_MEMBER_BY_ID, handle.memberId) : [],
      handle,
    );
  }
  const rows = await findByCode(ctx, credential.code);
  return {
    matches: rows.map(({ match }) => match),
    byOrder: rows.length > 0 && rows.every(({ byOrder }) => byOrder),
    handle: null,
  };
}

interface CodeMatch {
  byOrder: boolean;
  match: Match;
}

/** Finds what has a code as it was typed, and otherwise what has the code that a scanner with another layout means. */
async function findByCode(ctx: Context, code: string): Promise<CodeMatch[]> {
  const find = (codes: string[]) => ctx.lockingSql<CodeMatch>(FIND_BY_CODE, [codes]);
  const forms = toTypedForms(code);
  const others = toCodeVariants(code).filter((variant) => !forms.includes(variant));
  const typed = await find(forms);
  return typed.length > 0 || others.length === 0 ? typed : find(others);
}

/** Finds the member of a credential before anything is locked. Callers must check it again afterwards. */
export async function findVisitHolder(
  { db }: Context,
  credential: Credential,
): Promise<VisitHolder> {
  if ('code' in credential) return { memberId: null, codes: toCodeVariants(credential.code) };
  const toHolder = (memberId: string | null | undefined): VisitHolder => ({
    memberId: memberId ?? null,
    codes: [],
  });
  if ('memberId' in credential)
    return toHolder(isUuid(credential.memberId) ? credential.memberId : null);
  if ('handle' in credential)
    return toHolder((await findHandle({ db }, credential.handle))?.memberId);
  if (!isUuid(credential.bookingId)) return toHolder(null);
  const booking = { where: { id: credential.bookingId }, select: { memberId: true } };
  return toHolder((await db.booking.findUnique(booking))?.memberId);
}

const findHandle = async ({ db }: Pick<Context, 'db'>, handle: string) =>
  isWellFormedSecret('lookupHandle', handle)
    ? db.lookupHandle.findUnique({ where: { hash: hashSecret(handle) } })
    : null;

async function findCandidateById(
  ctx: Context,
  sql: typeof FIND_MEMBER_BY_ID,
  id: string,
): Promise<Match[]> {
  const rows = isUuid(id) ? await ctx.lockingSql<{ match: Match }>(sql, [id]) : [];
  return rows.map(({ match }) => match);
}

// Locks in the order of ids, as cancelling does.
const LOCK_ADMISSIONS = prepareStatement(`
  WITH ticket AS (
    SELECT t.id FROM tickets t WHERE t.id = ANY (ARRAY(
      SELECT id FROM tickets WHERE code = ANY ($1::text[])
      UNION ALL SELECT t.id FROM orders o JOIN tickets t ON t.order_id = o.id WHERE o.code = ANY ($1::text[])))
    ORDER BY t.id FOR SHARE),
  pass AS (
    SELECT p.id FROM day_passes p WHERE p.id = ANY (ARRAY(
      SELECT id FROM day_passes WHERE code = ANY ($1::text[])
      UNION ALL SELECT p.id FROM orders o JOIN day_passes p ON p.order_id = o.id WHERE o.code = ANY ($1::text[])))
    ORDER BY p.id FOR SHARE)
  SELECT (SELECT count(*) FROM ticket) + (SELECT count(*) FROM pass)`);

/** Locks the presented tickets and passes, so that they cannot be cancelled or transferred until the transaction ends. */
export async function lockAdmissions(ctx: Context, credential: Credential): Promise<void> {
  if ('code' in credential)
    await ctx.lockingSql(LOCK_ADMISSIONS, [toCodeVariants(credential.code)]);
}

/** Converts a code to its stored form: upper case, without spaces and dashes. */
export const normalizeCode = (code: string) => code.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '');

/** Returns the forms in which a typed code can be stored. Imported codes can have any form, so this includes the code as typed. */
const toTypedForms = (code: string) => [...new Set([normalizeCode(code), code.trim()])];

/** Returns all codes that a typed code can mean, those that are tried first at the beginning. */
const toCodeVariants = (code: string): string[] => [
  ...new Set([...toTypedForms(code), undoKeyboardSwap(normalizeCode(code))]),
];
