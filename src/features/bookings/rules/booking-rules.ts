import { formatDay, formatOpeningHours, formatTimeRange } from '../../../core/time/format.ts';
import { findClosure, findOpenRanges } from '../../../core/time/opening-hours.ts';
import {
  containsRange,
  getDurationMinutes,
  hasOverlap,
  type TimeRange,
} from '../../../core/time/time-range.ts';
import { MINUTE_MS, toZonedDateTime } from '../../../core/time/time-zone.ts';
import type { BusyRange, ResourceSchedule } from '../resource-schedule.ts';
import type { Entitlement } from './pricing.ts';
import { countBookingMinutes, isOnGrid, toBookingWindow } from './slots.ts';

/** Who books, as far as the rules care; a guest is nobody. */
export interface Booker {
  id: string;
  name: string;
  status: 'active' | 'paused' | 'former';
}

export interface RequestedSlot extends TimeRange {
  /** Staff sets aside what is policy. */
  override: boolean;
}

/** What speaks against a wish, if anything; the same for a preview and for the booking itself. */
export interface RuleEvaluation {
  violations: Violation[];
  collisions: BusyRange[];
}

/** The one policy. Knows nothing but what it is given. */
export function evaluateRules(
  ground: ResourceSchedule,
  booker: Booker | null,
  terms: Entitlement,
  wish: RequestedSlot,
  now: number,
): RuleEvaluation {
  const collisions = findCollisions(ground, wish);
  const objections = [
    ...checkSlotTaken(ground, collisions),
    ...checkActive(ground, booker),
    ...checkOpeningHours(ground, wish),
    ...checkDuration(ground, wish),
    ...checkBookingWindow(ground, wish, now),
    ...checkQuota(ground, terms, wish),
  ];
  return {
    collisions,
    violations: objections.filter(({ reason }) => !wish.override || !isOverridable(reason)),
  };
}

const findCollisions = ({ resource, busy }: ResourceSchedule, wish: TimeRange) => {
  const occupied = { start: wish.start, end: wish.end + resource.bufferMinutes * MINUTE_MS };
  return busy.filter((other) => hasOverlap(other, occupied));
};

function* checkSlotTaken(
  { resource, calendar }: ResourceSchedule,
  [first]: BusyRange[],
): Generator<Violation> {
  if (!first) return;
  const buffer = resource.bufferMinutes
    ? `, and ${resource.bufferMinutes} minutes are kept free after a booking`
    : '';
  yield toViolation(
    'SLOT_TAKEN',
    `${resource.name} is taken from ${formatTimeRange(first.start, first.until, calendar.timeZone)}${buffer}.`,
  );
}

function* checkActive({ resource }: ResourceSchedule, booker: Booker | null): Generator<Violation> {
  if (!resource.active)
    yield toViolation('RESOURCE_INACTIVE', `${resource.name} cannot be booked at the moment.`);
  if (booker && booker.status !== 'active') {
    const word = { paused: 'is paused', former: 'has ended' }[booker.status];
    yield toViolation(
      'MEMBER_INACTIVE',
      `The membership of ${booker.name} ${word}, so no bookings can be made by it.`,
    );
  }
}

const WEEK_MINUTES = 7 * 24 * 60;

function* checkOpeningHours(
  { calendar, location }: ResourceSchedule,
  wish: TimeRange,
): Generator<Violation> {
  // Longer than any booking may be: the length is what to object to.
  if (getDurationMinutes(wish) > WEEK_MINUTES) return;
  const closure = findClosure(calendar, wish);
  if (closure) {
    const until = closure.endsOn === closure.startsOn ? '' : ` to ${closure.endsOn}`;
    const why = closure.reason ? ` (${closure.reason})` : '';
    yield toViolation('CLOSED', `${location.name} is closed on ${closure.startsOn}${until}${why}.`);
  } else if (!findOpenRanges(calendar, wish).some((open) => containsRange(open, wish))) {
    const hours = formatOpeningHours(calendar, wish.start);
    yield toViolation('OUTSIDE_OPENING_HOURS', `${location.name} ${hours}.`);
  }
}

function* checkDuration(ground: ResourceSchedule, wish: TimeRange): Generator<Violation> {
  const { resource, calendar } = ground;
  const { name, minMinutes, maxMinutes, slotIntervalMinutes } = resource;
  const minutes = countBookingMinutes(ground, wish);
  if (minutes < minMinutes)
    yield toViolation('TOO_SHORT', `${name} is booked for at least ${minMinutes} minutes.`);
  if (minutes > maxMinutes)
    yield toViolation('TOO_LONG', `${name} is booked for at most ${maxMinutes} minutes.`);
  if (
    !isOnGrid(wish.start, slotIntervalMinutes, calendar.timeZone) ||
    minutes % slotIntervalMinutes !== 0
  ) {
    yield toViolation(
      'NOT_ON_GRID',
      `Bookings of ${name} begin every ${slotIntervalMinutes} minutes, counted from midnight, and last a multiple of that.`,
    );
  }
}

function* checkBookingWindow(
  ground: ResourceSchedule,
  wish: TimeRange,
  now: number,
): Generator<Violation> {
  const { resource, calendar } = ground;
  const starts = toBookingWindow(ground, now);
  if (wish.start < now) {
    yield toViolation('TOO_SOON', 'That time has passed.');
  } else if (wish.start < starts.start) {
    yield toViolation(
      'TOO_SOON',
      `${resource.name} is booked at least ${resource.minNoticeMinutes} minutes before.`,
    );
  }
  if (wish.start >= starts.end) {
    const last = formatDay(starts.end - 1, calendar.timeZone);
    yield toViolation(
      'TOO_FAR_AHEAD',
      `${resource.name} is booked at most ${resource.maxAdvanceDays} days ahead, until ${last}.`,
    );
  }
}

function* checkQuota(
  ground: ResourceSchedule,
  terms: Entitlement,
  wish: TimeRange,
): Generator<Violation> {
  const { resource, calendar } = ground;
  const { limitMinutes, bookedMinutes, planName } = terms;
  if (limitMinutes === null || bookedMinutes + countBookingMinutes(ground, wish) <= limitMinutes)
    return;
  const month = toZonedDateTime(wish.start, calendar.timeZone).toPlainDate().toString().slice(0, 7);
  yield toViolation(
    'QUOTA_USED_UP',
    `${planName} allows ${limitMinutes / 60} hours of ${resource.type} bookings a month; ${formatHours(bookedMinutes)} are booked in ${month}.`,
  );
}

const formatHours = (minutes: number) => `${Math.round((minutes / 60) * 100) / 100} hours`;

const toViolation = (reason: ViolationReason, message: string): Violation => ({ reason, message });

/** Why a booking cannot be had, in the order in which they are told. */
export const VIOLATION_REASONS = [
  'SLOT_TAKEN',
  'RESOURCE_INACTIVE',
  'MEMBER_INACTIVE',
  'CLOSED',
  'OUTSIDE_OPENING_HOURS',
  'TOO_SHORT',
  'TOO_LONG',
  'NOT_ON_GRID',
  'TOO_SOON',
  'TOO_FAR_AHEAD',
  'QUOTA_USED_UP',
] as const;
export type ViolationReason = (typeof VIOLATION_REASONS)[number];

/** What no permission helps against: two things in one place, and a resource that is out of use. */
const HARD_REASONS: readonly ViolationReason[] = ['SLOT_TAKEN', 'RESOURCE_INACTIVE'];

export const isOverridable = (reason: ViolationReason) => !HARD_REASONS.includes(reason);

/** One reason, with a sentence for a person. */
export interface Violation {
  reason: ViolationReason;
  message: string;
}
