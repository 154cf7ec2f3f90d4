import { formatLocalTime, formatLocalTimeRange } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import {
  addDays,
  addMinutes,
  countMinutesBetween,
  findDateProblem,
  parseWallClock,
  SKIPPED_TIME_MESSAGE,
  toLocalTime,
  toStartOfDay,
} from '../../components/wall-clock.ts';
import type { BookingStatus } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { formatLocalDateTime } from '../../language/page-dates.ts';

interface Slot {
  startsAt: string;
  endsAt: string;
}

/** The start and the end of a booking as a form shows them, in the time zone of the location. */
export interface BookingTimes {
  day: string;
  from: string;
  endDay: string;
  to: string;
  /** What the fields stood for when they were filled in. Clocks show some times twice, so a field alone is not exact. */
  slot: Slot | null;
  /** The length, which a new start keeps. Null until the fields have had one. */
  minutes: number | null;
}

export const toBookingTimes = (slot: Slot, timeZone: string): BookingTimes => ({
  day: toLocalDate(slot.startsAt, timeZone),
  from: toLocalTime(slot.startsAt, timeZone),
  endDay: toLocalDate(slot.endsAt, timeZone),
  to: toLocalTime(slot.endsAt, timeZone),
  slot: { startsAt: slot.startsAt, endsAt: slot.endsAt },
  minutes: countMinutesBetween(slot.startsAt, slot.endsAt),
});

/** Starts with fields that can be empty. An end that is not after the start is on the next day. */
export function fillInTimes(day: string, from: string, to: string, timeZone: string): BookingTimes {
  const endDay = findEndDay(day, from, to);
  return measure({ day, from, endDay, to, slot: null, minutes: null }, timeZone);
}

/** Converts to instants. Null while a field is missing or invalid, and if the end is not after the start. */
export function toTimeSpan(times: BookingTimes, timeZone: string): Slot | null {
  const startsAt = toStart(times, timeZone);
  const endsAt = toEnd(times, timeZone);
  return startsAt && endsAt && endsAt > startsAt ? { startsAt, endsAt } : null;
}

const toStart = ({ day, from, slot }: BookingTimes, timeZone: string) =>
  slot && isShownAs(slot.startsAt, day, from, timeZone)
    ? slot.startsAt
    : parseWallClock(day, from, timeZone);

const toEnd = ({ endDay, to, slot }: BookingTimes, timeZone: string) =>
  slot && isShownAs(slot.endsAt, endDay, to, timeZone)
    ? slot.endsAt
    : parseWallClock(endDay, to, timeZone);

const isShownAs = (at: string, day: string, time: string, timeZone: string) =>
  toLocalDate(at, timeZone) === day && toLocalTime(at, timeZone) === time;

/** What someone typed into the fields. */
export type TimeChange = Partial<Pick<BookingTimes, 'day' | 'from' | 'endDay' | 'to'>>;

/**
 * Changes the fields. A new day keeps the times of day. A new start time keeps the length, so that the end moves with it. A
 * new end time is on the day of the start or on the next one, unless the booking is longer.
 */
export function changeTimes(
  times: BookingTimes,
  change: TimeChange,
  timeZone: string,
): BookingTimes {
  const changed = { ...times, ...change };
  if (change.day !== undefined)
    return measure({ ...changed, endDay: moveEndDay(times, change.day) }, timeZone);
  if (change.from !== undefined) return moveEnd(changed, timeZone);
  const isShort = changed.endDay <= nextDay(changed.day);
  if (change.to === undefined || !isShort) return measure(changed, timeZone);
  const { day, from, to } = changed;
  return measure({ ...changed, endDay: findEndDay(day, from, to) }, timeZone);
}

const measure = (times: BookingTimes, timeZone: string): BookingTimes => {
  const span = toTimeSpan(times, timeZone);
  return span ? { ...times, minutes: countMinutesBetween(span.startsAt, span.endsAt) } : times;
};

function moveEndDay({ day, endDay }: BookingTimes, newDay: string): string {
  if (day === '' || newDay === '' || endDay === '') return newDay;
  return addDays(newDay, countDaysBetween(day, endDay));
}

const countDaysBetween = (from: string, to: string) =>
  Math.round(countMinutesBetween(`${from}T00:00:00Z`, `${to}T00:00:00Z`) / (24 * 60));

function moveEnd(times: BookingTimes, timeZone: string): BookingTimes {
  const startsAt = toStart(times, timeZone);
  if (startsAt === null || times.minutes === null) return times;
  return toBookingTimes({ startsAt, endsAt: addMinutes(startsAt, times.minutes) }, timeZone);
}

const findEndDay = (day: string, from: string, to: string) =>
  from !== '' && to !== '' && to <= from ? nextDay(day) : day;

const nextDay = (day: string) => (day === '' ? '' : addDays(day, 1));

/** What is wrong with the start, or null. */
export function findStartProblem({ day, from }: BookingTimes, timeZone: string): string | null {
  const problem = findDateProblem(day);
  if (problem !== null) return problem;
  if (!from) return 'Select a start time';
  return parseWallClock(day, from, timeZone) ? null : SKIPPED_TIME_MESSAGE;
}

/** What is wrong with the end, or null. */
export function findEndProblem(times: BookingTimes, timeZone: string): string | null {
  if (findStartProblem(times, timeZone)) return null;
  const problem = findDateProblem(times.endDay);
  if (problem !== null) return problem;
  if (toTimeSpan(times, timeZone)) return null;
  if (!times.to || !times.endDay) return 'Select an end time';
  return toEnd(times, timeZone) ? 'Select an end after the start' : SKIPPED_TIME_MESSAGE;
}

/**
 * The times of a slot on one of its days: "9:00 AM – 5:00 PM", or for a slot of several days "From 9:00 AM", "All day" or
 * "Until 5:00 PM".
 */
export function formatTimesOnDay(
  { startsAt, endsAt }: Slot,
  day: string,
  timeZone: string,
): string {
  const from = toStartOfDay(day, timeZone).getTime();
  const to = toStartOfDay(addDays(day, 1), timeZone).getTime();
  const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)];
  if (start <= from && end >= to) return 'All day';
  if (start < from) return `Until ${formatLocalTime(endsAt, timeZone)}`;
  if (end > to) return `From ${formatLocalTime(startsAt, timeZone)}`;
  return formatLocalTimeRange(startsAt, endsAt, timeZone);
}

/** Says until when a booking can be cancelled, or also rescheduled, free of charge. Until staff approve it, it always can. */
export function formatCancellationTerms(
  { status, freeCancellationUntil }: { status: BookingStatus; freeCancellationUntil: string },
  action: 'cancel' | 'change',
  timeZone: string,
  now: Date,
): string {
  const time = formatLocalDateTime(freeCancellationUntil, timeZone);
  const isFree = new Date(freeCancellationUntil) > now;
  if (status === 'PENDING')
    return isFree
      ? getMemberText(`terms.${action}.pending`, { time })
      : getMemberText(`terms.${action}.pendingOnly`);
  return isFree
    ? getMemberText(`terms.${action}.free`, { time })
    : getMemberText(`terms.${action}.late`);
}
