import { Temporal } from 'temporal-polyfill';
import type { Context } from '../../context.ts';
import type { CalendarDate } from '../../core/time/calendar-date.ts';

export const UNSOLD_REASONS = [
  'INACTIVE',
  'DATE_PAST',
  'TOO_FAR_AHEAD',
  'CLOSED',
  'SOLD_OUT',
] as const;
/** Why there is none to be had on a date. */
export type UnsoldReason = (typeof UNSOLD_REASONS)[number];

/** When a location lets people in, by its own calendar. */
interface OpenDays {
  /** 1 is Monday; none at all: always open. */
  hours: readonly { weekday: number; closesMinute: number }[];
  /** The last day included. */
  closures: readonly { startsOn: CalendarDate; endsOn: CalendarDate }[];
}

/** Whether a location is shut for the whole of a date. */
export function isClosedOn(date: CalendarDate, { hours, closures }: OpenDays): boolean {
  if (closures.some(({ startsOn, endsOn }) => startsOn <= date && date <= endsOn)) return true;
  const { dayOfWeek } = Temporal.PlainDate.from(date);
  return hours.length > 0 && !hours.some(({ weekday }) => weekday === dayOfWeek);
}

/** Whether the location has closed for that day by this minute of it. */
export function hasClosedBy(minute: number, date: CalendarDate, { hours }: OpenDays): boolean {
  const { dayOfWeek } = Temporal.PlainDate.from(date);
  const closings = hours.filter(({ weekday }) => weekday === dayOfWeek);
  return closings.length > 0 && closings.every(({ closesMinute }) => closesMinute <= minute);
}

/** Null where a pass for the date can be had. `today` is the location's; `stock` what is neither sold nor held. */
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

const addDays = (day: CalendarDate, days: number): CalendarDate =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/**
 * Gives a date its stock, unless it has one. The type's row is shared until that is done, so that a change of its daily
 * number comes before it or after it, and is in it either way.
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
