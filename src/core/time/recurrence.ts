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

/**
 * Creates a rule that expands in local time, represented as UTC. UTC skips no hour, so nine o'clock stays nine o'clock, and
 * the caller moves occurrences that fall into a skipped hour.
 * @throws Error that begins with "Maximum" after `maxPeriods` periods of the rule's frequency or `maxCandidates` candidate
 * days: a rule such as DAILY on 30 February would never end.
 */
export const createWallClockRule = (
  rule: string,
  start: Temporal.PlainDateTime,
  { maxPeriods = MAX_STEPS, maxCandidates = MAX_STEPS } = {},
) =>
  new RRuleTemporal({
    rruleString: addWeekday(rule, start),
    dtstart: start.toZonedDateTime('UTC'),
    maxIterations: maxPeriods,
    maxCandidateEvaluations: maxCandidates,
    cache: false,
  });

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * Adds the weekday of the start to a rule of weeks that names no days, as RFC 5545 (3.3.10) says. rrule-temporal would take another one
 * if it searches from a later year: that of the same date in that year.
 */
const addWeekday = (rule: string, start: Temporal.PlainDateTime): string =>
  /FREQ=YEARLY/.test(rule) && /BYWEEKNO=/.test(rule) && !/BY(DAY|MONTHDAY|YEARDAY)=/.test(rule)
    ? `${rule};BYDAY=${WEEKDAYS[start.dayOfWeek - 1]}`
    : rule;

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
  const count = Number(/COUNT=(\d+)/.exec(rule)?.[1] ?? Number.POSITIVE_INFINITY);
  const isCounted = Number.isFinite(count);
  // A month of a rule of seconds or minutes is too much to search, also if COUNT ends it after a few.
  if (count <= MAX_COUNTED_AT_ONCE && SUB_HOURLY.test(rule)) {
    const wallClockRule = createWallClockRule(rule, start);
    const all = wallClockRule.between(toDate(start), toDate(to), true).map(toWallTime);
    return all.filter((at) => isWithin(at, from, to));
  }
  // Without COUNT, the occurrences of a month are found from its beginning. With it, all since the start would be found again.
  const wallClockRule = createWallClockRule(rule.replace(/;COUNT=\d+|COUNT=\d+;/, ''), start);
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
      .between(toDate(month.subtract({ days })), toDate(next.subtract({ seconds: 1 })), true)
      .map(toWallTime)
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
