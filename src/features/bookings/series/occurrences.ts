import { Temporal } from 'temporal-polyfill';
import type { ErrorReason } from '../../../error-reasons.ts';
import { DomainError } from '../../../errors.ts';
import { readableRule, wallClockRule } from '../../../recurrence.ts';
import { zonedAt } from '../../../time.ts';
import { strangePart } from './rule-parts.ts';

const MOST_OCCURRENCES = 366;
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
const OFTEN = ['HOURLY', 'MINUTELY', 'SECONDLY'];

/** One start of a series; null where the clocks skip that time on that day. */
export interface Occurrence {
  wall: Temporal.PlainDateTime;
  instant: number | null;
}

/**
 * The starts that a rule means, from the wall-clock time of the first on, so that nine o'clock stays nine o'clock.
 * Throws VALIDATION for a rule that cannot be read, has no end or more occurrences than a series may have.
 */
export function occurrencesOf(text: string, first: number, timeZone: string): Occurrence[] {
  const start = zonedAt(first, timeZone).toPlainDateTime();
  const rule = checked(text, timeZone);
  const walls = expanded(rule, start);
  if (!walls[0]?.equals(start)) {
    throw bad(
      'START_NOT_IN_SERIES',
      `The rule begins on ${walls[0]?.toPlainDate()}, the booking on ${start.toPlainDate()}. Let them begin on the same day.`,
    );
  }
  return walls.map((wall) => ({
    wall,
    // Where the clocks show the first one twice, the one that was asked for.
    instant: wall.equals(start) ? first : instantAt(wall, timeZone),
  }));
}

function checked(text: string, timeZone: string): string {
  if (text.length > MAX_RULE_LENGTH)
    throw unreadable(text, `it is longer than ${MAX_RULE_LENGTH} characters`);
  let rule: string;
  try {
    rule = withWallClockUntil(readableRule(text), timeZone);
  } catch (error) {
    throw unreadable(text, (error as Error).message);
  }
  if (OFTEN.some((freq) => rule.includes(`FREQ=${freq}`)) || /BY(HOUR|MINUTE|SECOND)=/.test(rule)) {
    throw bad(
      'RULE_TOO_OFTEN',
      'A series repeats at most once a day. Use DAILY, WEEKLY, MONTHLY or YEARLY.',
    );
  }
  const strange = strangePart(rule);
  if (strange !== null) throw unreadable(text, `${strange.slice(0, 50)} is not understood`);
  if (/COUNT=/.test(rule) && /UNTIL=/.test(rule))
    throw unreadable(text, 'COUNT and UNTIL do not go together');
  if (!/(COUNT|UNTIL)=/.test(rule))
    throw bad('SERIES_ENDLESS', 'The series never ends. Add COUNT, or UNTIL with the last day.');
  const count = /COUNT=(\d+)/.exec(rule)?.[1];
  if (count !== undefined && Number(count) > MOST_OCCURRENCES) throw tooLong();
  return rule;
}

function expanded(rule: string, start: Temporal.PlainDateTime): Temporal.PlainDateTime[] {
  let found: { toString(): string }[];
  let days = 0;
  try {
    const maxPeriods = MAX_PERIODS[/FREQ=(\w+)/.exec(rule)?.[1] ?? ''] ?? 1;
    const limits = { maxPeriods, maxCandidates: MAX_CANDIDATES };
    found = wallClockRule(rule, start, limits).all((_, index) => {
      days = index + 1;
      return index <= MOST_OCCURRENCES;
    });
  } catch (error) {
    const { message } = error as Error;
    if (/^Maximum/.test(message) && days > 0)
      throw bad(
        'SERIES_TOO_LONG',
        'The days of this series are too many years apart. Choose a shorter interval or a nearer end.',
      );
    if (/^Maximum/.test(message))
      throw bad('SERIES_EMPTY', 'The rule means no day at all. Check its months and days.');
    throw unreadable(rule, message);
  }
  if (found.length > MOST_OCCURRENCES) throw tooLong();
  if (found.length === 0)
    throw bad('SERIES_EMPTY', 'The rule means no day at all. Check UNTIL and the days.');
  return found.map((at) => Temporal.PlainDateTime.from(at.toString().slice(0, 19)));
}

/** UNTIL stands in UTC, or by the wall clock, or is a whole day; here all is wall clock. */
const withWallClockUntil = (rule: string, timeZone: string) =>
  rule.replace(/UNTIL=(\d{8})(T\d{6})?(Z)?/, (_, date: string, time?: string, utc?: string) => {
    const wall = Temporal.PlainDateTime.from(`${date}${time ?? 'T235959'}`);
    const here = utc ? wall.toZonedDateTime('UTC').withTimeZone(timeZone).toPlainDateTime() : wall;
    return `UNTIL=${here.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')}Z`;
  });

/** Of a time that the clocks show twice, the first. */
export function instantAt(wall: Temporal.PlainDateTime, timeZone: string): number | null {
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return zoned.toPlainDateTime().equals(wall) ? zoned.epochMilliseconds : null;
}

const unreadable = (rule: string, why: string) =>
  bad(
    'RULE_UNREADABLE',
    `The repetition "${rule.slice(0, 200)}" cannot be read: ${why}. It looks like FREQ=WEEKLY;COUNT=10.`,
  );

const tooLong = () =>
  bad(
    'SERIES_TOO_LONG',
    `A series has at most ${MOST_OCCURRENCES} occurrences. Choose a nearer end.`,
  );

const bad = (reason: ErrorReason, message: string) =>
  new DomainError('VALIDATION', message, { reason });
