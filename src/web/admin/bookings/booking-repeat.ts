import { WEEKDAYS } from '../../components/opening-hours.ts';
import { addDays, getWeekday, isCalendarDate } from '../../components/wall-clock.ts';
import type { Weekday } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { formatWeekday } from '../../language/page-dates.ts';
import { getPageLanguage } from '../../language/page-texts.ts';

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

const POSITION_KEYS = ['repeat.first', 'repeat.second', 'repeat.third', 'repeat.fourth'] as const;

const findWeekday = (day: string) => WEEKDAYS[getWeekday(day) - 1] as (typeof WEEKDAYS)[number];
const toDayOfMonth = (day: string) => Number(day.slice(8));
const isInLastWeek = (day: string) => addDays(day, 7).slice(0, 7) !== day.slice(0, 7);

/** The ways to repeat a booking that starts on a day, in plain words. */
export function listRepeatOptions(day: string): { value: RepeatKind; label: string }[] {
  const simple: { value: RepeatKind; label: string }[] = [
    { value: 'NONE', label: getMemberText('repeat.never') },
    { value: 'DAILY', label: getMemberText('repeat.daily') },
    { value: 'WEEKLY', label: getMemberText('repeat.weekly') },
  ];
  if (!isCalendarDate(day))
    return [...simple, { value: 'MONTHLY', label: getMemberText('repeat.monthly') }];
  const weekday = formatWeekday(getWeekday(day));
  const position = POSITION_KEYS[Math.ceil(toDayOfMonth(day) / 7) - 1];
  return [
    ...simple,
    { value: 'MONTHLY', label: getMemberText('repeat.monthlyOn', { day: toDayOfMonth(day) }) },
    ...(position
      ? [{ value: 'MONTHLY_WEEKDAY' as const, label: getMemberText(position, { weekday }) }]
      : []),
    ...(isInLastWeek(day)
      ? [{ value: 'MONTHLY_LAST' as const, label: getMemberText('repeat.last', { weekday }) }]
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
    return getMemberText('repeat.monthlySkips', { day: toDayOfMonth(day) });
  if (kind !== 'WEEKLY') return label;
  const names = listRepeatWeekdays(repeat, day).map((weekday) =>
    formatWeekday(WEEKDAYS.findIndex(({ value }) => value === weekday) + 1),
  );
  const weekdays = new Intl.ListFormat(getPageLanguage()).format(names);
  return getMemberText('repeat.weeklyOn', { weekdays });
}

/** What is wrong with the number of bookings, or null. */
export const findCountProblem = ({ repeat, count }: Repeat): string | null =>
  repeat === 'NONE' || (Number(count) >= 2 && Number(count) <= 366)
    ? null
    : getMemberText('repeat.countProblem');
