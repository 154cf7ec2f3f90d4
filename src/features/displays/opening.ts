import type { Temporal } from 'temporal-polyfill';
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

// Mostly the next opening is near, and soon found; what lies beyond the last look comes into sight by and by.
const DAYS_AHEAD = 4;
const DAYS_FARTHER = [14, 100];

/**
 * What is not over and begins within 24 hours, and the next that begins after these, so that there is always one to come.
 * What began before yesterday, or ends out of sight, has no instant there.
 */
export function openingAt(calendar: Calendar, now: number): Held {
  const today = zonedAt(now, calendar.timeZone).toPlainDate();
  if (isAlwaysOpen(calendar, today)) {
    return { open: true, opening: null, from: now, until: Number.POSITIVE_INFINITY };
  }
  let seen = look(calendar, now, today, DAYS_AHEAD);
  for (const days of DAYS_FARTHER) {
    if (!seen.isWhole) seen = look(calendar, now, today, days);
  }
  const { sight, coming } = seen;
  const [first] = coming;
  const instant = (at: number) =>
    at === sight.start || at === sight.end ? null : new Date(at).toISOString();
  const opening = coming.map(({ start, end }) => ({
    opens_at: instant(start),
    closes_at: instant(end),
  }));
  return {
    open: first !== undefined && first.start <= now,
    opening: first && without([sight], [first]).length === 0 ? null : opening,
    from: now,
    until: changeOf(seen, now, daysIn(calendar, today, today).end),
  };
}

interface Look {
  /** From yesterday on. */
  sight: Span;
  coming: Span[];
  /** Nothing of it would be otherwise, were the sight a longer one. */
  isWhole: boolean;
}

function look(calendar: Calendar, now: number, today: Temporal.PlainDate, days: number): Look {
  const sight = daysIn(calendar, today.subtract({ days: 1 }), today.add({ days }));
  const coming = openIn(calendar, sight).filter(({ end }) => end > now);
  const after = coming.findIndex(({ start }) => start > now + DAY_MS);
  const isWhole = (coming[after]?.end ?? sight.end) < sight.end;
  return { sight, coming: after < 0 ? coming : coming.slice(0, after + 1), isWhole };
}

/** At an opening, a closing, or when another one enters; at midnight also where what is seen depends on the day. */
function changeOf({ coming, isWhole }: Look, now: number, midnight: number): number {
  const edges = coming.flatMap(({ start, end }) => [start, end]).filter((at) => at > now);
  const [first, last] = [coming[0], coming.at(-1)];
  const isOpenThrough = first && first.start <= now && first.end > midnight;
  const enters = isWhole && last ? last.start - DAY_MS : midnight;
  return Math.min(...edges, enters, isOpenThrough ? midnight : enters);
}

/** As availability has it; where only closures are ever in the way, without looking at every day. */
function openIn(calendar: Calendar, sight: Span): Span[] {
  if (!isRoundTheClock(calendar)) return openSpans(calendar, sight);
  const closed = calendar.closures.map(({ startsOn, endsOn }) =>
    toSpan(spanOf(startsOn, endsOn, calendar.timeZone)),
  );
  return without([sight], closed);
}

const isAlwaysOpen = (calendar: Calendar, today: Temporal.PlainDate) => {
  const yesterday = today.subtract({ days: 1 }).toString();
  return isRoundTheClock(calendar) && calendar.closures.every(({ endsOn }) => endsOn < yesterday);
};

/** Hours of one day never overlap. */
const isRoundTheClock = ({ hours }: Calendar) =>
  hours.length === 0 ||
  hours.reduce((sum, { opensMinute, closesMinute }) => sum + closesMinute - opensMinute, 0) ===
    7 * DAY_MINUTES;

const daysIn = ({ timeZone }: Calendar, first: Temporal.PlainDate, last: Temporal.PlainDate) =>
  toSpan(spanOf(first.toString(), last.toString(), timeZone));

const toSpan = ({ from, to }: { from: Date; to: Date }): Span => ({
  start: from.getTime(),
  end: to.getTime(),
});
