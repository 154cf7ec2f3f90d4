import type { Component } from './components.ts';
import { embeddedZone } from './embedded-zone.ts';
import { EntryProblem } from './problem.ts';
import { nameOf, plainText, readProperty } from './property.ts';
import { ianaZone, type Zone } from './zone.ts';
import { ianaName } from './zone-names.ts';

/** Finds the zone of a TZID, or throws EntryProblem. */
export type Zones = (tzid: string) => Zone;

/**
 * A known name wins over the VTIMEZONE beside it: exporters cut those down to today's rules (Google) or to one
 * rule since 1601 (Outlook), which is wrong for other years, and the rest of the house shows IANA time.
 */
export function zonesOf(calendar: Component): Zones {
  const found = new Map<string, Zone | null>();
  return (tzid) => {
    const known = found.get(tzid);
    const zone = known === undefined ? resolve(tzid, calendar) : known;
    found.set(tzid, zone);
    if (!zone)
      throw new EntryProblem(
        `Its time zone "${tzid}" is not known, and the file does not define it.`,
      );
    return zone;
  };
}

function resolve(tzid: string, calendar: Component): Zone | null {
  const definition = calendar.children.find(
    (child) => child.name === 'VTIMEZONE' && textIn(child, 'tzid') === tzid,
  );
  const name =
    ianaName(tzid) ?? ianaName((definition && textIn(definition, 'x-lic-location')) ?? '');
  if (name) return ianaZone(name);
  return definition ? embeddedZone(definition) : null;
}

function textIn(component: Component, name: string): string | undefined {
  const line = component.lines.find((candidate) => nameOf(candidate) === name);
  return line && plainText(readProperty(line).value);
}
