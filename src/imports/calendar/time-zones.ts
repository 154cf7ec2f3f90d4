import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import timezones, { type Timezone } from 'timezones.json';
import { findIana } from 'windows-iana';
import { toCalendarInstant } from '../../core/time/local-time.ts';
import { isTimeZone } from '../../core/time/time-zone.ts';
import { type CalendarComponent, serializeComponent } from './components.ts';
import { EntryError } from './entry-error.ts';
import { parseProperty, parsePropertyName, unescapeText } from './property.ts';

/** @throws EntryError for an unknown TZID */
export type ResolveZone = (tzid: string) => CalendarZone;

/**
 * Creates a cached lookup of the zones of a calendar. A known name takes precedence over the VTIMEZONE in the file:
 * exporters reduce that to the current rules (Google) or to one rule since 1601 (Outlook), which is wrong for other years.
 */
export function createZoneResolver(calendar: CalendarComponent): ResolveZone {
  const cache = new Map<string, CalendarZone | null>();
  return (tzid) => {
    const cached = cache.get(tzid);
    const zone = cached === undefined ? findZone(tzid, calendar) : cached;
    cache.set(tzid, zone);
    if (!zone)
      throw new EntryError(`Its time zone "${tzid}" is unknown, and the file does not define it.`);
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

// The rules of real zones. Finer rules could make ical.js enumerate changes for every second.
const YEARLY_RULE = /^FREQ=YEARLY(;(BYMONTH|BYDAY|BYMONTHDAY|INTERVAL|UNTIL|WKST)=[^;]*)*;?$/i;

/** Parses a VTIMEZONE; null if it is invalid. */
function parseEmbeddedZone(definition: CalendarComponent): CalendarZone | null {
  const rules = definition.children
    .flatMap(({ lines }) => lines)
    .filter(({ text }) => /^RRULE/i.test(text));
  if (rules.some(({ text }) => !YEARLY_RULE.test(text.slice(text.indexOf(':') + 1)))) return null;
  try {
    const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(serializeComponent(definition))));
    zone.utcOffset(toIcal(Temporal.PlainDateTime.from('2020-01-01T00:00'))); // throws now if the zone is invalid
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

/** Finds the IANA zone of a TZID in any of the spellings that calendars use; null if it is unknown. */
function findIanaName(tzid: string): string | null {
  const name = tzid.trim().replace(/^"|"$/g, '');
  return listSpellings(name).find(isTimeZone) ?? findIana(name)[0] ?? findByLongName(name) ?? null;
}

/** The offset that begins a long name: "(UTC+01:00)", or "(GMT+01.00)" in older programs. */
const OFFSET = /^\((UTC|GMT)[^)]*\)\s*/i;

// Its types describe an ES module, which it is not.
const windowsZones = timezones as unknown as Timezone[];

/** The zones by the cities and regions of their long names. Where a city is in several, the first is the current one. */
const ZONE_BY_PLACE = new Map(
  windowsZones
    .flatMap(({ text, value, utc }) => {
      const zone = findIana(value)[0] ?? utc[0];
      const places = text.replace(OFFSET, '').toLowerCase();
      return zone ? [places, ...places.split(', ')].map((place) => [place, zone] as const) : [];
    })
    .toReversed(),
);

/** Microsoft also writes the name that its settings show: "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna". */
function findByLongName(name: string): string | undefined {
  if (!OFFSET.test(name)) return undefined;
  const places = name.replace(OFFSET, '').toLowerCase();
  const zones = [places, ...places.split(', ')].map((place) => ZONE_BY_PLACE.get(place));
  return zones.find((zone) => zone !== undefined);
}

/** "/mozilla.org/20070129_1/Europe/Berlin" is Europe/Berlin, "tzone://Microsoft/Utc" is UTC. */
function listSpellings(name: string): string[] {
  if (!/^\/|:\/\//.test(name)) return [name];
  const parts = name.split('/').filter(Boolean);
  return [3, 2, 1].map((count) => parts.slice(-count).join('/'));
}

/** Converts between local times and instants. Skipped and repeated times use the offset before the change (RFC 5545). */
export interface CalendarZone {
  toInstant(wall: Temporal.PlainDateTime): Temporal.Instant;
  toWallTime(instant: Temporal.Instant): Temporal.PlainDateTime;
}

export const createIanaZone = (id: string): CalendarZone => ({
  toInstant: (wall) => Temporal.Instant.fromEpochMilliseconds(toCalendarInstant(wall, id)),
  toWallTime: (instant) => instant.toZonedDateTimeISO(id).toPlainDateTime(),
});

export const UTC_ZONE = createIanaZone('UTC');
