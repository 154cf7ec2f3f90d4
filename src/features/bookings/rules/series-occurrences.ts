import { Temporal } from 'temporal-polyfill';
import type { ErrorReason } from '../../../core/error-reasons.ts';
import { createWallClockRule, normalizeRule } from '../../../core/time/recurrence.ts';
import { toZonedDateTime } from '../../../core/time/time-zone.ts';
import { DomainError } from '../../../errors.ts';

const MAX_SERIES_OCCURRENCES = 366;
/**
 * How many days, weeks, months or years of a series are looked at: nobody books farther ahead, and a rule that means no
 * day at all must not keep the process from its other work.
 */
const MAX_PERIODS: Record<string, number> = {
  DAILY: 1_830,
  WEEKLY: 520,
  MONTHLY: 400,
  YEARLY: 60,
};
const MAX_CANDIDATES = 10_000;
const MAX_RULE_LENGTH = 500;
const SUB_DAILY_FREQUENCIES = ['HOURLY', 'MINUTELY', 'SECONDLY'];

/** One start of a series; null where the clocks skip that time on that day. */
export interface RuleOccurrence {
  wall: Temporal.PlainDateTime;
  instant: number | null;
}

/**
 * The starts that a rule means, from the wall-clock time of the first on, so that nine o'clock stays nine o'clock.
 * Throws VALIDATION for a rule that cannot be read, has no end or more occurrences than a series may have.
 */
export function expandSeriesRule(text: string, first: number, timeZone: string): RuleOccurrence[] {
  const start = toZonedDateTime(first, timeZone).toPlainDateTime();
  const rule = parseSeriesRule(text, timeZone);
  const walls = expandLocalTimes(rule, start);
  if (!walls[0]?.equals(start)) {
    throw invalidSeries(
      'START_NOT_IN_SERIES',
      `The rule begins on ${walls[0]?.toPlainDate()}, the booking on ${start.toPlainDate()}. Let them begin on the same day.`,
    );
  }
  return walls.map((wall) => ({
    wall,
    // Where the clocks show the first one twice, the one that was asked for.
    instant: wall.equals(start) ? first : findInstant(wall, timeZone),
  }));
}

function parseSeriesRule(text: string, timeZone: string): string {
  if (text.length > MAX_RULE_LENGTH)
    throw unreadableSeriesRule(text, `it is longer than ${MAX_RULE_LENGTH} characters`);
  let rule: string;
  try {
    rule = localizeUntil(normalizeRule(text), timeZone);
  } catch (error) {
    throw unreadableSeriesRule(text, (error as Error).message);
  }
  if (
    SUB_DAILY_FREQUENCIES.some((freq) => rule.includes(`FREQ=${freq}`)) ||
    /BY(HOUR|MINUTE|SECOND)=/.test(rule)
  ) {
    throw invalidSeries(
      'RULE_TOO_OFTEN',
      'A series repeats at most once a day. Use DAILY, WEEKLY, MONTHLY or YEARLY.',
    );
  }
  const strange = findUnsupportedRulePart(rule);
  if (strange !== null)
    throw unreadableSeriesRule(text, `${strange.slice(0, 50)} is not understood`);
  if (/COUNT=/.test(rule) && /UNTIL=/.test(rule))
    throw unreadableSeriesRule(text, 'COUNT and UNTIL do not go together');
  if (!/(COUNT|UNTIL)=/.test(rule))
    throw invalidSeries(
      'SERIES_ENDLESS',
      'The series never ends. Add COUNT, or UNTIL with the last day.',
    );
  const count = /COUNT=(\d+)/.exec(rule)?.[1];
  if (count !== undefined && Number(count) > MAX_SERIES_OCCURRENCES) throw tooManyOccurrences();
  return rule;
}

function expandLocalTimes(rule: string, start: Temporal.PlainDateTime): Temporal.PlainDateTime[] {
  let found: { toString(): string }[];
  let days = 0;
  try {
    const maxPeriods = MAX_PERIODS[/FREQ=(\w+)/.exec(rule)?.[1] ?? ''] ?? 1;
    const limits = { maxPeriods, maxCandidates: MAX_CANDIDATES };
    found = createWallClockRule(rule, start, limits).all((_, index) => {
      days = index + 1;
      return index <= MAX_SERIES_OCCURRENCES;
    });
  } catch (error) {
    const { message } = error as Error;
    if (/^Maximum/.test(message) && days > 0)
      throw invalidSeries(
        'SERIES_TOO_LONG',
        'The days of this series are too many years apart. Choose a shorter interval or a nearer end.',
      );
    if (/^Maximum/.test(message))
      throw invalidSeries(
        'SERIES_EMPTY',
        'The rule means no day at all. Check its months and days.',
      );
    throw unreadableSeriesRule(rule, message);
  }
  if (found.length > MAX_SERIES_OCCURRENCES) throw tooManyOccurrences();
  if (found.length === 0)
    throw invalidSeries('SERIES_EMPTY', 'The rule means no day at all. Check UNTIL and the days.');
  return found.map((at) => Temporal.PlainDateTime.from(at.toString().slice(0, 19)));
}

/** UNTIL stands in UTC, or by the wall clock, or is a whole day; here all is wall clock. */
const localizeUntil = (rule: string, timeZone: string) =>
  rule.replace(/UNTIL=(\d{8})(T\d{6})?(Z)?/, (_, date: string, time?: string, utc?: string) => {
    const wall = Temporal.PlainDateTime.from(`${date}${time ?? 'T235959'}`);
    const here = utc ? wall.toZonedDateTime('UTC').withTimeZone(timeZone).toPlainDateTime() : wall;
    return `UNTIL=${here.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')}Z`;
  });

/** Of a time that the clocks show twice, the first. */
export function findInstant(wall: Temporal.PlainDateTime, timeZone: string): number | null {
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return zoned.toPlainDateTime().equals(wall) ? zoned.epochMilliseconds : null;
}

const unreadableSeriesRule = (rule: string, why: string) =>
  invalidSeries(
    'RULE_UNREADABLE',
    `The repetition "${rule.slice(0, 200)}" cannot be read: ${why}. It looks like FREQ=WEEKLY;COUNT=10.`,
  );

const tooManyOccurrences = () =>
  invalidSeries(
    'SERIES_TOO_LONG',
    `A series has at most ${MAX_SERIES_OCCURRENCES} occurrences. Choose a nearer end.`,
  );

const invalidSeries = (reason: ErrorReason, message: string) =>
  new DomainError('VALIDATION', message, { reason });

const WEEKDAY_PATTERN = '(MO|TU|WE|TH|FR|SA|SU)';
const NUMBER_LIST_PATTERN = /^[+-]?\d{1,3}(,[+-]?\d{1,3})*$/;

/** The parts of a rule that a series may have, and how they look. */
const PART_PATTERNS: Record<string, RegExp> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,3}$/,
  COUNT: /^[1-9]\d{0,8}$/,
  UNTIL: /^\d{8}(T\d{6}Z?)?$/,
  BYDAY: new RegExp(`^([+-]?\\d{1,2})?${WEEKDAY_PATTERN}(,([+-]?\\d{1,2})?${WEEKDAY_PATTERN})*$`),
  BYMONTH: NUMBER_LIST_PATTERN,
  BYMONTHDAY: NUMBER_LIST_PATTERN,
  BYYEARDAY: NUMBER_LIST_PATTERN,
  BYWEEKNO: NUMBER_LIST_PATTERN,
  BYSETPOS: NUMBER_LIST_PATTERN,
  WKST: new RegExp(`^${WEEKDAY_PATTERN}$`),
};

/** The largest number that a part can have; rrule-temporal leaves greater ones out silently. */
const MAX_PART_VALUES: Record<string, number> = {
  BYDAY: 53,
  BYMONTH: 12,
  BYMONTHDAY: 31,
  BYYEARDAY: 366,
  BYWEEKNO: 53,
  BYSETPOS: 366,
};

/** Parts that RFC 5545 (3.3.10) forbids for a frequency. Expanding them all the same costs a lot. */
const FORBIDDEN_PARTS: Record<string, RegExp> = {
  DAILY: /^(BYWEEKNO|BYYEARDAY)=|^BYDAY=.*\d/,
  WEEKLY: /^(BYWEEKNO|BYYEARDAY|BYMONTHDAY)=|^BYDAY=.*\d/,
  MONTHLY: /^(BYWEEKNO|BYYEARDAY)=/,
};

/** What a part must not be left out silently for: the first that is unknown, malformed, given twice or not for
 * this frequency, or null. */
function findUnsupportedRulePart(rule: string): string | null {
  const seen = new Set<string>();
  const forbidden = FORBIDDEN_PARTS[/FREQ=(\w+)/.exec(rule)?.[1] ?? ''];
  for (const part of rule.split(';')) {
    const [name = '', value = ''] = part.split('=', 2);
    if (
      seen.has(name) ||
      !PART_PATTERNS[name]?.test(value) ||
      !isInRange(name, value) ||
      forbidden?.test(part)
    )
      return part;
    seen.add(name);
  }
  return null;
}

function isInRange(name: string, value: string): boolean {
  const max = MAX_PART_VALUES[name];
  if (max === undefined) return true;
  const least = name === 'BYMONTH' ? 1 : -max;
  return (value.match(/[+-]?\d+/g) ?? [])
    .map(Number)
    .every((number) => number !== 0 && number >= least && number <= max);
}
