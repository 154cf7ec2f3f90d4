import { isDeepStrictEqual } from 'node:util';
import { Temporal } from 'temporal-polyfill';
import { spanOf } from '../../dates.ts';
import { DAY_MINUTES, DAY_MS, zonedAt } from '../../time.ts';
import { type Calendar, openSpans } from '../bookings/policy/opening.ts';
import { type Span, without } from '../bookings/policy/span.ts';

/** When a house is open, in the words of the wire. */
export interface Opening {
  open: boolean;
  /** Null: always. */
  opening: { opens_at: string | null; closes_at: string | null }[] | null;
}

interface Held extends Opening {
  /** In milliseconds since 1970. */
  from: number;
  until: number;
}

const MOST_KEPT = 5_000;
const kept = new Map<string, Held>();

/**
 * By the calendar's JSON, at an instant in milliseconds since 1970; `until` is when it changes by the clock alone. All
 * screens of a house have one calendar, and many houses the same, so what was reckoned is kept.
 */
export function openingOf(calendar: string, now: number): Held {
  const known = kept.get(calendar);
  if (known && known.from <= now && now < known.until) return known;
  const held = openingAt(JSON.parse(calendar), now);
  kept.delete(calendar);
  kept.set(calendar, held);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string);
  return held;
}

/**
 * What is not over and begins within 24 hours, and the next that begins after these, so that there is always one to come.
 * What began before yesterday, or ends out of sight, has no instant there.
 */
export function openingAt(calendar: Calendar, now: number): Held {
  const seen = lookAt(calendar, now);
  const told = toldOf(seen);
  let until = nextEdge(calendar, seen);
  while (Number.isFinite(until)) {
    const then = lookAt(calendar, until);
    if (!isDeepStrictEqual(toldOf(then), told)) break;
    until = nextEdge(calendar, then);
  }
  return { ...told, from: now, until };
}

interface Look {
  now: number;
  yesterday: number;
  /** From the day before yesterday on: what begins at the very start of yesterday can be told from what began before. */
  sight: Span;
  lastDay: Temporal.PlainDate;
  coming: Span[];
  /** Nothing of it would be otherwise, were the sight a longer one. */
  isWhole: boolean;
}

// Mostly the next opening is near, and soon found; what lies beyond the farthest look comes into sight by and by.
const DAYS_AHEAD = [4, 14];
const MOST_DAYS_AHEAD = 100;

function lookAt(calendar: Calendar, now: number): Look {
  for (const days of DAYS_AHEAD) {
    const seen = look(calendar, now, days);
    if (seen.isWhole) return seen;
  }
  return look(calendar, now, MOST_DAYS_AHEAD);
}

function look(calendar: Calendar, now: number, days: number): Look {
  const today = zonedAt(now, calendar.timeZone).toPlainDate();
  const yesterday = midnight(calendar, today.subtract({ days: 1 }));
  const lastDay = today.add({ days });
  const sight = {
    start: midnight(calendar, today.subtract({ days: 2 })),
    end: midnight(calendar, lastDay.add({ days: 1 })),
  };
  const coming = openIn(calendar, sight).filter(({ end }) => end > now);
  const after = coming.findIndex(({ start }) => start > now + DAY_MS);
  const isWhole = (coming[after]?.end ?? sight.end) < sight.end;
  const shown = after < 0 ? coming : coming.slice(0, after + 1);
  return { now, yesterday, sight, lastDay, coming: shown, isWhole };
}

function toldOf({ now, yesterday, sight, coming }: Look): Opening {
  const opening = coming.map(({ start, end }) => ({
    opens_at: start < yesterday ? null : new Date(start).toISOString(),
    closes_at: end === sight.end ? null : new Date(end).toISOString(),
  }));
  const [first] = opening;
  const isAlways = first?.opens_at === null && first.closes_at === null;
  return { open: coming.some(({ start }) => start <= now), opening: isAlways ? null : opening };
}

/** Before it nothing changes; at it, something may. */
function nextEdge(calendar: Calendar, seen: Look): number {
  const { now, yesterday, sight, lastDay, coming, isWhole } = seen;
  const edges = coming
    .flatMap(({ start, end }) => [start - DAY_MS, start, end])
    .filter((at) => at !== sight.end);
  const [first] = coming;
  if (first && first.start >= yesterday) {
    const day = zonedAt(first.start, calendar.timeZone).toPlainDate();
    edges.push(midnight(calendar, day.add({ days: 2 })));
  }
  const turn = isWhole ? undefined : turnAfter(calendar, lastDay);
  if (turn) edges.push(midnight(calendar, turn.subtract({ days: MOST_DAYS_AHEAD })));
  return Math.min(...edges.filter((at) => at > now));
}

/** The first day on which it may be otherwise than at the end of this one. */
function turnAfter(calendar: Calendar, last: Temporal.PlainDate): Temporal.PlainDate | undefined {
  const day = last.toString();
  const closures = calendar.closures.filter(({ endsOn }) => endsOn >= day);
  const ends = closures.filter(({ startsOn }) => startsOn <= day).map(({ endsOn }) => endsOn);
  const closedUntil = ends.toSorted().at(-1);
  if (closedUntil) return Temporal.PlainDate.from(closedUntil).add({ days: 1 });
  if (!isRoundTheClock(calendar)) return last.add({ days: 1 });
  const [next] = closures.map(({ startsOn }) => startsOn).toSorted();
  return next === undefined ? undefined : Temporal.PlainDate.from(next);
}

/** As availability has it; where only closures are ever in the way, without looking at every day. */
function openIn(calendar: Calendar, sight: Span): Span[] {
  if (!isRoundTheClock(calendar)) return openSpans(calendar, sight);
  const closed = calendar.closures.map(({ startsOn, endsOn }) => {
    const { from, to } = spanOf(startsOn, endsOn, calendar.timeZone);
    return { start: from.getTime(), end: to.getTime() };
  });
  return without([sight], closed);
}

/** Hours of one day never overlap. */
const isRoundTheClock = ({ hours }: Calendar) =>
  hours.length === 0 ||
  hours.reduce((sum, { opensMinute, closesMinute }) => sum + closesMinute - opensMinute, 0) ===
    7 * DAY_MINUTES;

const midnight = ({ timeZone }: Calendar, day: Temporal.PlainDate): number =>
  day.toZonedDateTime({ timeZone }).epochMilliseconds;
