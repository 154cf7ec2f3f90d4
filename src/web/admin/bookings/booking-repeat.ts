import { WEEKDAYS } from '../../components/opening-hours.ts';
import { addDays, getWeekday, isCalendarDate } from '../../components/wall-clock.ts';
import type { Weekday } from '../../gql/graphql.ts';

export type RepeatKind =
  | 'NONE'
  | 'DAILY'
  | 'WEEKLY'
  | 'MONTHLY'
  | 'MONTHLY_WEEKDAY'
  | 'MONTHLY_LAST';

/** How a booking repeats, as a form shows it. */
export interface Repeat {
  repeat: RepeatKind;
  /** Weekdays on which it repeats weekly, besides that of the first booking. */
  weekdays: Weekday[];
  count: number | string;
}

export const DEFAULT_REPEAT: Repeat = { repeat: 'NONE', weekdays: [], count: 4 };

const POSITIONS = ['first', 'second', 'third', 'fourth'];

const findWeekday = (day: string) => WEEKDAYS[getWeekday(day) - 1] as (typeof WEEKDAYS)[number];
const toDayOfMonth = (day: string) => Number(day.slice(8));
const isInLastWeek = (day: string) => addDays(day, 7).slice(0, 7) !== day.slice(0, 7);

/** The ways to repeat a booking that starts on a day, in plain words. */
export function listRepeatOptions(day: string): { value: RepeatKind; label: string }[] {
  const simple: { value: RepeatKind; label: string }[] = [
    { value: 'NONE', label: 'Does not repeat' },
    { value: 'DAILY', label: 'Every day' },
    { value: 'WEEKLY', label: 'Every week' },
  ];
  if (!isCalendarDate(day)) return [...simple, { value: 'MONTHLY', label: 'Every month' }];
  const { label: weekday } = findWeekday(day);
  const position = POSITIONS[Math.ceil(toDayOfMonth(day) / 7) - 1];
  return [
    ...simple,
    { value: 'MONTHLY', label: `Every month on day ${toDayOfMonth(day)}` },
    ...(position
      ? [{ value: 'MONTHLY_WEEKDAY' as const, label: `Every month on the ${position} ${weekday}` }]
      : []),
    ...(isInLastWeek(day)
      ? [{ value: 'MONTHLY_LAST' as const, label: `Every month on the last ${weekday}` }]
      : []),
  ];
}

/** The choice that applies on a day: not every day is, for example, the last Friday of its month. */
export function findRepeatKind({ repeat }: Repeat, day: string): RepeatKind {
  if (listRepeatOptions(day).some(({ value }) => value === repeat)) return repeat;
  return repeat === 'MONTHLY_WEEKDAY' && isInLastWeek(day) ? 'MONTHLY_LAST' : 'MONTHLY';
}

/** The weekdays on which it repeats weekly, from Monday on. That of the first booking is one of them. */
export const listRepeatWeekdays = ({ weekdays }: Repeat, day: string): Weekday[] =>
  WEEKDAYS.map(({ value }) => value).filter(
    (weekday) =>
      weekdays.includes(weekday) || (isCalendarDate(day) && weekday === findWeekday(day).value),
  );

/** Returns the recurrence rule (RFC 5545) of a booking that starts on a day, or null if it does not repeat. */
export function toRepeatRule(repeat: Repeat, day: string): string | null {
  const kind = findRepeatKind(repeat, day);
  if (kind === 'NONE') return null;
  const count = `COUNT=${Number(repeat.count) || 2}`;
  const toCode = (weekday: Weekday) => weekday.slice(0, 2);
  if (kind === 'WEEKLY') {
    const days = listRepeatWeekdays(repeat, day).map(toCode);
    return `FREQ=WEEKLY;BYDAY=${days.join()};${count}`;
  }
  if (kind === 'MONTHLY_WEEKDAY' || kind === 'MONTHLY_LAST') {
    const position = kind === 'MONTHLY_LAST' ? -1 : Math.ceil(toDayOfMonth(day) / 7);
    return `FREQ=MONTHLY;BYDAY=${position}${toCode(findWeekday(day).value)};${count}`;
  }
  return `FREQ=${kind};${count}`;
}

/** Says in plain words how a booking repeats, such as "Every week on Monday and Thursday". */
export function describeRepeat(repeat: Repeat, day: string): string {
  const kind = findRepeatKind(repeat, day);
  const label = listRepeatOptions(day).find(({ value }) => value === kind)?.label ?? '';
  if (kind === 'MONTHLY' && toDayOfMonth(day) > 28)
    return `${label}. Months without this day are skipped.`;
  if (kind !== 'WEEKLY') return label;
  const names = listRepeatWeekdays(repeat, day).map(
    (weekday) => WEEKDAYS.find(({ value }) => value === weekday)?.label ?? '',
  );
  return `${label} on ${new Intl.ListFormat('en').format(names)}`;
}

/** What is wrong with the number of bookings, or null. */
export const findCountProblem = ({ repeat, count }: Repeat): string | null =>
  repeat === 'NONE' || (Number(count) >= 2 && Number(count) <= 366)
    ? null
    : 'Enter a number from 2 to 366';
