import { Temporal } from 'temporal-polyfill';
import { type Component, calendarsIn } from './components.ts';
import { type Entry, entryIn, type Surroundings } from './entry.ts';
import { logicalLines } from './lines.ts';
import { attempt, type Problem } from './problem.ts';
import { nameOf, plainText } from './property.ts';
import { expander, type Window } from './rule.ts';
import type { Occurrence } from './series.ts';
import { timelineOf } from './timeline.ts';
import { ianaZone } from './zone.ts';
import { zonesOf } from './zones.ts';

export interface CalendarContents {
  /** In the order of the file, those of a series by their start. */
  occurrences: Occurrence[];
  problems: Problem[];
}

interface CalendarOptions {
  now: Date;
  /** The IANA zone of floating times and whole days, by what LOCATION says. */
  zoneAt: (location: string | null) => string;
}

/**
 * Reads an iCalendar file of any of the usual programs into what happens when.
 *
 * Series are expanded from their own start, and of them only what starts within a year before or after `now`
 * is given; entries that happen once are given whenever they are. What cannot be read, is cancelled or repeats
 * beyond measure is left out and listed. Throws BAD_REQUEST, with the line, for a file that is broken as a whole.
 */
export function readCalendar(file: Uint8Array, { now, zoneAt }: CalendarOptions): CalendarContents {
  const problems: Problem[] = [];
  const entries = calendarsIn(logicalLines(file)).flatMap((calendar) => {
    const surroundings = {
      zones: zonesOf(calendar),
      zoneAt: (location: string | null) => ianaZone(zoneAt(location)),
      withdraws: calendar.lines.some(({ text }) => /^METHOD:\s*CANCEL\s*$/i.test(text)),
    };
    return entriesOf(calendar, surroundings, problems);
  });
  const window = aroundNow(now);
  return { occurrences: timelineOf(entries, window, expander(window), problems), problems };
}

function entriesOf(calendar: Component, surroundings: Surroundings, problems: Problem[]): Entry[] {
  const entries: Entry[] = [];
  for (const component of calendar.children) {
    const about = { line: component.line, what: titleOf(component) };
    if (component.name === 'VEVENT') {
      attempt(about, problems, () => entries.push(entryIn(component, surroundings)));
    } else if (component.name === 'VTODO' || component.name === 'VJOURNAL') {
      problems.push({ ...about, reason: `It is a ${component.name}, not an event.` });
    }
  }
  return entries;
}

function titleOf({ lines }: Component): string {
  const value = (name: string) => {
    const text = lines.find((line) => nameOf(line) === name)?.text ?? '';
    return plainText(text.slice(text.indexOf(':') + 1)).replace(/\s+/g, ' ');
  };
  return value('summary') || value('uid') || 'an entry without a title';
}

function aroundNow(now: Date): Window {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC');
  return { from: here.subtract({ years: 1 }).toInstant(), to: here.add({ years: 1 }).toInstant() };
}
