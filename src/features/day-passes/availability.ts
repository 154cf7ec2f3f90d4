import { Temporal } from 'temporal-polyfill';
import type { Context } from '../../context.ts';
import { addDays, type CalendarDate } from '../../core/time/calendar-date.ts';

export const UNSOLD_REASONS = [
  'INACTIVE',
  'DATE_PAST',
  'TOO_FAR_AHEAD',
  'CLOSED',
  'SOLD_OUT',
] as const;
/** Why a day pass type is not available on a date. */
export type UnsoldReason = (typeof UNSOLD_REASONS)[number];

/** Opening hours and closures of a location, in its time zone. */
interface OpenDays {
  /** 1 is Monday. An empty list means always open. */
  hours: readonly { weekday: number; closesMinute: number }[];
  /** `endsOn` is the last closed day. */
  closures: readonly { startsOn: CalendarDate; endsOn: CalendarDate }[];
}

/** Whether a location is closed for the whole day. */
export function isClosedOn(date: CalendarDate, { hours, closures }: OpenDays): boolean {
  if (closures.some(({ startsOn, endsOn }) => startsOn <= date && date <= endsOn)) return true;
  const { dayOfWeek } = Temporal.PlainDate.from(date);
  return hours.length > 0 && !hours.some(({ weekday }) => weekday === dayOfWeek);
}

/** Whether a location has closed for the day at a minute since midnight. */
export function hasClosedBy(minute: number, date: CalendarDate, { hours }: OpenDays): boolean {
  const { dayOfWeek } = Temporal.PlainDate.from(date);
  const closings = hours.filter(({ weekday }) => weekday === dayOfWeek);
  return closings.length > 0 && closings.every(({ closesMinute }) => closesMinute <= minute);
}

/**
 * Finds why passes for a date are unavailable, or null. `today` is the date at the location, `stock` the number still
 * free.
 */
export function findUnsoldReason(
  date: CalendarDate,
  offer: {
    active: boolean;
    maxAdvanceDays: number;
    today: CalendarDate;
    closed: boolean;
    stock: number | null;
  },
): UnsoldReason | null {
  if (!offer.active) return 'INACTIVE';
  if (date < offer.today) return 'DATE_PAST';
  if (date > addDays(offer.today, offer.maxAdvanceDays)) return 'TOO_FAR_AHEAD';
  if (offer.closed) return 'CLOSED';
  return offer.stock !== null && offer.stock <= 0 ? 'SOLD_OUT' : null;
}

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
