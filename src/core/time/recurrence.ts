import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';

/** Checking so many periods or candidates takes less than a tenth of a second. */
const MAX_STEPS = 10_000;

/** Normalizes an RFC 5545 recurrence rule: upper case, no spaces. @throws Error that says what is invalid. */
export function normalizeRule(text: string): string {
  const rule = text
    .replace(/^\s*RRULE:/i, '')
    .replace(/\s/g, '')
    .replace(/(?<!;);+$/, '')
    .toUpperCase();
  // rrule-temporal ignores invalid parts silently; ical.js reports them.
  if (!ICAL.Recur.fromString(rule).freq) throw new Error('FREQ is missing');
  return rule;
}

/** A rule that expands in local time. Nine o'clock stays nine o'clock, and the caller moves occurrences that fall into a skipped hour. */
interface WallClockRule {
  /** Lists the occurrences as long as there are more and `accepts` returns true, which gets each and its index. */
  all(accepts?: (at: Temporal.PlainDateTime, index: number) => boolean): Temporal.PlainDateTime[];
  /** Lists the occurrences from one time to another, including both. */
  between(from: Temporal.PlainDateTime, to: Temporal.PlainDateTime): Temporal.PlainDateTime[];
}

/**
 * Creates a rule that expands in local time, represented as UTC, which skips no hour.
 * @throws Error that begins with "Maximum" after `maxPeriods` periods of the rule's frequency or `maxCandidates` candidate
 * days: a rule such as DAILY on 30 February would never end.
 */
export function createWallClockRule(
  rule: string,
  start: Temporal.PlainDateTime,
  { maxPeriods = MAX_STEPS, maxCandidates = MAX_STEPS } = {},
): WallClockRule {
  // rrule-temporal begins with the year of the start, whose first days can lie in a week of the year before.
  const isMoved = isInWeekOfYearBefore(rule, start);
  const count = isMoved ? parseCount(rule) : Number.POSITIVE_INFINITY;
  const expanded = new RRuleTemporal({
    rruleString: addWeekday(isMoved ? removeCount(rule) : rule, start),
    dtstart: (isMoved ? start.subtract({ days: 7 }) : start).toZonedDateTime('UTC'),
    maxIterations: maxPeriods,
    maxCandidateEvaluations: maxCandidates,
    cache: false,
  });
  const isBeforeStart = (at: Temporal.PlainDateTime) =>
    Temporal.PlainDateTime.compare(at, start) < 0;

  const all: WallClockRule['all'] = (accepts = () => true) => {
    const found: Temporal.PlainDateTime[] = [];
    expanded.all((occurrence) => {
      const at = toWallTime(occurrence);
      if (isBeforeStart(at)) return true;
      if (!accepts(at, found.length)) return false;
      found.push(at);
      return found.length < count;
    });
    return found;
  };
  const between: WallClockRule['between'] = (from, to) => {
    if (Number.isFinite(count))
      return all((at) => Temporal.PlainDateTime.compare(at, to) <= 0).filter((at) =>
        isWithin(at, from, to),
      );
    return expanded
      .between(toDate(from), toDate(to), true)
      .map(toWallTime)
      .filter((at) => !isBeforeStart(at));
  };
  return { all, between };
}

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Whether a rule of weeks starts before the first week of its year, which has at least four days in the year (RFC 5545, 3.3.10). */
function isInWeekOfYearBefore(rule: string, start: Temporal.PlainDateTime): boolean {
  if (!rule.includes('BYWEEKNO=')) return false;
  const firstDay = WEEKDAYS.indexOf(/WKST=(\w\w)/.exec(rule)?.[1] ?? 'MO') + 1;
  const day = start.toPlainDate();
  const inFirstWeek = day.with({ month: 1, day: 4 });
  const firstWeek = inFirstWeek.subtract({ days: (inFirstWeek.dayOfWeek - firstDay + 7) % 7 });
  return Temporal.PlainDate.compare(day, firstWeek) < 0;
}

/**
 * Adds the weekday of the start to a rule of weeks that names no days, as RFC 5545 (3.3.10) says. rrule-temporal would take another one
 * if it searches from a later year: that of the same date in that year.
 */
export const addWeekday = (rule: string, start: Temporal.PlainDateTime): string =>
  /FREQ=YEARLY/.test(rule) && /BYWEEKNO=/.test(rule) && !/BY(DAY|MONTHDAY|YEARDAY)=/.test(rule)
    ? `${rule};BYDAY=${WEEKDAYS[start.dayOfWeek - 1]}`
    : rule;

const parseCount = (rule: string) =>
  Number(/COUNT=(\d+)/.exec(rule)?.[1] ?? Number.POSITIVE_INFINITY);

const removeCount = (rule: string) => rule.replace(/;COUNT=\d+|COUNT=\d+;/, '');

/** How many occurrences of a rule with COUNT are counted: every day of more than thirty years. */
const MAX_COUNTED = 12_000;
/** A rule with COUNT is followed for two hundred years. */
const MAX_MONTHS = 2_400;

/** So many occurrences of a rule of seconds or minutes are found at once. */
const MAX_COUNTED_AT_ONCE = 500;
const SUB_HOURLY = /FREQ=(SECONDLY|MINUTELY)/;

/**
 * Lists the occurrences of a rule from `from` to `to`, as local times, and yields after each month. It stops after more than `max`.
 *
 * @throws as `createWallClockRule`; also if a rule with COUNT has too many occurrences, or began too long ago
 */
export function* listOccurrences(
  rule: string,
  start: Temporal.PlainDateTime,
  { from, to, max }: { from: Temporal.PlainDateTime; to: Temporal.PlainDateTime; max: number },
): Generator<void, Temporal.PlainDateTime[]> {
  const count = parseCount(rule);
  const isCounted = Number.isFinite(count);
  // A month of a rule of seconds or minutes is too much to search, also if COUNT ends it after a few.
  if (count <= MAX_COUNTED_AT_ONCE && SUB_HOURLY.test(rule)) {
    const all = createWallClockRule(rule, start).between(start, to);
    return all.filter((at) => isWithin(at, from, to));
  }
  // Without COUNT, the occurrences of a month are found from its beginning. With it, all since the start would be found again.
  const wallClockRule = createWallClockRule(removeCount(rule), start);
  const found: Temporal.PlainDateTime[] = [];
  let counted = 0;
  // The last week of a year can end in the next one, where rrule-temporal finds it only if it searches from the year before.
  const days = rule.includes('BYWEEKNO') ? 7 : 0;
  let month = isCounted ? start : from;
  for (let months = 0; Temporal.PlainDateTime.compare(month, to) <= 0; months += 1) {
    if (isCounted && (months > MAX_MONTHS || counted > MAX_COUNTED))
      throw new Error('Maximum number of counted occurrences exceeded');
    const next = month.add({ months: 1 });
    const occurrences = wallClockRule
      .between(month.subtract({ days }), next.subtract({ seconds: 1 }))
      .filter((at) => Temporal.PlainDateTime.compare(month, at) <= 0)
      .slice(0, count - counted);
    counted += occurrences.length;
    for (const at of occurrences) if (isWithin(at, from, to)) found.push(at);
    if (found.length > max || counted === count) break;
    month = next;
    yield;
  }
  return found;
}

const isWithin = (
  at: Temporal.PlainDateTime,
  from: Temporal.PlainDateTime,
  to: Temporal.PlainDateTime,
) => Temporal.PlainDateTime.compare(from, at) <= 0 && Temporal.PlainDateTime.compare(at, to) <= 0;

const toDate = (wall: Temporal.PlainDateTime) =>
  new Date(wall.toZonedDateTime('UTC').epochMilliseconds);

const toWallTime = (occurrence: { toString(): string }) =>
  Temporal.PlainDateTime.from(occurrence.toString().slice(0, 19));
