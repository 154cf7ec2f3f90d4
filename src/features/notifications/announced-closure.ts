import { formatLongDate } from '../../core/time/format.ts';
import type { ActorKind } from '../../db/generated/client.ts';
import { toHistorySql } from '../../journal/read-changes.ts';
import type { EmailTexts } from '../../languages/emails/email-texts.ts';

/** What all emails about a closure say. */
export interface AnnouncedClosure {
  firstDay: string;
  lastDay: string;
  reason: string | null;
  message: string | null;
  location: string;
  address: string | null;
  timeZone: string;
  /** Who announced the closure last. */
  actorKind: ActorKind | null;
}

/** SQL: the fields of an `AnnouncedClosure`, of a closure `c`. */
export const CLOSURE_COLUMNS = `c.starts_on::text AS "firstDay", c.ends_on::text AS "lastDay", c.reason, c.announcement AS message,
    l.name AS location, l.address, l.time_zone AS "timeZone", announced.actor_kind AS "actorKind"`;

export const CLOSURE_JOINS = `JOIN locations l ON l.id = c.location_id
  LEFT JOIN LATERAL (
    SELECT actor_kind FROM ${toHistorySql('c.id')} change WHERE change.type = 'closure.announced'
    ORDER BY change.sequence DESC LIMIT 1) announced ON true`;

export function toClosureValues(
  { language, text }: EmailTexts,
  { firstDay, lastDay, location, address, reason, message }: AnnouncedClosure,
) {
  const [first, last] = [formatLongDate(firstDay, language), formatLongDate(lastDay, language)];
  const days = firstDay === lastDay ? first : text('date.range', { first, last });
  return { location, address, reason, message, days };
}

/** A token can book for any address, so its emails have a smaller budget. */
export const toClosurePriority = ({ actorKind }: AnnouncedClosure) =>
  actorKind === 'token' ? 'requested' : 'essential';
