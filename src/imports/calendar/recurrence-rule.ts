import { Temporal } from 'temporal-polyfill';
import { createWallClockRule, normalizeRule } from '../../core/time/recurrence.ts';
import { type CalendarDateTime, parseDateTime, type ZoneContext } from './date-time.ts';
import { EntryError } from './entry-error.ts';
import type { Property } from './property.ts';

/** Starts of the occurrences of a rule, as wall-clock times in the zone of its start. */
export type ExpandRule = (rule: Property, start: CalendarDateTime) => Temporal.PlainDateTime[];

export interface ImportWindow {
  from: Temporal.Instant;
  to: Temporal.Instant;
}

const MAX_OCCURRENCES_PER_RULE = 5000;
const MAX_OVERRUNS = 5;

/** Lists what a rule means within the window, as long as that has a measure. */
export function createRuleExpander(window: ImportWindow): ExpandRule {
  let overruns = 0;
  return (rule, start) => {
    if (overruns >= MAX_OVERRUNS) throw createNotExpandedError(rule);
    const text = prepareRule(rule, start);
    try {
      const found = createWallClockRule(text, start.wall).between(
        ...toWallWindow(window, start),
        true,
      );
      if (found.length > MAX_OCCURRENCES_PER_RULE) throw createTooManyOccurrencesError(rule);
      return found.map((occurrence) =>
        Temporal.PlainDateTime.from(occurrence.toString().slice(0, 19)),
      );
    } catch (error) {
      if (error instanceof EntryError) throw error;
      if (!/^Maximum/.test(String((error as Error).message)))
        throw createInvalidRuleError(rule, error);
      overruns += 1;
      throw createTooManyOccurrencesError(rule);
    }
  };
}

function toWallWindow({ from, to }: ImportWindow, { zone }: CalendarDateTime): [Date, Date] {
  const asDate = (instant: Temporal.Instant) =>
    new Date(zone.toWallTime(instant).toZonedDateTime('UTC').epochMilliseconds);
  return [asDate(from.subtract({ hours: 24 })), asDate(to.add({ hours: 24 }))];
}

function prepareRule(rule: Property, start: CalendarDateTime): string {
  let text: string;
  try {
    text = normalizeRule(rule.value);
  } catch (error) {
    throw createInvalidRuleError(rule, error);
  }
  return text.replace(
    /UNTIL=([^;]*)/,
    (_, until: string) => `UNTIL=${toWallClockUntil(until, rule, start)}`,
  );
}

/** UNTIL stands in UTC and is compared here with wall-clock times; a date includes its whole day. */
function toWallClockUntil(value: string, rule: Property, start: CalendarDateTime): string {
  const { wall, isDate, zone } = parseDateTime(
    { ...rule, name: 'until', parameters: {}, value },
    toZoneContext(start),
  );
  const meansDay = isDate || (start.isDate && wall.toPlainTime().equals(MIDNIGHT));
  const last = meansDay
    ? wall.with({ hour: 23, minute: 59, second: 59 })
    : start.zone.toWallTime(zone.toInstant(wall));
  return `${last.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')}Z`;
}

const MIDNIGHT = new Temporal.PlainTime();

const toZoneContext = ({ zone }: CalendarDateTime): ZoneContext => ({
  floating: zone,
  zones: () => zone,
});

const createTooManyOccurrencesError = ({ line }: Property) =>
  new EntryError(
    `It repeats too often: more than ${MAX_OCCURRENCES_PER_RULE} times within the two years that are read.`,
    line,
  );

const createNotExpandedError = ({ line }: Property) =>
  new EntryError(
    `Its repetition is not tried, since ${MAX_OVERRUNS} in this file already had no measure.`,
    line,
  );

const createInvalidRuleError = ({ line, value }: Property, error: unknown) =>
  new EntryError(`Its repetition "${value}" cannot be read: ${(error as Error).message}.`, line);
