import { zonedAt } from '../../../time.ts';
import { isOnGrid } from './grid.ts';
import type { Busy, Ground } from './ground.ts';
import { bookableStarts } from './horizon.ts';
import { lengthOf } from './length.ts';
import { closureDuring, openSpans } from './opening.ts';
import { isOverridable, type Objection, type Reason } from './reasons.ts';
import { contains, MINUTE, minutesOf, overlap, type Span } from './span.ts';
import type { Terms } from './terms.ts';
import { hoursInWords, onDay, stretch } from './words.ts';

/** Who books, as far as the rules care; a guest is nobody. */
export interface Booker {
  id: string;
  name: string;
  status: 'active' | 'paused' | 'former';
}

export interface Wish extends Span {
  /** Staff sets aside what is policy. */
  override: boolean;
}

/** What speaks against a wish, if anything; the same for a preview and for the booking itself. */
export interface Judgement {
  objections: Objection[];
  collisions: Busy[];
}

/** The one policy. Knows nothing but what it is given. */
export function judge(
  ground: Ground,
  booker: Booker | null,
  terms: Terms,
  wish: Wish,
  now: number,
): Judgement {
  const collisions = collisionsOf(ground, wish);
  const objections = [
    ...taken(ground, collisions),
    ...inactive(ground, booker),
    ...opening(ground, wish),
    ...length(ground, wish),
    ...moment(ground, wish, now),
    ...quota(ground, terms, wish),
  ];
  return {
    collisions,
    objections: objections.filter(({ reason }) => !wish.override || !isOverridable(reason)),
  };
}

const collisionsOf = ({ resource, busy }: Ground, wish: Span) => {
  const occupied = { start: wish.start, end: wish.end + resource.bufferMinutes * MINUTE };
  return busy.filter((other) => overlap(other, occupied));
};

function* taken({ resource, calendar }: Ground, [first]: Busy[]): Generator<Objection> {
  if (!first) return;
  const buffer = resource.bufferMinutes
    ? `, and ${resource.bufferMinutes} minutes are kept free after a booking`
    : '';
  yield objection(
    'SLOT_TAKEN',
    `${resource.name} is taken from ${stretch(first.start, first.until, calendar.timeZone)}${buffer}.`,
  );
}

function* inactive({ resource }: Ground, booker: Booker | null): Generator<Objection> {
  if (!resource.active)
    yield objection('RESOURCE_INACTIVE', `${resource.name} cannot be booked at the moment.`);
  if (booker && booker.status !== 'active') {
    const word = { paused: 'is paused', former: 'has ended' }[booker.status];
    yield objection(
      'MEMBER_INACTIVE',
      `The membership of ${booker.name} ${word}, so no bookings can be made by it.`,
    );
  }
}

const WEEK = 7 * 24 * 60;

function* opening({ calendar, location }: Ground, wish: Span): Generator<Objection> {
  // Longer than any booking may be: the length is what to object to.
  if (minutesOf(wish) > WEEK) return;
  const closure = closureDuring(calendar, wish);
  if (closure) {
    const until = closure.endsOn === closure.startsOn ? '' : ` to ${closure.endsOn}`;
    const why = closure.reason ? ` (${closure.reason})` : '';
    yield objection('CLOSED', `${location.name} is closed on ${closure.startsOn}${until}${why}.`);
  } else if (!openSpans(calendar, wish).some((open) => contains(open, wish))) {
    const hours = hoursInWords(calendar, wish.start);
    yield objection('OUTSIDE_OPENING_HOURS', `${location.name} ${hours}.`);
  }
}

function* length(ground: Ground, wish: Span): Generator<Objection> {
  const { resource, calendar } = ground;
  const { name, minMinutes, maxMinutes, slotIntervalMinutes } = resource;
  const minutes = lengthOf(ground, wish);
  if (minutes < minMinutes)
    yield objection('TOO_SHORT', `${name} is booked for at least ${minMinutes} minutes.`);
  if (minutes > maxMinutes)
    yield objection('TOO_LONG', `${name} is booked for at most ${maxMinutes} minutes.`);
  if (
    !isOnGrid(wish.start, slotIntervalMinutes, calendar.timeZone) ||
    minutes % slotIntervalMinutes !== 0
  ) {
    yield objection(
      'NOT_ON_GRID',
      `Bookings of ${name} begin every ${slotIntervalMinutes} minutes, counted from midnight, and last a multiple of that.`,
    );
  }
}

function* moment(ground: Ground, wish: Span, now: number): Generator<Objection> {
  const { resource, calendar } = ground;
  const starts = bookableStarts(ground, now);
  if (wish.start < now) {
    yield objection('TOO_SOON', 'That time has passed.');
  } else if (wish.start < starts.start) {
    yield objection(
      'TOO_SOON',
      `${resource.name} is booked at least ${resource.minNoticeMinutes} minutes before.`,
    );
  }
  if (wish.start >= starts.end) {
    const last = onDay(starts.end - 1, calendar.timeZone);
    yield objection(
      'TOO_FAR_AHEAD',
      `${resource.name} is booked at most ${resource.maxAdvanceDays} days ahead, until ${last}.`,
    );
  }
}

function* quota(ground: Ground, terms: Terms, wish: Span): Generator<Objection> {
  const { resource, calendar } = ground;
  const { limitMinutes, bookedMinutes, planName } = terms;
  if (limitMinutes === null || bookedMinutes + lengthOf(ground, wish) <= limitMinutes) return;
  const month = zonedAt(wish.start, calendar.timeZone).toPlainDate().toString().slice(0, 7);
  yield objection(
    'QUOTA_USED_UP',
    `${planName} allows ${limitMinutes / 60} hours of ${resource.type} bookings a month; ${hours(bookedMinutes)} are booked in ${month}.`,
  );
}

const hours = (minutes: number) => `${Math.round((minutes / 60) * 100) / 100} hours`;

const objection = (reason: Reason, message: string): Objection => ({ reason, message });
