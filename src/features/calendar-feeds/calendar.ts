import ical, { escape as escaped, foldLines, ICalEvent, ICalEventStatus } from 'ical-generator';
import type { Entries, Entry } from './entries.ts';

const REFRESH_SECONDS = 3600;
const END = 'END:VCALENDAR';

/** RFC 5545, in UTC; `host` makes the identifiers the service's own. The same entries make the same text. */
export function calendarOf({ of, name, entries }: Entries, host: string): string {
  const calendar = ical({
    name: escaped(line(name), false), // the library writes this one as it stands
    prodId: '//Foyer//Calendar feeds//EN',
    ttl: REFRESH_SECONDS,
    // As a time zone of the calendar it would take the times out of UTC.
    x: zoneOf(entries).map((zone): [string, string] => ['X-WR-TIMEZONE', zone]),
  });
  const events = entries.map((entry) =>
    new ICalEvent(
      {
        id: `${entry.id}@${host}`,
        start: new Date(entry.startsAt),
        end: new Date(entry.endsAt),
        stamp: new Date(entry.changedAt),
        lastModified: new Date(entry.changedAt),
        status: entry.status === 'pending' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
        location: [entry.resource, entry.location, entry.address].flatMap(plain).join(', '),
        ...wordsFor(of, entry),
      },
      calendar,
    ).toString(),
  );
  // Not calendar.events(): it folds letter by letter and takes a second for a busy room.
  const frame = calendar.toString().split(END)[0];
  return `${frame}${fold(events.join(''))}${END}\r\n`;
}

/** A room's calendar hangs where many see it: it tells the title and who has it, and nothing else. */
function wordsFor(of: Entries['of'], { title, holder, resource }: Entry) {
  const summary = plain(title)[0] ?? 'Booking';
  return of === 'resource'
    ? { summary, description: line(holder) }
    : { summary: `${summary} (${line(resource)})` };
}

/** The one that all entries have, if they have one. */
function zoneOf(entries: Entry[]): string[] {
  const zones = new Set(entries.map(({ timeZone }) => timeZone));
  return zones.size === 1 ? [...zones] : [];
}

/** The library folds slowly, and most long lines are the same place again. */
function fold(text: string): string {
  const folded = new Map<string, string>();
  const foldOnce = (line: string) => {
    const known = folded.get(line) ?? foldLines(line);
    folded.set(line, known);
    return known;
  };
  return text
    .split('\r\n')
    .map((line) => (Buffer.byteLength(line) <= 75 ? line : foldOnce(line)))
    .join('\r\n');
}

const plain = (text: string | null) => (text === null || line(text) === '' ? [] : [line(text)]);

/** On one line, without what no calendar may hold. */
const line = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
