import { Temporal } from 'temporal-polyfill';
import { readableRule, wallClockRule } from '../../recurrence.ts';
import { type Clocks, type Moment, onlyMoment } from './moment.ts';
import { EntryProblem } from './problem.ts';
import type { Property } from './property.ts';

/** Starts of the occurrences of a rule, as wall-clock times in the zone of its start. */
export type Expand = (rule: Property, start: Moment) => Temporal.PlainDateTime[];

export interface Window {
  from: Temporal.Instant;
  to: Temporal.Instant;
}

const MAX_OCCURRENCES = 5000;
const MAX_OVERRUNS = 5;

/** Lists what a rule means within the window, as long as that has a measure. */
export function expander(window: Window): Expand {
  let overruns = 0;
  return (rule, start) => {
    if (overruns >= MAX_OVERRUNS) throw notTried(rule);
    const text = normalized(rule, start);
    try {
      const found = wallClockRule(text, start.wall).between(...wallWindow(window, start), true);
      if (found.length > MAX_OCCURRENCES) throw tooOften(rule);
      return found.map((occurrence) =>
        Temporal.PlainDateTime.from(occurrence.toString().slice(0, 19)),
      );
    } catch (error) {
      if (error instanceof EntryProblem) throw error;
      if (!/^Maximum/.test(String((error as Error).message))) throw unreadableRule(rule, error);
      overruns += 1;
      throw tooOften(rule);
    }
  };
}

function wallWindow({ from, to }: Window, { zone }: Moment): [Date, Date] {
  const asDate = (instant: Temporal.Instant) =>
    new Date(zone.wallAt(instant).toZonedDateTime('UTC').epochMilliseconds);
  return [asDate(from.subtract({ hours: 24 })), asDate(to.add({ hours: 24 }))];
}

function normalized(rule: Property, start: Moment): string {
  let text: string;
  try {
    text = readableRule(rule.value);
  } catch (error) {
    throw unreadableRule(rule, error);
  }
  return text.replace(
    /UNTIL=([^;]*)/,
    (_, until: string) => `UNTIL=${untilByWallClock(until, rule, start)}`,
  );
}

/** UNTIL stands in UTC and is compared here with wall-clock times; a date includes its whole day. */
function untilByWallClock(value: string, rule: Property, start: Moment): string {
  const { wall, isDate, zone } = onlyMoment(
    { ...rule, name: 'until', parameters: {}, value },
    clocksOf(start),
  );
  const meansDay = isDate || (start.isDate && wall.toPlainTime().equals(MIDNIGHT));
  const last = meansDay
    ? wall.with({ hour: 23, minute: 59, second: 59 })
    : start.zone.wallAt(zone.instantOf(wall));
  return `${last.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')}Z`;
}

const MIDNIGHT = new Temporal.PlainTime();

const clocksOf = ({ zone }: Moment): Clocks => ({ floating: zone, zones: () => zone });

const tooOften = ({ line }: Property) =>
  new EntryProblem(
    `It repeats too often: more than ${MAX_OCCURRENCES} times within the two years that are read.`,
    line,
  );

const notTried = ({ line }: Property) =>
  new EntryProblem(
    `Its repetition is not tried, since ${MAX_OVERRUNS} in this file already had no measure.`,
    line,
  );

const unreadableRule = ({ line, value }: Property, error: unknown) =>
  new EntryProblem(`Its repetition "${value}" cannot be read: ${(error as Error).message}.`, line);
