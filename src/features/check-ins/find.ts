import { hashSecret, isWellFormed } from '../../auth/secrets.ts';
import type { Ctx } from '../../context.ts';
import type { Day } from '../../dates.ts';
import type {
  AdmissionStatus,
  BookingStatus,
  EventStatus,
  LookupHandle,
  MemberStatus,
} from '../../db/generated/client.ts';
import { statement } from '../../db/sql.ts';
import { instant } from '../../db/tree.ts';
import { isUuid } from '../../values.ts';
import type { Presented } from './check-in.ts';
import { spellings } from './codes.ts';
import type { Whose } from './place.ts';

interface Known {
  id: string;
  /** Who it is, in full. */
  label: string;
  title: string | null;
}
interface TicketFound extends Known {
  type: 'ticket';
  status: AdmissionStatus;
  eventStatus: EventStatus;
  locationId: string;
  startsAt: string;
  endsAt: string;
}
interface DayPassFound extends Known {
  type: 'day_pass';
  status: AdmissionStatus;
  locationId: string;
  validOn: Day;
}
export interface MemberFound extends Known {
  type: 'member';
  status: MemberStatus;
  email: string;
  /** Their own and their team's, of any time. */
  contracts: { startsOn: Day; endsOn: Day | null }[];
}
interface BookingFound extends Known {
  type: 'booking';
  status: BookingStatus;
  locationId: string;
  startsAt: string;
  endsAt: string;
  /** Null for a guest's. */
  memberId: string | null;
}
interface VisitorFound {
  type: 'visitor';
  label: string;
  title: string;
  host: MemberFound;
}
export type Found = TicketFound | DayPassFound | MemberFound | BookingFound | VisitorFound;

export interface Sought {
  /** Those of an order, where its short code was presented; else one, or more where a code fits several things. */
  found: Exclude<Found, VisitorFound>[];
  byOrder: boolean;
  /** Where one was presented that exists. */
  handle: LookupHandle | null;
}

const MEMBER = `json_build_object('type', 'member', 'id', m.id, 'label', m.name, 'title', NULL, 'status', m.status,
  'email', m.email, 'contracts', (SELECT coalesce(json_agg(json_build_object('startsOn', c.starts_on, 'endsOn', c.ends_on)), '[]'::json)
    FROM memberships c WHERE c.member_id = m.id OR c.team_id = m.team_id))`;

const BY_CODE = statement(`
  WITH ticket AS (
    SELECT id, false AS "byOrder" FROM tickets WHERE code = ANY ($1::text[])
    UNION ALL SELECT t.id, true FROM orders o JOIN tickets t ON t.order_id = o.id WHERE o.code = ANY ($1::text[])),
  pass AS (
    SELECT id, false AS "byOrder" FROM day_passes WHERE code = ANY ($1::text[])
    UNION ALL SELECT p.id, true FROM orders o JOIN day_passes p ON p.order_id = o.id WHERE o.code = ANY ($1::text[]))
  SELECT "byOrder", t.position, json_build_object('type', 'ticket', 'id', t.id, 'label', t.attendee_name, 'title', e.title,
    'status', t.status, 'eventStatus', e.status, 'locationId', e.location_id,
    'startsAt', ${instant('e.starts_at')}, 'endsAt', ${instant('e.ends_at')}) AS found
  FROM ticket JOIN tickets t ON t.id = ticket.id JOIN events e ON e.id = t.event_id
  UNION ALL
  SELECT "byOrder", p.position, json_build_object('type', 'day_pass', 'id', p.id, 'label', p.holder_name, 'title', type.name,
    'status', p.status, 'locationId', type.location_id, 'validOn', p.valid_on)
  FROM pass JOIN day_passes p ON p.id = pass.id JOIN day_pass_types type ON type.id = p.type_id
  UNION ALL
  SELECT false, 0, ${MEMBER} FROM members m WHERE m.code = ANY ($1::text[])
  ORDER BY 1, 2`);

const MEMBER_BY_ID = statement(`SELECT ${MEMBER} AS found FROM members m WHERE m.id = $1::uuid`);

const BOOKING_BY_ID = statement(`
  SELECT json_build_object('type', 'booking', 'id', b.id, 'label', coalesce(m.name, b.guest_name), 'title', r.name,
    'status', b.status, 'locationId', b.location_id, 'startsAt', ${instant('b.starts_at')}, 'endsAt', ${instant('b.ends_at')},
    'memberId', b.member_id) AS found
  FROM bookings b JOIN resources r ON r.id = b.resource_id LEFT JOIN members m ON m.id = b.member_id
  WHERE b.id = $1::uuid`);

/** What is presented stands for, as it is now. */
export async function find(ctx: Ctx, presented: Presented): Promise<Sought> {
  const one = (found: Sought['found'], handle: LookupHandle | null = null) => ({
    found,
    byOrder: false,
    handle,
  });
  if ('memberId' in presented) return one(await byId(ctx, MEMBER_BY_ID, presented.memberId));
  if ('bookingId' in presented) return one(await byId(ctx, BOOKING_BY_ID, presented.bookingId));
  if ('handle' in presented) {
    const handle = await handleOf(ctx, presented.handle);
    return one(handle ? await byId(ctx, MEMBER_BY_ID, handle.memberId) : [], handle);
  }
  const rows = await ctx.write<{ byOrder: boolean; found: Sought['found'][number] }>(BY_CODE, [
    spellings(presented.code),
  ]);
  const itself = rows.filter(({ byOrder }) => !byOrder);
  const meant = itself.length > 0 ? rows : rows.filter(({ byOrder }) => byOrder);
  return {
    found: meant.map(({ found }) => found),
    byOrder: itself.length === 0 && rows.length > 0,
    handle: null,
  };
}

/** Whose visits at other places may matter; before anything is locked, hence perhaps no longer true. */
export async function whoseIs({ db }: Ctx, presented: Presented): Promise<Whose> {
  if ('code' in presented) return { memberId: null, codes: spellings(presented.code) };
  const known = (memberId: string | null | undefined): Whose => ({
    memberId: memberId ?? null,
    codes: [],
  });
  if ('memberId' in presented) return known(isUuid(presented.memberId) ? presented.memberId : null);
  if ('handle' in presented) return known((await handleOf({ db }, presented.handle))?.memberId);
  if (!isUuid(presented.bookingId)) return known(null);
  const booking = { where: { id: presented.bookingId }, select: { memberId: true } };
  return known((await db.booking.findUnique(booking))?.memberId);
}

const handleOf = async ({ db }: Pick<Ctx, 'db'>, handle: string) =>
  isWellFormed('lookupHandle', handle)
    ? db.lookupHandle.findUnique({ where: { hash: hashSecret(handle) } })
    : null;

async function byId(ctx: Ctx, sql: typeof MEMBER_BY_ID, id: string): Promise<Sought['found']> {
  const rows = isUuid(id) ? await ctx.write<{ found: Sought['found'][number] }>(sql, [id]) : [];
  return rows.map(({ found }) => found);
}
