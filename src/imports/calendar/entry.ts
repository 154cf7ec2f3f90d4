import type { Component } from './components.ts';
import { type Details, detailsIn } from './details.ts';
import { type Length, lengthOf } from './length.ts';
import { type Clocks, type Moment, moments, onlyMoment } from './moment.ts';
import { EntryProblem } from './problem.ts';
import { nameOf, type Property, parameter, plainText, readProperty } from './property.ts';
import { derivedUid } from './uid.ts';
import type { Zone } from './zone.ts';
import type { Zones } from './zones.ts';

/** A VEVENT, read: a single entry, a series, or what replaces one occurrence of a series. */
export interface Entry {
  line: number;
  uid: string;
  sequence: number;
  isCancelled: boolean;
  start: Moment;
  length: Length;
  details: Details;
  rules: Property[];
  exclusionRules: Property[];
  added: Moment[];
  excluded: Moment[];
  replaces: { moment: Moment; andFollowing: boolean } | null;
}

export interface Surroundings {
  zones: Zones;
  /** The zone of floating times and of dates, by what LOCATION says. */
  zoneAt: (location: string | null) => Zone;
  /** METHOD:CANCEL withdraws all that the calendar holds. */
  withdraws: boolean;
}

const READ = new Set(
  (
    'uid sequence status dtstart dtend duration rrule exrule rdate exdate recurrence-id ' +
    'summary description location categories organizer attendee class'
  ).split(' '),
);

/** Throws EntryProblem. */
export function entryIn(component: Component, { zones, zoneAt, withdraws }: Surroundings): Entry {
  const properties = component.lines.filter(mattersOrIsBroken).map(readProperty);
  const all = (name: string) => properties.filter((property) => property.name === name);
  const one = (name: string) => all(name)[0] ?? null;
  const details = detailsIn(properties);
  const clocks: Clocks = { zones, floating: zoneAt(details.location) };
  const momentOf = (property: Property | null) => property && onlyMoment(property, clocks);
  const start = momentOf(one('dtstart'));
  if (!start) throw new EntryProblem('It has no DTSTART.');
  return {
    line: component.line,
    uid: plainText(one('uid')?.value ?? '') || derivedUid(properties),
    sequence: Number.parseInt(one('sequence')?.value ?? '', 10) || 0,
    isCancelled: withdraws || one('status')?.value.trim().toUpperCase() === 'CANCELLED',
    start,
    length: lengthOf(start, momentOf(one('dtend')), one('duration')),
    details,
    rules: all('rrule'),
    exclusionRules: all('exrule'),
    added: all('rdate').flatMap((property) => addedBy(property, clocks)),
    excluded: all('exdate').flatMap((property) => moments(property, clocks)),
    replaces: replacedBy(one('recurrence-id'), clocks),
  };
}

// A line without a colon is mostly the rest of a text that was not folded: better to say so than to cut the text.
const mattersOrIsBroken = (line: { line: number; text: string }) =>
  READ.has(nameOf(line)) || !line.text.includes(':');

function addedBy(property: Property, clocks: Clocks): Moment[] {
  if (property.type !== 'period') return moments(property, clocks);
  throw new EntryProblem(
    'It has an RDATE of VALUE=PERIOD, which is not understood.',
    property.line,
  );
}

function replacedBy(property: Property | null, clocks: Clocks): Entry['replaces'] {
  if (!property) return null;
  const andFollowing = parameter(property, 'range')?.toUpperCase() === 'THISANDFUTURE';
  return { moment: onlyMoment(property, clocks), andFollowing };
}
