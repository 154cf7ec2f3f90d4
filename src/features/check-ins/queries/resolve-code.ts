import { hashSecret, isWellFormedSecret } from '../../../auth/tokens.ts';
import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { CalendarDate } from '../../../core/time/calendar-date.ts';
import type {
  AdmissionStatus,
  BookingStatus,
  EventStatus,
  LookupHandle,
  MemberStatus,
} from '../../../db/generated/client.ts';
import { projectInstant } from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import type { VisitHolder } from '../location-lock.ts';
import type { Credential } from '../types.ts';

interface CandidateIdentity {
  id: string;
  /** Who it is, in full. */
  label: string;
  title: string | null;
}
interface TicketCandidate extends CandidateIdentity {
  type: 'ticket';
  status: AdmissionStatus;
  eventStatus: EventStatus;
  locationId: string;
  startsAt: string;
  endsAt: string;
}
interface DayPassCandidate extends CandidateIdentity {
  type: 'day_pass';
  status: AdmissionStatus;
  locationId: string;
  validOn: CalendarDate;
}
export interface MemberCandidate extends CandidateIdentity {
  type: 'member';
  status: MemberStatus;
  email: string;
  /** Their own and their team's, of any time. */
  contracts: { startsOn: CalendarDate; endsOn: CalendarDate | null }[];
}
interface BookingCandidate extends CandidateIdentity {
  type: 'booking';
  status: BookingStatus;
  locationId: string;
  startsAt: string;
  endsAt: string;
  /** Null for a guest's. */
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

export interface ResolvedCredential {
  /** Those of an order, where its short code was presented; else one, or more where a code fits several things. */
  found: Exclude<AdmissionCandidate, VisitorCandidate>[];
  byOrder: boolean;
  /** Where one was presented that exists. */
  handle: LookupHandle | null;
}

const MEMBER_JSON = `json_build_object('type', 'member', 'id', m.id, 'label', m.name, 'title', NULL, 'status', m.status,
  'email', m.email, 'contracts', (SELECT coalesce(json_agg(json_build_object('startsOn', c.starts_on, 'endsOn', c.ends_on)), '[]'::json)
    FROM memberships c WHERE c.member_id = m.id OR c.team_id = m.team_id))`;

const FIND_BY_CODE = prepareStatement(`
  WITH ticket AS (
    SELECT id, false AS "byOrder" FROM tickets WHERE code = ANY ($1::text[])
    UNION ALL SELECT t.id, true FROM orders o JOIN tickets t ON t.order_id = o.id WHERE o.code = ANY ($1::text[])),
  pass AS (
    SELECT id, false AS "byOrder" FROM day_passes WHERE code = ANY ($1::text[])
    UNION ALL SELECT p.id, true FROM orders o JOIN day_passes p ON p.order_id = o.id WHERE o.code = ANY ($1::text[]))
  SELECT "byOrder", t.position, json_build_object('type', 'ticket', 'id', t.id, 'label', t.attendee_name, 'title', e.title,
    'status', t.status, 'eventStatus', e.status, 'locationId', e.location_id,
    'startsAt', ${projectInstant('e.starts_at')}, 'endsAt', ${projectInstant('e.ends_at')}) AS found
  FROM ticket JOIN tickets t ON t.id = ticket.id JOIN events e ON e.id = t.event_id
  UNION ALL
  SELECT "byOrder", p.position, json_build_object('type', 'day_pass', 'id', p.id, 'label', p.holder_name, 'title', type.name,
    'status', p.status, 'locationId', type.location_id, 'validOn', p.valid_on)
  FROM pass JOIN day_passes p ON p.id = pass.id JOIN day_pass_types type ON type.id = p.type_id
  UNION ALL
  SELECT false, 0, ${MEMBER_JSON} FROM members m WHERE m.code = ANY ($1::text[])
  ORDER BY 1, 2`);

const FIND_MEMBER_BY_ID = prepareStatement(
  `SELECT ${MEMBER_JSON} AS found FROM members m WHERE m.id = $1::uuid`,
);

const FIND_BOOKING_BY_ID = prepareStatement(`
  SELECT json_build_object('type', 'booking', 'id', b.id, 'label', coalesce(m.name, b.guest_name), 'title', r.name,
    'status', b.status, 'locationId', b.location_id, 'startsAt', ${projectInstant('b.starts_at')}, 'endsAt', ${projectInstant('b.ends_at')},
    'memberId', b.member_id) AS found
  FROM bookings b JOIN resources r ON r.id = b.resource_id LEFT JOIN members m ON m.id = b.member_id
  WHERE b.id = $1::uuid`);

/** What is presented stands for, as it is now. */
export async function resolveCredential(
  ctx: Context,
  presented: Credential,
): Promise<ResolvedCredential> {
  const one = (found: ResolvedCredential['found'], handle: LookupHandle | null = null) => ({
    found,
    byOrder: false,
    handle,
  });
  if ('memberId' in presented)
    return one(await findCandidateById(ctx, FIND_MEMBER_BY_ID, presented.memberId));
  if ('bookingId' in presented)
    return one(await findCandidateById(ctx, FIND_BOOKING_BY_ID, presented.bookingId));
  if ('handle' in presented) {
    const handle = await findHandle(ctx, presented.handle);
    return one(
      handle ? await findCandidateById(ctx, FIND_MEMBER_BY_ID, handle.memberId) : [],
      handle,
    );
  }
  const rows = await ctx.lockingSql<{
    byOrder: boolean;
    found: ResolvedCredential['found'][number];
  }>(FIND_BY_CODE, [toCodeVariants(presented.code)]);
  const itself = rows.filter(({ byOrder }) => !byOrder);
  const meant = itself.length > 0 ? rows : rows.filter(({ byOrder }) => byOrder);
  return {
    found: meant.map(({ found }) => found),
    byOrder: itself.length === 0 && rows.length > 0,
    handle: null,
  };
}

/** Whose visits at other places may matter; before anything is locked, hence perhaps no longer true. */
export async function findVisitHolder(
  { db }: Context,
  presented: Credential,
): Promise<VisitHolder> {
  if ('code' in presented) return { memberId: null, codes: toCodeVariants(presented.code) };
  const known = (memberId: string | null | undefined): VisitHolder => ({
    memberId: memberId ?? null,
    codes: [],
  });
  if ('memberId' in presented) return known(isUuid(presented.memberId) ? presented.memberId : null);
  if ('handle' in presented) return known((await findHandle({ db }, presented.handle))?.memberId);
  if (!isUuid(presented.bookingId)) return known(null);
  const booking = { where: { id: presented.bookingId }, select: { memberId: true } };
  return known((await db.booking.findUnique(booking))?.memberId);
}

const findHandle = async ({ db }: Pick<Context, 'db'>, handle: string) =>
  isWellFormedSecret('lookupHandle', handle)
    ? db.lookupHandle.findUnique({ where: { hash: hashSecret(handle) } })
    : null;

async function findCandidateById(
  ctx: Context,
  sql: typeof FIND_MEMBER_BY_ID,
  id: string,
): Promise<ResolvedCredential['found']> {
  const rows = isUuid(id)
    ? await ctx.lockingSql<{ found: ResolvedCredential['found'][number] }>(sql, [id])
    : [];
  return rows.map(({ found }) => found);
}

// In the order of their ids, as those who cancel them lock them.
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

/** Until the transaction ends nobody cancels the tickets and passes that are presented, nor gives them away. */
export async function lockAdmissions(ctx: Context, presented: Credential): Promise<void> {
  if ('code' in presented) await ctx.lockingSql(LOCK_ADMISSIONS, [toCodeVariants(presented.code)]);
}

/** A code as it is kept: in capitals, without blanks and dashes. */
export const normalizeCode = (code: string) => code.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '');

/** Codes are printed in groups and typed in small letters; some were imported as they are. */
const toCodeVariants = (code: string) => [...new Set([normalizeCode(code), code.trim()])];
