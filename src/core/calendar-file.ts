import ical, {
  escape as escaped,
  foldLines,
  ICalEvent,
  type ICalEventStatus,
} from 'ical-generator';
import { toSingleLine } from './text-rules.ts';
import { DAY_MS, HOUR_MS, type Instant, toZonedDateTime } from './time/time-zone.ts';

/** An entry of a calendar to which people subscribe. */
export interface CalendarEntry {
  id: string;
  startsAt: Instant;
  endsAt: Instant;
  changedAt: Instant;
  /** Grows with each change, since programs replace an entry by one with a higher number (RFC 5545, 3.8.7.4). */
  sequence: number;
  status: ICalEventStatus;
  summary: string;
  description?: string;
  /** Parts of the place, such as a room and an address. */
  location: (string | null)[];
  url?: string;
  timeZone: string;
}

const REFRESH_SECONDS = 3600;
const CALENDAR_END = 'END:VCALENDAR';

/**
 * Renders entries as iCalendar (RFC 5545) with times in UTC, and whole days as dates. `host` makes the UIDs globally unique. The same entries
 * always render the same text, so that the ETag is stable.
 */
export function renderCalendar(
  name: string,
  product: string,
  entries: CalendarEntry[],
  host: string,
): string {
  const calendar = ical({
    name: escaped(toSingleLine(name), false), // the library does not escape the name
    prodId: `//Foyer//${product}//EN`,
    ttl: REFRESH_SECONDS,
    // Setting it as the calendar's time zone would convert the times from UTC.
    x: findCommonTimeZone(entries).map((zone): [string, string] => ['X-WR-TIMEZONE', zone]),
  });
  const events = entries.map(
    ({ id, location, status, summary, description, url, changedAt, sequence, ...entry }) =>
      new ICalEvent(
        {
          id: `${id}@${host}`,
          sequence,
          ...toCalendarTimes(new Date(entry.startsAt), new Date(entry.endsAt), entry.timeZone),
          stamp: new Date(changedAt),
          lastModified: new Date(changedAt),
          location: location.flatMap(toOptionalLine).join(', '),
          status,
          summary,
          ...(description !== undefined && { description }),
          ...(url !== undefined && { url }),
        },
        calendar,
      ).toString(),
  );
  // Not calendar.events(): it folds character by character and takes a second for a busy room.
  const frame = calendar.toString().split(CALENDAR_END)[0];
  return `${frame}${foldText(events.join(''))}${CALENDAR_END}\r\n`;
}

/**
 * Returns the times of an entry for ical-generator. One from midnight to midnight in its zone gets dates, so that it covers the same days
 * for people in other zones, and programs show it as whole days.
 */
export function toCalendarTimes(startsAt: Date, endsAt: Date, timeZone: string) {
  const overlap = (endsAt.getTime() - startsAt.getTime() + HOUR_MS) % DAY_MS;
  // Only days have 23 to 25 hours. Most entries are shorter, and zones take long.
  if (overlap > 2 * HOUR_MS || endsAt.getTime() - startsAt.getTime() < 23 * HOUR_MS)
    return { start: startsAt, end: endsAt };
  const days = [startsAt, endsAt].map((at) => toZonedDateTime(at.getTime(), timeZone));
  if (!days.every((time) => time.equals(time.startOfDay())))
    return { start: startsAt, end: endsAt };
  const [start = startsAt, end = endsAt] = days.map(
    (time) => new Date(`${time.toPlainDate().toString()}T00:00:00Z`),
  );
  return { start, end, allDay: true };
}

/** Returns the time zone of all entries, or nothing if they differ. */
function findCommonTimeZone(entries: CalendarEntry[]): string[] {
  const zones = new Set(entries.map(({ timeZone }) => timeZone));
  return zones.size === 1 ? [...zones] : [];
}

/** Folds each distinct line once: the library is slow, and most long lines repeat the location. */
function foldText(text: string): string {
  const folded = new Map<string, string>();
  const foldOnce = (line: string) => {
    const result = folded.get(line) ?? foldLines(line);
    folded.set(line, result);
    return result;
  };
  return text
    .split('\r\n')
    .map((line) => (Buffer.byteLength(line) <= 75 ? line : foldOnce(line)))
    .join('\r\n');
}

/**
 * Returns who organizes an entry. Quotes cannot occur in a parameter of a calendar file (RFC 5545, 3.1), and the library escapes
 * backslashes, which programs would show.
 */
export function toOrganizer({ name, email }: { name: string; email: string }) {
  return { name: toSingleLine(name).replaceAll(/["\\]/g, '') || email, email };
}

/** Returns the text on one line, or nothing if it is empty. */
export const toOptionalLine = (text: string | null): string[] =>
  text === null || toSingleLine(text) === '' ? [] : [toSingleLine(text)];
