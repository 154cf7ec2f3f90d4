import type { Context } from '../../../context.ts';
import type { CalendarDate } from '../../../core/time/calendar-date.ts';
import { toOpeningTimesSql } from '../../spaces/service/opening-hours.ts';

export const UNSOLD_REASONS = [
  'INACTIVE',
  'DATE_PAST',
  'TOO_FAR_AHEAD',
  'CLOSED',
  'SOLD_OUT',
] as const;
/** Why a day pass type is not available on a date. */
export type UnsoldReason = (typeof UNSOLD_REASONS)[number];

/**
 * Returns a subquery of one row: the `date`, how many passes are `left` of the type with this id, whether its location is
 * `closed`, its `opening_times` on the date, and the `reason` why none are available. `date` can be NULL, for today at the location.
 */
export const toStockSql = (typeId: string, date: string, now: string): string => `(
  SELECT day.date, CASE WHEN day.reason IS NULL THEN day.free ELSE 0 END AS left, day.closed, day.reason,
    ${toOpeningTimesSql('day.location_id', 'day.date')} AS opening_times
  FROM (
    SELECT offer.location_id, offer.date, offer.free, offer.closed, CASE
      WHEN NOT offer.active THEN 'INACTIVE'
      WHEN offer.date < offer.today THEN 'DATE_PAST'
      WHEN offer.date > offer.today + offer.days_ahead THEN 'TOO_FAR_AHEAD'
      WHEN offer.closed THEN 'CLOSED'
      WHEN offer.free <= 0 THEN 'SOLD_OUT' END AS reason
    FROM (
      SELECT type.location_id, type.active, type.days_ahead, dates.today, dates.date, ${CLOSED_SQL} AS closed,
        -- Dates without orders have no row.
        CASE WHEN stock.type_id IS NULL THEN type.daily_capacity ELSE stock.capacity END - coalesce(stock.reserved_count, 0) AS free
      FROM day_pass_types type
      JOIN locations place ON place.id = type.location_id
      CROSS JOIN LATERAL (SELECT ${now} AT TIME ZONE place.time_zone AS local_time) here
      CROSS JOIN LATERAL (SELECT here.local_time::date AS today, coalesce(${date}, here.local_time::date) AS date) dates
      LEFT JOIN day_pass_days stock ON stock.type_id = type.id AND stock.date = dates.date
      WHERE type.id = ${typeId}) offer) day)`;

/** Closed for the whole day, or already closed for today. A location without opening hours is always open. */
const CLOSED_SQL = `(
  EXISTS (SELECT FROM closures c WHERE c.location_id = place.id AND dates.date BETWEEN c.starts_on AND c.ends_on)
  OR EXISTS (SELECT FROM opening_hours h WHERE h.location_id = place.id) AND NOT EXISTS (
    SELECT FROM opening_hours h WHERE h.location_id = place.id AND h.weekday = extract(isodow FROM dates.date)
      AND (dates.date <> dates.today
        OR h.closes_minute > extract(hour FROM here.local_time) * 60 + extract(minute FROM here.local_time))))`;

/**
 * Creates the stock row of a type and date unless it exists. Share-locks the type, so that a concurrent change of its daily
 * capacity either commits first or sees the new row.
 */
export async function ensureDailyStock(
  { db }: Context,
  typeId: string,
  date: CalendarDate,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO day_pass_days (type_id, date, capacity)
    SELECT t.id, ${date}::date, t.daily_capacity FROM day_pass_types t
    WHERE t.id = ${typeId}::uuid
      AND NOT EXISTS (SELECT FROM day_pass_days d WHERE d.type_id = t.id AND d.date = ${date}::date)
    FOR SHARE OF t
    ON CONFLICT DO NOTHING`;
}
