import { Temporal } from 'temporal-polyfill';
import type { Day } from '../../dates.ts';

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
  closures: readonly { startsOn: Day; endsOn: Day }[];
}

/** Whether a location is shut for the whole of a date. */
export function isClosedOn(date: Day, { hours, closures }: OpenDays): boolean {
  if (closures.some(({ startsOn, endsOn }) => startsOn <= date && date <= endsOn)) return true;
  const { dayOfWeek } = Temporal.PlainDate.from(date);
  return hours.length > 0 && !hours.some(({ weekday }) => weekday === dayOfWeek);
}

/** Whether the location has closed for that day by this minute of it. */
export function hasClosedBy(minute: number, date: Day, { hours }: OpenDays): boolean {
  const { dayOfWeek } = Temporal.PlainDate.from(date);
  const closings = hours.filter(({ weekday }) => weekday === dayOfWeek);
  return closings.length > 0 && closings.every(({ closesMinute }) => closesMinute <= minute);
}

/** Null where a pass for the date can be had. `today` is the location's; `stock` what is neither sold nor held. */
export function reasonOn(
  date: Day,
  offer: {
    active: boolean;
    maxAdvanceDays: number;
    today: Day;
    closed: boolean;
    stock: number | null;
  },
): UnsoldReason | null {
  if (!offer.active) return 'INACTIVE';
  if (date < offer.today) return 'DATE_PAST';
  if (date > daysAfter(offer.today, offer.maxAdvanceDays)) return 'TOO_FAR_AHEAD';
  if (offer.closed) return 'CLOSED';
  return offer.stock !== null && offer.stock <= 0 ? 'SOLD_OUT' : null;
}

const daysAfter = (day: Day, days: number): Day =>
  Temporal.PlainDate.from(day).add({ days }).toString();
