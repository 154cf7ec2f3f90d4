import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { findIana } from 'windows-iana';
import { isTimeZone } from '../../core/time/time-zone.ts';
import { type CalendarComponent, serializeComponent } from './components.ts';
import { EntryError } from './entry-error.ts';
import { parseProperty, parsePropertyName, unescapeText } from './property.ts';

/** Finds the zone of a TZID, or throws EntryProblem. */
export type ResolveZone = (tzid: string) => CalendarZone;

/**
 * A known name wins over the VTIMEZONE beside it: exporters cut those down to today's rules (Google) or to one
 * rule since 1601 (Outlook), which is wrong for other years, and the rest of the house shows IANA time.
 */
export function createZoneResolver(calendar: CalendarComponent): ResolveZone {
  const found = new Map<string, CalendarZone | null>();
  return (tzid) => {
    const known = found.get(tzid);
    const zone = known === undefined ? findZone(tzid, calendar) : known;
    found.set(tzid, zone);
    if (!zone)
      throw new EntryError(
        `Its time zone "${tzid}" is not known, and the file does not define it.`,
      );
    return zone;
  };
}

function findZone(tzid: string, calendar: CalendarComponent): CalendarZone | null {
  const definition = calendar.children.find(
    (child) => child.name === 'VTIMEZONE' && findPropertyText(child, 'tzid') === tzid,
  );
  const name =
    findIanaName(tzid) ??
    findIanaName((definition && findPropertyText(definition, 'x-lic-location')) ?? '');
  if (name) return createIanaZone(name);
  return definition ? parseEmbeddedZone(definition) : null;
}

function findPropertyText(component: CalendarComponent, name: string): string | undefined {
  const line = component.lines.find((candidate) => parsePropertyName(candidate) === name);
  return line && unescapeText(parseProperty(line).value);
}

// What real zones are made of. Anything finer would have ical.js list every change of every second.
const YEARLY_RULE = /^FREQ=YEARLY(;(BYMONTH|BYDAY|BYMONTHDAY|INTERVAL|UNTIL|WKST)=[^;]*)*;?$/i;

/** The zone that a VTIMEZONE defines, or null where it makes no sense. */
function parseEmbeddedZone(definition: CalendarComponent): CalendarZone | null {
  const rules = definition.children
    .flatMap(({ lines }) => lines)
    .filter(({ text }) => /^RRULE/i.test(text));
  if (rules.some(({ text }) => !YEARLY_RULE.test(text.slice(text.indexOf(':') + 1)))) return null;
  try {
    const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(serializeComponent(definition))));
    zone.utcOffset(toIcal(Temporal.PlainDateTime.from('2020-01-01T00:00'))); // throws here if it ever does
    return toCalendarZone(zone);
  } catch {
    return null;
  }
}

const toCalendarZone = (zone: ICAL.Timezone): CalendarZone => ({
  toInstant: (wall) =>
    wall
      .subtract({ seconds: zone.utcOffset(toIcal(wall)) })
      .toZonedDateTime('UTC')
      .toInstant(),
  toWallTime: (instant) => {
    const time = toIcal(instant.toZonedDateTimeISO('UTC').toPlainDateTime());
    time.zone = ICAL.Timezone.utcTimezone;
    return fromIcal(time.convertToZone(zone));
  },
});

const toIcal = ({ year, month, day, hour, minute, second }: Temporal.PlainDateTime) =>
  new ICAL.Time({ year, month, day, hour, minute, second }, ICAL.Timezone.localTimezone);

const fromIcal = ({ year, month, day, hour, minute, second }: ICAL.Time) =>
  Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });

/** The IANA zone that a TZID means, in any of the spellings that calendars use, or null. */
function findIanaName(tzid: string): string | null {
  const name = tzid.trim().replace(/^"|"$/g, '');
  return listSpellings(name).find(isTimeZone) ?? findIana(name)[0] ?? null;
}

/** "/mozilla.org/20070129_1/Europe/Berlin" is Europe/Berlin, "tzone://Microsoft/Utc" is UTC. */
function listSpellings(name: string): string[] {
  if (!/^\/|:\/\//.test(name)) return [name];
  const parts = name.split('/').filter(Boolean);
  return [3, 2, 1].map((count) => parts.slice(-count).join('/'));
}

/** A way to read wall clocks. Times that a clock change skips or repeats are read as RFC 5545 says: by the offset before. */
export interface CalendarZone {
  toInstant(wall: Temporal.PlainDateTime): Temporal.Instant;
  toWallTime(instant: Temporal.Instant): Temporal.PlainDateTime;
}

export const createIanaZone = (id: string): CalendarZone => ({
  toInstant: (wall) => wall.toZonedDateTime(id).toInstant(),
  toWallTime: (instant) => instant.toZonedDateTimeISO(id).toPlainDateTime(),
});

export const UTC_ZONE = createIanaZone('UTC');
