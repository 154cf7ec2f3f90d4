import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { type Component, textOf } from './components.ts';
import type { Zone } from './zone.ts';

// What real zones are made of. Anything finer would have ical.js list every change of every second.
const YEARLY = /^FREQ=YEARLY(;(BYMONTH|BYDAY|BYMONTHDAY|INTERVAL|UNTIL|WKST)=[^;]*)*;?$/i;

/** The zone that a VTIMEZONE defines, or null where it makes no sense. */
export function embeddedZone(definition: Component): Zone | null {
  const rules = definition.children
    .flatMap(({ lines }) => lines)
    .filter(({ text }) => /^RRULE/i.test(text));
  if (rules.some(({ text }) => !YEARLY.test(text.slice(text.indexOf(':') + 1)))) return null;
  try {
    const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(textOf(definition))));
    zone.utcOffset(toIcal(Temporal.PlainDateTime.from('2020-01-01T00:00'))); // throws here if it ever does
    return zoneOf(zone);
  } catch {
    return null;
  }
}

const zoneOf = (zone: ICAL.Timezone): Zone => ({
  instantOf: (wall) =>
    wall
      .subtract({ seconds: zone.utcOffset(toIcal(wall)) })
      .toZonedDateTime('UTC')
      .toInstant(),
  wallAt: (instant) => {
    const time = toIcal(instant.toZonedDateTimeISO('UTC').toPlainDateTime());
    time.zone = ICAL.Timezone.utcTimezone;
    return fromIcal(time.convertToZone(zone));
  },
});

const toIcal = ({ year, month, day, hour, minute, second }: Temporal.PlainDateTime) =>
  new ICAL.Time({ year, month, day, hour, minute, second }, ICAL.Timezone.localTimezone);

const fromIcal = ({ year, month, day, hour, minute, second }: ICAL.Time) =>
  Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
