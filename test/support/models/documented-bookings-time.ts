/**
 * Local time for the model of the documented booking rules. The offsets come from Intl, not from Temporal, so that the model
 * shares no code with the service. A wall-clock time is the number of milliseconds that the same time in UTC would be.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

// No zone of these tests changes its clocks within a quarter of an hour.
const QUARTER = 15 * MINUTE;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number>>();

function readOffset(zone: string, instant: number): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    formats.set(zone, format);
  }
  const part = Object.fromEntries(
    format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute', number>;
  return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute) - instant;
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function getOffset(zone: string, instant: number): number {
  let known = offsets.get(zone);
  if (!known) {
    known = new Map();
    offsets.set(zone, known);
  }
  const quarter = Math.floor(instant / QUARTER);
  let offset = known.get(quarter);
  if (offset === undefined) {
    offset = readOffset(zone, quarter * QUARTER);
    known.set(quarter, offset);
  }
  return offset;
}

export const toWall = (zone: string, instant: number): number => instant + getOffset(zone, instant);

/** The number of the local day, counted from 1970-01-01. */
export const toDay = (zone: string, instant: number): number =>
  Math.floor(toWall(zone, instant) / DAY);

const toDate = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

/** The first day of the month of this day. */
export const toMonth = (day: number): string => `${toDate(day).slice(0, 7)}-01`;

/** Every instant at which the clocks show this time: none if they skip it, two if they show it twice. */
export function findInstants(zone: string, wall: number): number[] {
  const near = new Set([-DAY, 0, DAY].map((distance) => getOffset(zone, wall + distance)));
  return [...near]
    .map((offset) => wall - offset)
    .filter((instant) => toWall(zone, instant) === wall)
    .sort((a, b) => a - b);
}

/** The moment of the change that skips this time. */
function findChange(zone: string, wall: number): number {
  let before = wall - 2 * DAY;
  let after = wall + 2 * DAY;
  const offset = getOffset(zone, before);
  while (after - before > QUARTER) {
    const middle = before + Math.floor((after - before) / 2 / QUARTER) * QUARTER;
    if (getOffset(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** The first instant at which the clocks show this time, or the moment of the change that skips it. */
export const findFirst = (zone: string, wall: number): number =>
  findInstants(zone, wall)[0] ?? findChange(zone, wall);

/** The last instant at which the clocks show this time, or the moment of the change that skips it. */
export const findLast = (zone: string, wall: number): number =>
  findInstants(zone, wall).at(-1) ?? findChange(zone, wall);

export const startOfDay = (zone: string, day: number): number => findFirst(zone, day * DAY);

/** The moments at which the clocks of a zone change between two instants. */
export function findChanges(zone: string, from: number, to: number): number[] {
  const changes: number[] = [];
  for (let day = from; day < to; day += DAY) {
    if (getOffset(zone, day) === getOffset(zone, day + DAY)) continue;
    for (let at = day; at < day + DAY; at += QUARTER)
      if (getOffset(zone, at) !== getOffset(zone, at + QUARTER)) changes.push(at + QUARTER);
  }
  return changes;
}

export const toTime = (instant: number): string => new Date(instant).toISOString();
