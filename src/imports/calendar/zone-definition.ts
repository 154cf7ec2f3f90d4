import { Temporal } from 'temporal-polyfill';
import { addWeekday, createWallClockRule, normalizeRule } from '../../core/time/recurrence.ts';
import { findRuleProblem } from '../../core/time/rule-parts.ts';
import { DAY_MS, toZonedDateTime } from '../../core/time/time-zone.ts';
import type { CalendarComponent } from './components.ts';
import { parseProperty } from './property.ts';

/** A zone that a file defines in a VTIMEZONE: its changes by time. There is at least one. */
export type ZoneDefinition = ZoneChange[];

interface ZoneChange {
  /** Since 1970. */
  atMs: number;
  /** The offsets from UTC before and after it. */
  fromOffsetMs: number;
  toOffsetMs: number;
}

const MAX_CHANGES = 2_000;
const MAX_RULES = 12;
/** Real rules have two changes a year. */
const MAX_CHANGES_PER_RULE = 200;
const FIRST_YEAR = 1970;

/**
 * Parses a VTIMEZONE (RFC 5545, 3.6.5), with the changes from 1970 until three years after `now`. It yields after each rule, because
 * one takes milliseconds. Null if it is invalid, or has more changes than a real zone.
 */
export function* parseZoneDefinition(
  { children }: CalendarComponent,
  now: Date,
): Generator<void, ZoneDefinition | null> {
  const rules = { left: MAX_RULES };
  const changes: ZoneChange[] = [];
  try {
    for (const observance of children) {
      if (observance.name !== 'STANDARD' && observance.name !== 'DAYLIGHT') continue;
      changes.push(...(yield* listChanges(observance, rules, now)));
      if (changes.length > MAX_CHANGES) return null;
    }
  } catch {
    return null;
  }
  return changes.length === 0 ? null : changes.toSorted((a, b) => a.atMs - b.atMs);
}

/** @throws for one that is invalid, or whose rules are none of a real zone */
function* listChanges(
  { lines }: CalendarComponent,
  rules: { left: number },
  now: Date,
): Generator<void, ZoneChange[]> {
  const read = lines.filter(({ text }) =>
    /^(DTSTART|RDATE|RRULE|TZOFFSETFROM|TZOFFSETTO)[;:]/i.test(text),
  );
  if (read.length > MAX_CHANGES) throw new RangeError('too many changes');
  const properties = read.map(parseProperty);
  const values = (name: string) =>
    properties.filter((property) => property.name === name).map(({ value }) => value.trim());
  const [from, to] = ['tzoffsetfrom', 'tzoffsetto'].map((name) => parseOffset(values(name)[0]));
  if (from === undefined || to === undefined) throw new RangeError('no offset');
  const start = parseLocalTime(values('dtstart')[0] ?? '');
  const dates = values('rdate').flatMap((list) => list.split(','));
  if (dates.length > MAX_CHANGES) throw new RangeError('too many changes');
  const times = [start, ...dates.map(parseLocalTime)];
  for (const rule of values('rrule')) {
    if (rules.left === 0) throw new RangeError('too many rules');
    rules.left -= 1;
    times.push(...expandRule(rule, { start, from, now }));
    yield;
  }
  return times.map((local) => ({
    atMs: toUtcMilliseconds(local) - from,
    fromOffsetMs: from,
    toOffsetMs: to,
  }));
}

/** Parts that no real zone has, and that would take long to follow. */
const UNUSUAL_PARTS = /BY(HOUR|MINUTE|SECOND)=\d+,|COUNT=\d{4}/;

/** Lists the local times at which a rule changes the offset. */
function expandRule(
  text: string,
  { start, from, now }: { start: Temporal.PlainDateTime; from: number; now: Date },
): Temporal.PlainDateTime[] {
  const rule = normalizeRule(text);
  if (!rule.includes('FREQ=YEARLY') || UNUSUAL_PARTS.test(rule) || findRuleProblem(rule) !== null)
    throw new RangeError('not the rule of a zone');
  const local = rule.replace(/UNTIL=(\d{8}T\d{6})Z/, (_, until: string) => {
    const end = parseLocalTime(until).add({ milliseconds: from });
    return `UNTIL=${end.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')}Z`;
  });
  // Rules since 1601 repeat in the same way since 1970, unless they count.
  const isCounted = /COUNT=|INTERVAL=(?!1(;|$))/.test(rule);
  const first = isCounted || start.year >= FIRST_YEAR ? start : start.with({ year: FIRST_YEAR });
  const last = Temporal.Instant.fromEpochMilliseconds(now.getTime() + 3 * 366 * DAY_MS);
  const bounds = [
    Temporal.PlainDateTime.from({ year: FIRST_YEAR, month: 1, day: 1 }),
    last.toZonedDateTimeISO('UTC').toPlainDateTime(),
  ] as const;
  const limits = { maxPeriods: 1_000, maxCandidates: 5_000 };
  const times = createWallClockRule(addWeekday(local, start), first, limits).between(...bounds);
  if (times.length > MAX_CHANGES_PER_RULE) throw new RangeError('not the rule of a zone');
  return times;
}

function parseLocalTime(text: string): Temporal.PlainDateTime {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?Z?)?$/i.exec(text.trim()) ?? [];
  const [y = 0, m = 0, d = 0, h, min, s] = [year, month, day, hour, minute, second].map((field) =>
    Number(field ?? 0),
  );
  return Temporal.PlainDateTime.from(
    { year: y, month: m, day: d, hour: h, minute: min, second: Math.min(s ?? 0, 59) },
    { overflow: 'reject' },
  );
}

function parseOffset(text: string | undefined): number | undefined {
  const [, sign, hours, minutes, seconds = 0] =
    /^([+-]?)(\d{2}):?(\d{2}):?(\d{2})?$/.exec(text ?? '') ?? [];
  if (hours === undefined) return undefined;
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

const toUtcMilliseconds = (local: Temporal.PlainDateTime) =>
  local.toZonedDateTime('UTC').epochMilliseconds;

/**
 * Converts a local time to an instant. Skipped and repeated times use the offset before the change (RFC 5545, 3.3.5).
 * A time before the first change has the offset before it.
 */
export function toDefinedInstant(zone: ZoneDefinition, wall: Temporal.PlainDateTime) {
  const local = toUtcMilliseconds(wall);
  const change = zone.findLast(
    ({ atMs, fromOffsetMs, toOffsetMs }) => local >= atMs + Math.max(fromOffsetMs, toOffsetMs),
  );
  const offset = change?.toOffsetMs ?? zone[0]?.fromOffsetMs ?? 0;
  return Temporal.Instant.fromEpochMilliseconds(local - offset);
}

export function toDefinedWallTime(zone: ZoneDefinition, instant: Temporal.Instant) {
  const change = zone.findLast(({ atMs }) => instant.epochMilliseconds >= atMs);
  const offset = change?.toOffsetMs ?? zone[0]?.fromOffsetMs ?? 0;
  return instant.toZonedDateTimeISO('UTC').toPlainDateTime().add({ milliseconds: offset });
}

/** Lisbon had the time of Berlin for four years: what was so long ago says nothing about the zone. */
const FIRST_COMPARED_YEAR = 2000;

/**
 * Whether a definition only reduces the rules of an IANA zone, so that the zone itself is better: programs write the current rules
 * (Google), one rule since 1601 (Outlook), the changes of one year, or standard time alone. It does if all its changes in one year
 * are changes of the zone, give or take a day.
 */
export function isReductionOf(zone: ZoneDefinition, timeZone: string, now: Date): boolean {
  const getOffset = (at: number) => toZonedDateTime(at, timeZone).offsetNanoseconds / 1e6;
  const isChange = ({ atMs, fromOffsetMs, toOffsetMs }: ZoneChange) =>
    getOffset(atMs - DAY_MS) === fromOffsetMs && getOffset(atMs + DAY_MS) === toOffsetMs;
  const getYear = ({ atMs }: ZoneChange) => new Date(atMs).getUTCFullYear();
  const recent = zone.filter((change) => getYear(change) >= FIRST_COMPARED_YEAR);
  const years = [...new Set(recent.map(getYear))];
  const isOfZone = (year: number) =>
    recent.filter((change) => getYear(change) === year).every(isChange);
  if (years.length > 0) return years.some(isOfZone);
  // It has always had one offset. Standard time is the smaller one, as summer time only adds to it.
  const year = now.getUTCFullYear();
  const standard = Math.min(...[0, 6].map((month) => getOffset(Date.UTC(year, month, 1))));
  return zone.at(-1)?.toOffsetMs === standard;
}
