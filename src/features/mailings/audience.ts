import type { Context } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import type { Mailing } from '../../db/generated/client.ts';
import { type Bind, createParameters, prepareListStatement } from '../../db/prepared-statement.ts';
import { toOptedOutSql } from '../email-preferences/service.ts';

/** Who gets a mailing. A member who has used a location within this many days belongs to it: members have no home location. */
const LOCATION_USE_DAYS = 90;

/** The audience of a mailing at a time: that of its creation, so that the next day changes nothing while it is written. */
export type Audience = Pick<Mailing, 'audience' | 'eventId' | 'planId' | 'locationId'> & {
  at: Date;
};

export interface Recipient {
  /** The order or the member from which the recipient was found. */
  sourceId: string;
  email: string;
  name: string;
}

/** More recipients are not counted. */
const MAX_COUNTED_RECIPIENTS = 100_000;

/** Counts the mailboxes that an audience reaches now. */
export async function countRecipients(ctx: Context, audience: Audience): Promise<number> {
  const { values, bind } = createParameters();
  const text = `
    SELECT count(*)::int AS count FROM (
      SELECT DISTINCT mail_recipient_key(person.email) FROM (${selectPeople(audience, bind)}) person
      LIMIT ${MAX_COUNTED_RECIPIENTS}) mailbox`;
  const [row] = await ctx.lockingSql<{ count: number }>(prepareListStatement(text), values);
  return row?.count ?? 0;
}

/** Finds the first recipients by name, each mailbox once. */
export function findFirstRecipients(
  ctx: Context,
  audience: Audience,
  limit: number,
): Promise<Recipient[]> {
  const { values, bind } = createParameters();
  const text = `
    SELECT mailbox.source_id AS "sourceId", mailbox.email, mailbox.name FROM (
      SELECT DISTINCT ON (mail_recipient_key(person.email)) person.*
      FROM (${selectPeople(audience, bind)}) person
      ORDER BY mail_recipient_key(person.email), person.source_id) mailbox
    ORDER BY mailbox.name, mailbox.email LIMIT ${bind(limit, 'int')}`;
  return ctx.lockingSql<Recipient>(prepareListStatement(text), values);
}

/**
 * Finds the recipients after an order or a member, by its id: at least `limit`, if there are as many. All people of the last
 * order are included, so that the next batch can continue after it. A mailbox can occur several times.
 */
export function findNextRecipients(
  ctx: Context,
  audience: Audience,
  after: string | null,
  limit: number,
): Promise<Recipient[]> {
  const { values, bind } = createParameters();
  const people = selectPeople(audience, bind);
  const text = `
    SELECT person.source_id AS "sourceId", person.email, person.name FROM (${people}) person
    ${after === null ? '' : `WHERE person.source_id > ${bind(after, 'uuid')}`}
    ORDER BY person.source_id FETCH FIRST (${bind(limit, 'int')}) ROWS WITH TIES`;
  return ctx.lockingSql<Recipient>(prepareListStatement(text), values);
}

const selectPeople = (audience: Audience, bind: Bind): string =>
  audience.audience === 'attendees'
    ? selectAttendees(audience, bind)
    : selectMembers(audience, bind);

/** SQL: whether the address is not that of an erased person. */
const isNotDeletedSql = (email: string) => `${email} NOT LIKE '%@deleted.invalid'`;

/** Buyers of orders with a valid ticket, and the holders of valid tickets that name another address. */
function selectAttendees({ eventId }: Audience, bind: Bind): string {
  return `
    SELECT o.id AS source_id, person.email, person.name
    FROM orders o CROSS JOIN LATERAL (
      SELECT o.buyer_email AS email, o.buyer_name AS name
      UNION ALL
      SELECT t.attendee_email, t.attendee_name FROM tickets t
      WHERE t.order_id = o.id AND t.status = 'valid' AND t.attendee_email IS NOT NULL
    ) person
    WHERE o.event_id = ${bind(eventId, 'uuid')} AND o.status = 'paid' AND person.email IS NOT NULL AND ${isNotDeletedSql('person.email')}
      AND EXISTS (SELECT FROM tickets held WHERE held.order_id = o.id AND held.status = 'valid')`;
}

/** Members with a membership on this day, their own or that of their team, who have not stopped mailings. */
function selectMembers({ planId, locationId, at }: Audience, bind: Bind): string {
  const now = bind(at, 'timestamptz');
  const location = bind(locationId, 'uuid');
  const day = `(${now} AT TIME ZONE coalesce((SELECT l.time_zone FROM locations l WHERE l.id = ${location}), 'UTC'))::date`;
  return `
    SELECT m.id AS source_id, m.email, m.name FROM members m
    WHERE m.status <> 'former' AND m.email_confirmed_at IS NOT NULL AND ${isNotDeletedSql('m.email')}
      AND NOT ${toOptedOutSql('m.email', 'mailings')}
      AND EXISTS (
        SELECT FROM memberships held
        WHERE (held.member_id = m.id OR held.team_id = m.team_id)
          AND held.starts_on <= ${day} AND (held.ends_on IS NULL OR held.ends_on >= ${day})
          ${planId === null ? '' : `AND held.plan_id = ${bind(planId, 'uuid')}`})
      ${locationId === null ? '' : `AND ${usesLocationSql(location, bind(new Date(at.getTime() - LOCATION_USE_DAYS * DAY_MS), 'timestamptz'))}`}`;
}

/** SQL: whether the member has visited the location, or has booked there. Upcoming bookings count too. */
const usesLocationSql = (location: string, since: string) => `(
  EXISTS (SELECT FROM bookings b WHERE b.member_id = m.id AND b.location_id = ${location}
    AND b.status IN ('pending', 'confirmed') AND b.starts_at >= ${since})
  OR EXISTS (SELECT FROM check_ins c WHERE c.member_id = m.id AND c.location_id = ${location}
    AND c.result = 'admitted' AND NOT c.unconfirmed AND c.occurred_at >= ${since}))`;
