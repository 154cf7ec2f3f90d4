import { Temporal } from 'temporal-polyfill';
import { listOccurrences, normalizeRule } from '../../core/time/recurrence.ts';
import { findRuleProblem } from '../../core/time/rule-parts.ts';
import { type CalendarDateTime, parseDateTime, type ZoneContext } from './date-time.ts';
import { EntryError } from './entry-error.ts';
import type { Property } from './property.ts';

/** Returns the starts of a rule's occurrences, as local times in the zone of its start. It yields after each part of the work. */
export type ExpandRule = (
  rule: Property,
  start: CalendarDateTime,
) => Generator<void, Temporal.PlainDateTime[]>;

export interface ImportWindow {
  from: Temporal.Instant;
  to: Temporal.Instant;
}

const MAX_OCCURRENCES_PER_RULE = 5000;
const MAX_OVERRUNS = 5;

/**
 * Creates a function that lists the occurrences of a rule within the window. It rejects rules with too many occurrences,
 * and all rules once `MAX_OVERRUNS` of them took too long.
 */
export function createRuleExpander(window: ImportWindow): ExpandRule {
  let overruns = 0;
  return function* (rule, start) {
    if (overruns >= MAX_OVERRUNS) throw createNotExpandedError(rule);
    const text = prepareRule(rule, start);
    try {
      const occurrences = yield* listOccurrences(text, start.wall, {
        ...toWallWindow(window, start),
        max: MAX_OCCURRENCES_PER_RULE,
      });
      if (occurrences.length > MAX_OCCURRENCES_PER_RULE) throw createTooManyOccurrencesError(rule);
      return occurrences;
    } catch (error) {
      if (error instanceof EntryError) throw error;
      if (!/^Maximum/.test(String((error as Error).message)))
        throw createInvalidRuleError(rule, error);
      overruns += 1;
      throw createTooLongError(rule);
    }
  };
}

const toWallWindow = ({ from, to }: ImportWindow, { zone }: CalendarDateTime) => ({
  from: zone.toWallTime(from.subtract({ hours: 24 })),
  to: zone.toWallTime(to.add({ hours: 24 })),
});

/** Returns the normalized text of a rule. @throws EntryError */
export function readRule(rule: Property): string {
  try {
    const text = normalizeRule(rule.value);
    const problem = findRuleProblem(text);
    if (problem !== null) throw new Error(problem);
    return text;
  } catch (error) {
    throw createInvalidRuleError(rule, error);
  }
}

function prepareRule(rule: Property, start: CalendarDateTime): string {
  return readRule(rule).replace(
    /UNTIL=([^;]*)/,
    (_, until: string) => `UNTIL=${toWallClockUntil(until, rule, start)}`,
  );
}

/**
 * Converts UNTIL from UTC to local time, with which the rule is expanded. A date includes its whole day. For entries of whole days, a time
 * means its day as it is written, unless it is midnight of a day in local time, as Exchange writes it.
 */
function toWallClockUntil(value: string, rule: Property, start: CalendarDateTime): string {
  const { wall, isDate, zone } = parseDateTime(
    { ...rule, name: 'until', parameters: {}, value },
    toZoneContext(start),
  );
  const local = isDate ? wall : start.zone.toWallTime(zone.toInstant(wall));
  const isLocalDay = isMidnight(local) && !isMidnight(wall);
  const last =
    isDate || start.isDate
      ? (isLocalDay ? local : wall).with({ hour: 23, minute: 59, second: 59 })
      : local;
  return `${last.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')}Z`;
}

const isMidnight = (time: Temporal.PlainDateTime): boolean =>
  time.toPlainTime().equals(new Temporal.PlainTime());

const toZoneContext = ({ zone }: CalendarDateTime): ZoneContext => ({
  floating: zone,
  zones: () => zone,
});

const createTooManyOccurrencesError = ({ line }: Property) =>
  new EntryError(
    `It repeats too often: more than ${MAX_OCCURRENCES_PER_RULE} times within two years.`,
    line,
  );

/** For rules that are given up before their occurrences within the window are known. */
const createTooLongError = ({ line }: Property) =>
  new EntryError(
    'Its occurrences take too long to find: it repeats too often, began too long ago, or repeats on days that never come.',
    line,
  );

const createNotExpandedError = ({ line }: Property) =>
  new EntryError(
    `Its recurrence was not expanded, because ${MAX_OVERRUNS} others in this file take too long.`,
    line,
  );

const createInvalidRuleError = ({ line, value }: Property, error: unknown) =>
  new EntryError(`Its recurrence rule "${value}" is invalid: ${(error as Error).message}.`, line);
