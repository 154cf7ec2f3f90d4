import { Temporal } from 'temporal-polyfill';
import { toCalendarInstant } from '../../core/time/local-time.ts';
import type { CalendarComponent } from './components.ts';
import { EntryError } from './entry-error.ts';
import { parsePropertyName, unescapeText } from './property.ts';
import {
  isReductionOf,
  parseZoneDefinition,
  toDefinedInstant,
  toDefinedWallTime,
  type ZoneDefinition,
} from './zone-definition.ts';
import { findIanaName, normalizeTzid } from './zone-names.ts';

/** @throws EntryError for an unknown TZID */
export type ResolveZone = (tzid: string) => CalendarZone;

/** Real files define a few zones, and repeat their definitions in each calendar. */
const MAX_DEFINITIONS = 100;

/** Returns the zone that a VTIMEZONE of a file defines; null if it is invalid, or one too many. It yields, since one takes milliseconds. */
export type DefineZone = (component: CalendarComponent) => Generator<void, CalendarZone | null>;

/** Creates a cached lookup of the zones that a file defines in any of its calendars. */
export function createZoneDefinitions(now: Date): DefineZone {
  const cache = new Map<string, CalendarZone | null>();
  return function* (component) {
    const text = [component, ...component.children]
      .flatMap(({ name, lines }) => [name, ...lines.map((line) => line.text)])
      .join('\n');
    const cached = cache.get(text);
    if (cached !== undefined || cache.size === MAX_DEFINITIONS) return cached ?? null;
    const zone = yield* defineZone(component, now);
    cache.set(text, zone);
    return zone;
  };
}

/**
 * Creates a cached lookup of the zones of a calendar. The VTIMEZONE of the file says what a TZID means (RFC 5545, 3.6.5), unless it only
 * reduces the rules of the zone with this name: see `isReductionOf`.
 */
export function* createZoneResolver(
  calendar: CalendarComponent,
  define: DefineZone,
): Generator<void, ResolveZone> {
  const byName = new Map<string, CalendarZone | null>();
  const byLowerCase = new Map<string, CalendarZone | null>();
  for (const component of calendar.children) {
    if (component.name !== 'VTIMEZONE') continue;
    const name = normalizeTzid(findText(component, 'tzid') ?? '');
    if (byName.has(name)) continue; // of several with the same name, the first one counts
    const zone = yield* define(component);
    byName.set(name, zone);
    if (!byLowerCase.has(name.toLowerCase())) byLowerCase.set(name.toLowerCase(), zone);
    yield;
  }
  const findDefined = (name: string) => byName.get(name) ?? byLowerCase.get(name.toLowerCase());
  const cache = new Map<string, CalendarZone | null>();
  return (tzid) => {
    const cached = cache.get(tzid);
    const zone =
      cached === undefined ? (findDefined(normalizeTzid(tzid)) ?? findIanaZone(tzid)) : cached;
    cache.set(tzid, zone);
    if (!zone)
      throw new EntryError(
        `Its time zone "${tzid}" is unknown, and the file has no valid definition of it.`,
      );
    return zone;
  };
}

function* defineZone(
  component: CalendarComponent,
  now: Date,
): Generator<void, CalendarZone | null> {
  const [tzid = '', location = ''] = ['tzid', 'x-lic-location'].map((name) =>
    findText(component, name),
  );
  const name = findIanaName(tzid) ?? findIanaName(location);
  const definition = yield* parseZoneDefinition(component, now);
  if (!definition || (name && isReductionOf(definition, name, now)))
    return name ? createIanaZone(name) : null;
  return createDefinedZone(definition);
}

function findIanaZone(tzid: string): CalendarZone | null {
  const name = findIanaName(tzid);
  return name ? createIanaZone(name) : null;
}

function findText(component: CalendarComponent, name: string): string | undefined {
  const line = component.lines.find((candidate) => parsePropertyName(candidate) === name);
  return line && unescapeText(line.text.slice(line.text.indexOf(':') + 1));
}

/** Converts between local times and instants. Skipped and repeated times use the offset before the change (RFC 5545). */
export interface CalendarZone {
  toInstant(wall: Temporal.PlainDateTime): Temporal.Instant;
  toWallTime(instant: Temporal.Instant): Temporal.PlainDateTime;
}

const createDefinedZone = (definition: ZoneDefinition): CalendarZone => ({
  toInstant: (wall) => toDefinedInstant(definition, wall),
  toWallTime: (instant) => toDefinedWallTime(definition, instant),
});

export const createIanaZone = (id: string): CalendarZone => ({
  toInstant: (wall) => Temporal.Instant.fromEpochMilliseconds(toCalendarInstant(wall, id)),
  toWallTime: (instant) => instant.toZonedDateTimeISO(id).toPlainDateTime(),
});

export const UTC_ZONE = createIanaZone('UTC');
