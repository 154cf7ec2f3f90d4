import { removeDirectionControls, toPrintableLine } from '../../core/text-rules.ts';
import { toPlainText } from '../source/plain-text.ts';
import type { CalendarComponent } from './components.ts';
import {
  type AddedDate,
  type CalendarDateTime,
  type EntryDuration,
  parseAddedDates,
  parseDateTime,
  parseDateTimes,
  resolveDuration,
  type ZoneContext,
} from './date-time.ts';
import { EntryError } from './entry-error.ts';
import { deriveUid } from './occurrence-ids.ts';
import {
  findParameter,
  type Property,
  parseProperty,
  parsePropertyName,
  parseTextList,
  unescapeText,
} from './property.ts';
import type { CalendarZone, ResolveZone } from './time-zones.ts';

/** A parsed VEVENT: a single entry, a series, or the replacement of one occurrence of a series. */
export interface CalendarEntry {
  line: number;
  uid: string;
  /** Which of several entries with the same UID is the newest: SEQUENCE, then DTSTAMP, then LAST-MODIFIED (RFC 5546, 2.1.5). */
  revision: [sequence: number, stamp: string, modified: string];
  /** It has no end, so it lasts as long as the import assumes. */
  isEndAssumed: boolean;
  isCancelled: boolean;
  start: CalendarDateTime;
  duration: EntryDuration;
  details: EntryDetails;
  rules: Property[];
  exclusionRules: Property[];
  added: AddedDate[];
  excluded: CalendarDateTime[];
  replaces: { start: CalendarDateTime; andFollowing: boolean } | null;
}

export interface EntryContext {
  zones: ResolveZone;
  /** Returns the zone of floating times and dates for the text of LOCATION. */
  findZone: (location: string | null) => CalendarZone;
  /** Whether METHOD:CANCEL cancels all entries of the calendar. */
  cancelsAll: boolean;
  /** How long an entry without an end lasts. Default: such entries are rejected. */
  defaultSeconds?: number | undefined;
}

const READ_PROPERTIES = new Set(
  (
    'uid sequence dtstamp last-modified status dtstart dtend duration rrule exrule rdate exdate recurrence-id ' +
    'summary description x-alt-desc location url categories organizer attendee class transp ' +
    'x-microsoft-cdo-busystatus'
  ).split(' '),
);

/** @throws EntryError */
export function parseEntry(
  component: CalendarComponent,
  { zones, findZone, cancelsAll, defaultSeconds }: EntryContext,
): CalendarEntry {
  const properties = selectReadLines(component.lines).map(parseProperty);
  const all = (name: string) => properties.filter((property) => property.name === name);
  // Some programs write an empty rule for an entry that does not repeat.
  const allRules = (name: string) => all(name).filter(({ value }) => value.trim() !== '');
  const rules = allRules('rrule');
  const exclusionRules = allRules('exrule');
  assertFew([...rules, ...exclusionRules], MAX_RULES, 'recurrence rules', () => 1);
  assertFew([...all('rdate'), ...all('exdate')], MAX_DATES, 'dates', countValues);
  const one = (name: string) => all(name)[0] ?? null;
  const details = parseDetails(properties);
  const context: ZoneContext = { zones, floating: findZone(details.location) };
  const parseOptional = (property: Property | null) => property && parseDateTime(property, context);
  const start = parseOptional(one('dtstart'));
  if (!start) throw new EntryError('It has no DTSTART.');
  return {
    line: component.line,
    uid: unescapeText(one('uid')?.value ?? '') || deriveUid(properties),
    revision: [
      Number.parseInt(one('sequence')?.value ?? '', 10) || 0,
      parseStamp(one('dtstamp')),
      parseStamp(one('last-modified')),
    ],
    isEndAssumed: !one('dtend') && !one('duration') && !start.isDate,
    isCancelled: cancelsAll || one('status')?.value.trim().toUpperCase() === 'CANCELLED',
    start,
    duration: resolveDuration(start, parseOptional(one('dtend')), one('duration'), defaultSeconds),
    details,
    rules,
    exclusionRules,
    added: all('rdate').flatMap((property) => parseAddedDates(property, context)),
    excluded: all('exdate').flatMap((property) => parseDateTimes(property, context)),
    replaces: parseRecurrenceId(one('recurrence-id'), context),
  };
}

/** The most that one entry can have. Each rule takes up to a second, so a small file could block the service for minutes. */
const MAX_RULES = 10;
const MAX_DATES = 5_000;

/** @throws EntryError at the property with which an entry has more than `max` */
function assertFew(
  properties: Property[],
  max: number,
  what: string,
  count: (property: Property) => number,
): void {
  let total = 0;
  for (const property of properties) {
    total += count(property);
    if (total > max) throw new EntryError(`It has more than ${max} ${what}.`, property.line);
  }
}

const countValues = ({ value }: Property): number => value.split(',').length;

/**
 * Returns the lines of the properties that are read. A line without a colon is usually the rest of a text that was not folded: after a
 * property that is read, it is reported instead of truncating the text. After another one, such as an address of iCloud, it
 * means nothing.
 */
function selectReadLines<Line extends { line: number; text: string }>(lines: Line[]): Line[] {
  let isTextRead = true;
  return lines.filter((line) => {
    const isRead = READ_PROPERTIES.has(parsePropertyName(line));
    if (isRead || /^[A-Z][A-Z0-9-]*[:;]/.test(line.text)) isTextRead = isRead;
    return isRead || (isTextRead && !line.text.includes(':'));
  });
}

/** Returns the time of a DTSTAMP as text that sorts by time, or '' if it is none. */
const parseStamp = (property: Property | null): string =>
  /^\d{8}T\d{6}/i.exec(property?.value.trim() ?? '')?.[0] ?? '';

function parseRecurrenceId(
  property: Property | null,
  context: ZoneContext,
): CalendarEntry['replaces'] {
  if (!property) return null;
  const andFollowing = findParameter(property, 'range')?.toUpperCase() === 'THISANDFUTURE';
  return { start: parseDateTime(property, context), andFollowing };
}

/** The content of an entry, without its times. */
export interface EntryDetails {
  title: string;
  description: string | null;
  location: string | null;
  categories: string[];
  organizer: CalendarPerson | null;
  /** Without rooms and people who declined. */
  attendees: CalendarPerson[];
  /** CLASS is PRIVATE or CONFIDENTIAL. */
  isPrivate: boolean;
  /** A web page, such as that of a video call. */
  url: string | null;
  /** It is not certain yet that it takes place. */
  isTentative: boolean;
  /** Whoever attends stays free meanwhile, so it takes nobody's time and no room. */
  isTransparent: boolean;
}

function parseDetails(properties: Property[]): EntryDetails {
  const text = (name: string) =>
    unescapeText(properties.find((property) => property.name === name)?.value ?? '');
  const all = (name: string) => properties.filter((property) => property.name === name);
  const [organizer] = all('organizer');
  const busyStatus = text('x-microsoft-cdo-busystatus').toUpperCase();
  return {
    title: toPrintableLine(text('summary')),
    description:
      removeDirectionControls(toPlainText(text('description') || text('x-alt-desc'))) || null,
    location: text('location') || null,
    categories: [...new Set(all('categories').flatMap(({ value }) => parseTextList(value)))],
    organizer: organizer ? parseCalendarPerson(organizer) : null,
    attendees: all('attendee')
      .filter(isAttending)
      .map(parseCalendarPerson)
      .filter((person) => person !== null),
    isPrivate: /^(PRIVATE|CONFIDENTIAL)$/i.test(text('class')),
    url: parseUrl(text('url')),
    isTentative: /^TENTATIVE$/i.test(text('status')) || busyStatus === 'TENTATIVE',
    isTransparent: /^TRANSPARENT$/i.test(text('transp')) || busyStatus === 'FREE',
  };
}

const MAX_URL_LENGTH = 2000;

const parseUrl = (text: string) =>
  /^https?:\/\/\S+$/i.test(text) && text.length <= MAX_URL_LENGTH ? text : null;

function isAttending(attendee: Property): boolean {
  const isThing = /^(ROOM|RESOURCE)$/i.test(findParameter(attendee, 'cutype') ?? '');
  return !isThing && findParameter(attendee, 'partstat')?.toUpperCase() !== 'DECLINED';
}

interface CalendarPerson {
  name: string | null;
  /** In lower case. */
  email: string | null;
}

// In a shared calendar Google names the calendar itself as the organizer.
const CALENDAR_ADDRESS = /@(group|resource)\.calendar\.google\.com$/;

/** Parses an ORGANIZER or ATTENDEE; null for a calendar or an empty value. */
function parseCalendarPerson(property: Property): CalendarPerson | null {
  const email =
    parseAddress(property.value) ?? parseAddress(findParameter(property, 'email') ?? '');
  if (email && CALENDAR_ADDRESS.test(email)) return null;
  const name =
    findParameter(property, 'cn')
      ?.replace(/^['"]+|(?<!['"])['"]+$/g, '')
      .replace(/\s+/g, ' ')
      .trim() || null;
  return name || email ? { name, email } : null;
}

/** Parses "MAILTO:Ada@Example.org" or a bare address. Outlook writes "invalid:nomail" for an unknown one. */
function parseAddress(value: string): string | null {
  const address = decodeAddress(value.trim().replace(/^mailto:/i, '')).toLowerCase();
  return /^[^\s@:]+@[^\s@]+$/.test(address) ? address : null;
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
