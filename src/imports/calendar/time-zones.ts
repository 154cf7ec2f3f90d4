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

/**
 * Creates a cached lookup of the zones of a calendar. The VTIMEZONE of the file says what a TZID means (RFC 5545, 3.6.5), unless it only
 * reduces the rules of the zone with this name: see `isReductionOf`.
 */
export function createZoneResolver(calendar: CalendarComponent, now: Date): ResolveZone {
  const cache = new Map<string, CalendarZone | null>();
  const definitions = calendar.children
    .filter(({ name }) => name === 'VTIMEZONE')
    .map((component) => [normalizeTzid(findText(component, 'tzid') ?? ''), component] as const)
    .toReversed(); // of several with the same name, the first one counts
  const byName = new Map(definitions);
  const byLowerCase = new Map(definitions.map(([name, zone]) => [name.toLowerCase(), zone]));
  const findDefinition = (name: string) => byName.get(name) ?? byLowerCase.get(name.toLowerCase());
  return (tzid) => {
    const cached = cache.get(tzid);
    const zone =
      cached === undefined ? findZone(tzid, findDefinition(normalizeTzid(tzid)), now) : cached;
    cache.set(tzid, zone);
    if (!zone)
      throw new EntryError(
        `Its time zone "${tzid}" is unknown, and the file has no valid definition of it.`,
      );
    return zone;
  };
}

function findZone(
  tzid: string,
  component: CalendarComponent | undefined,
  now: Date,
): CalendarZone | null {
  const location = component && findText(component, 'x-lic-location');
  const name = findIanaName(tzid) ?? findIanaName(location ?? '');
  const definition = component && parseZoneDefinition(component, now);
  if (!definition || (name && isReductionOf(definition, name, now)))
    return name ? createIanaZone(name) : null;
  return createDefinedZone(definition);
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
