import { Temporal } from 'temporal-polyfill';
import type { ErrorReason } from '../../../core/error-reasons.ts';
import { findInstants } from '../../../core/time/local-time.ts';
import { createWallClockRule, normalizeRule } from '../../../core/time/recurrence.ts';
import { toZonedDateTime } from '../../../core/time/time-zone.ts';
import { DomainError } from '../../../errors.ts';

const MAX_SERIES_OCCURRENCES = 366;
/**
 * How many days, weeks, months or years of a series are searched, so that a rule without any occurrence does not block the
 * process.
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

/** The start of one occurrence of a series. */
export interface RuleOccurrence {
  localStart: Temporal.PlainDateTime;
  /**
   * Milliseconds since 1970. Of a time that clocks show twice, it is the first; null if they skip the time.
   */
  instant: number | null;
}

/**
 * Expands a recurrence rule (RFC 5545) into the starts of its occurrences. It expands in local time from `first`, in
 * milliseconds since 1970, so that nine o'clock stays nine o'clock when daylight saving changes.
 *
 * @throws VALIDATION for a rule that is invalid, has no end, no occurrence or too many
 */
export function expandSeriesRule(text: string, first: number, timeZone: string): RuleOccurrence[] {
  const start = toZonedDateTime(first, timeZone).toPlainDateTime();
  const rule = parseSeriesRule(text, timeZone);
  const localStarts = expandLocalTimes(rule, start);
  const [firstStart] = localStarts;
  if (!firstStart?.equals(start)) {
    throw invalidSeries(
      'START_NOT_IN_SERIES',
      `The rule starts on ${firstStart?.toPlainDate()}, the booking on ${start.toPlainDate()}. Both must start on the same day.`,
    );
  }
  return localStarts.map((localStart) => ({
    localStart,
    // If the first time occurs twice on its day, the caller has chosen which one.
    instant: localStart.equals(start) ? first : (findInstants(localStart, timeZone)[0] ?? null),
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
  const unsupported = findUnsupportedRulePart(rule);
  if (unsupported !== null)
    throw unreadableSeriesRule(text, `${unsupported.slice(0, 50)} is not supported`);
  if (/COUNT=/.test(rule) && /UNTIL=/.test(rule))
    throw unreadableSeriesRule(text, 'COUNT and UNTIL cannot be combined');
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
  let occurrences: { toString(): string }[];
  let count = 0;
  try {
    const maxPeriods = MAX_PERIODS[/FREQ=(\w+)/.exec(rule)?.[1] ?? ''] ?? 1;
    const limits = { maxPeriods, maxCandidates: MAX_CANDIDATES };
    occurrences = createWallClockRule(rule, start, limits).all((_, index) => {
      count = index + 1;
      return index <= MAX_SERIES_OCCURRENCES;
    });
  } catch (error) {
    const { message } = error as Error;
    if (/^Maximum/.test(message) && count > 0)
      throw invalidSeries(
        'SERIES_TOO_LONG',
        'The occurrences are too far apart. Choose a shorter interval or an earlier end.',
      );
    if (/^Maximum/.test(message))
      throw invalidSeries(
        'SERIES_EMPTY',
        'The rule has no occurrences. Check its months and days.',
      );
    throw unreadableSeriesRule(rule, message);
  }
  if (occurrences.length > MAX_SERIES_OCCURRENCES) throw tooManyOccurrences();
  if (occurrences.length === 0)
    throw invalidSeries('SERIES_EMPTY', 'The rule has no occurrences. Check UNTIL and the days.');
  return occurrences.map((at) => Temporal.PlainDateTime.from(at.toString().slice(0, 19)));
}

/** Converts UNTIL to local time: it can be in UTC, in local time or a whole day. */
const localizeUntil = (rule: string, timeZone: string) =>
  rule.replace(/UNTIL=(\d{8})(T\d{6})?(Z)?/, (_, date: string, time?: string, utc?: string) => {
    const until = Temporal.PlainDateTime.from(`${date}${time ?? 'T235959'}`);
    const local = utc
      ? until.toZonedDateTime('UTC').withTimeZone(timeZone).toPlainDateTime()
      : until;
    return `UNTIL=${local.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')}Z`;
  });

const unreadableSeriesRule = (rule: string, problem: string) =>
  invalidSeries(
    'RULE_UNREADABLE',
    `The rule "${rule.slice(0, 200)}" is invalid: ${problem}. Use a rule such as FREQ=WEEKLY;COUNT=10.`,
  );

const tooManyOccurrences = () =>
  invalidSeries(
    'SERIES_TOO_LONG',
    `A series has at most ${MAX_SERIES_OCCURRENCES} occurrences. Choose an earlier end.`,
  );

const invalidSeries = (reason: ErrorReason, message: string) =>
  new DomainError('VALIDATION', message, { reason, fields: ['rule'] });

const WEEKDAY_PATTERN = '(MO|TU|WE|TH|FR|SA|SU)';
const NUMBER_LIST_PATTERN = /^[+-]?\d{1,3}(,[+-]?\d{1,3})*$/;

/** The supported parts of a rule and their syntax. */
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

/** The largest number in a part. rrule-temporal silently ignores larger ones. */
const MAX_PART_VALUES: Record<string, number> = {
  BYDAY: 53,
  BYMONTH: 12,
  BYMONTHDAY: 31,
  BYYEARDAY: 366,
  BYWEEKNO: 53,
  BYSETPOS: 366,
};

/** Parts that RFC 5545 (3.3.10) forbids for a frequency. Expanding them would be expensive. */
const FORBIDDEN_PARTS: Record<string, RegExp> = {
  DAILY: /^(BYWEEKNO|BYYEARDAY)=|^BYDAY=.*\d/,
  WEEKLY: /^(BYWEEKNO|BYYEARDAY|BYMONTHDAY)=|^BYDAY=.*\d/,
  MONTHLY: /^(BYWEEKNO|BYYEARDAY)=/,
};

/**
 * Finds the first part that is unknown, malformed, duplicate or forbidden for the frequency; null if there is none.
 * Ignoring such a part would book the wrong days.
 */
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
  const min = name === 'BYMONTH' ? 1 : -max;
  return (value.match(/[+-]?\d+/g) ?? [])
    .map(Number)
    .every((number) => number !== 0 && number >= min && number <= max);
}
