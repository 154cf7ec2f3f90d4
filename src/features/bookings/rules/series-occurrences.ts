import { Temporal } from 'temporal-polyfill';
import type { ErrorReason } from '../../../core/error-reasons.ts';
import { findInstants } from '../../../core/time/local-time.ts';
import { createWallClockRule, normalizeRule } from '../../../core/time/recurrence.ts';
import { findRuleProblem } from '../../../core/time/rule-parts.ts';
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
  const problem = findRuleProblem(rule);
  if (problem !== null) throw unreadableSeriesRule(text, problem);
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
  let occurrences: Temporal.PlainDateTime[];
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
  return occurrences;
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
