import { instantAt, nextDay, startOf, timeAt, weekdayOf } from '../../ui/wall-clock.ts';
import { WEEKDAYS } from '../spaces/opening-hours.ts';
import type { Place } from './day-queries.ts';

interface Span {
  startsAt: string;
  endsAt: string;
}

/** The part of a day that is shown, hour by hour; a day on which the clocks change has 23 hours or 25. */
export interface Frame {
  from: number;
  to: number;
  hours: number[];
}

const HOUR = 3_600_000;
const USUAL = { opens: '08:00', closes: '20:00' };

/** From before the first thing of the day until after the last, opening hours included. */
export function frameOf(day: string, place: Place, spans: Span[]): Frame {
  const { timeZone } = place;
  const open = hoursOn(day, place);
  const [first, last] = [startOf(day, timeZone), startOf(nextDay(day, 1), timeZone)].map((at) =>
    at.getTime(),
  ) as [number, number];
  const starts = open.map(({ opens }) => momentOf(day, opens, timeZone));
  const ends = open.map(({ closes }) => momentOf(day, closes, timeZone));
  for (const { startsAt, endsAt } of spans) {
    starts.push(Math.max(first, new Date(startsAt).getTime()));
    ends.push(Math.min(last, new Date(endsAt).getTime()));
  }
  const from = Math.max(first, wholeHour(Math.min(...starts), timeZone, 0));
  const to = Math.min(last, wholeHour(Math.max(...ends), timeZone, HOUR));
  const hours: number[] = [];
  for (let at = from; at < to; at += HOUR) hours.push(at);
  return { from, to, hours };
}

/** When it is not open, within the frame. */
export function shutSpans(day: string, place: Place, { from, to }: Frame): [number, number][] {
  if (closureOn(day, place)) return [[from, to]];
  if (place.openingHours.length === 0) return [];
  const shut: [number, number][] = [];
  let at = from;
  for (const { opens, closes } of openingOn(day, place)) {
    const start = momentOf(day, opens, place.timeZone);
    if (start > at) shut.push([at, start]);
    at = Math.max(at, momentOf(day, closes, place.timeZone));
  }
  if (at < to) shut.push([at, to]);
  return shut;
}

export const closureOn = (day: string, { closures }: Place) =>
  closures.find(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn);

export const openingOn = (day: string, { openingHours }: Place) =>
  openingHours.filter(({ weekday }) => weekday === WEEKDAYS[weekdayOf(day) - 1]?.value);

function hoursOn(day: string, place: Place) {
  const open = openingOn(day, place);
  return open.length === 0 ? [USUAL] : open;
}

/** The clocks may skip that time: then it is the moment at which they go on. */
const momentOf = (day: string, time: string, timeZone: string): number => {
  const at = instantAt(day, time, timeZone) ?? instantAt(day, '03:00', timeZone);
  return (at === null ? startOf(day, timeZone) : new Date(at)).getTime();
};

const wholeHour = (at: number, timeZone: string, up: number) => {
  const past = Number(timeAt(new Date(at), timeZone).slice(3)) * 60_000 + (at % 60_000);
  return past === 0 ? at : at - past + up;
};
