import {
  formatClockTime,
  formatLongDate,
  formatLongTimeRange,
  formatMonth,
  formatWeekday,
} from '../../../core/time/format.ts';
import {
  findClosure,
  findOpenRanges,
  listOpeningHours,
  type OpeningCalendar,
} from '../../../core/time/opening-hours.ts';
import {
  containsRange,
  getDurationMinutes,
  hasOverlap,
  type TimeRange,
} from '../../../core/time/time-range.ts';
import { toLocalDate, toZonedDateTime, WEEK_MINUTES } from '../../../core/time/time-zone.ts';
import { toOccupiedRange } from '../../spaces/types.ts';
import type { BusyRange, ResourceSchedule } from '../resource-schedule.ts';
import { type Entitlement, isWithinLimit } from './pricing.ts';
import { isMultipleOfInterval, isOnGrid, toBookingWindow } from './slots.ts';

/** The member who books. Guests have no booker. */
export interface Booker {
  id: string;
  name: string;
  status: 'active' | 'paused' | 'former';
}

export interface RequestedSlot extends TimeRange {
  /** As `countBookingMinutes` counts them. */
  minutes: number;
  /** Ignore the overridable rules. */
  override: boolean;
}

/** Violations and conflicts of a requested slot. Both are empty if it can be booked. */
export interface RuleEvaluation {
  violations: Violation[];
  collisions: BusyRange[];
}

/** Evaluates all booking rules. `now` is in milliseconds since 1970. Preview, booking, series and rescheduling share it. */
export function evaluateRules(
  schedule: ResourceSchedule,
  booker: Booker | null,
  entitlement: Entitlement,
  requested: RequestedSlot,
  now: number,
): RuleEvaluation {
  const collisions = findCollisions(schedule, requested);
  const violations = [
    ...checkSlotTaken(schedule, requested, collisions),
    ...checkActive(schedule, booker),
    ...checkOpeningHours(schedule, requested),
    ...checkDuration(schedule, requested),
    ...checkBookingWindow(schedule, requested, now),
    ...checkQuota(schedule, entitlement, requested),
  ];
  return {
    collisions,
    violations: violations.filter(({ reason }) => !requested.override || !isOverridable(reason)),
  };
}

const findCollisions = ({ resource, busy }: ResourceSchedule, requested: TimeRange) => {
  const occupied = toOccupiedRange(resource, requested);
  return busy.filter((range) => hasOverlap(range, occupied));
};

function* checkSlotTaken(
  { resource, calendar }: ResourceSchedule,
  requested: TimeRange,
  [first]: BusyRange[],
): Generator<Violation> {
  if (!first) return;
  const times = formatLongTimeRange(first.start, first.endsAt, calendar.timeZone);
  yield toViolation(
    'SLOT_TAKEN',
    `${resource.name} is booked from ${times}${formatBuffer(resource, requested, first)}.`,
  );
}

/** Says why a time before or after another booking is not free. That one keeps the buffer that applied when it was made. */
function formatBuffer(
  { bufferMinutes }: ResourceSchedule['resource'],
  requested: TimeRange,
  { endsAt, end }: BusyRange,
): string {
  if (requested.start >= endsAt)
    return `, and is kept free for ${getDurationMinutes({ start: endsAt, end })} minutes after it`;
  return bufferMinutes ? `, and needs ${bufferMinutes} free minutes after each booking` : '';
}

function* checkActive({ resource }: ResourceSchedule, booker: Booker | null): Generator<Violation> {
  if (!resource.active)
    yield toViolation('RESOURCE_INACTIVE', `${resource.name} is not available for booking.`);
  if (booker && booker.status !== 'active') {
    const state = { paused: 'is paused', former: 'has ended' }[booker.status];
    yield toViolation(
      'MEMBER_INACTIVE',
      `The membership of ${booker.name} ${state} and cannot be used for bookings.`,
    );
  }
}

function* checkOpeningHours(
  { calendar, location }: ResourceSchedule,
  requested: RequestedSlot,
): Generator<Violation> {
  // checkDuration reports bookings of this length, since no resource allows them.
  if (requested.minutes > WEEK_MINUTES) return;
  const closure = findClosure(calendar, requested);
  if (closure) {
    const end = closure.endsOn === closure.startsOn ? '' : ` to ${formatLongDate(closure.endsOn)}`;
    const reason = closure.reason ? ` (${closure.reason})` : '';
    yield toViolation(
      'CLOSED',
      `${location.name} is closed on ${formatLongDate(closure.startsOn)}${end}${reason}.`,
    );
  } else if (!findOpenRanges(calendar, requested).some((open) => containsRange(open, requested))) {
    const hours = formatOpeningHours(calendar, requested.start);
    yield toViolation('OUTSIDE_OPENING_HOURS', `${location.name} ${hours}.`);
  }
}

/** Formats the opening hours of an instant's day: "is open on Mondays from 09:00 to 18:00". */
function formatOpeningHours(calendar: OpeningCalendar, instant: number): string {
  const date = toZonedDateTime(instant, calendar.timeZone).toPlainDate();
  const day = `${formatWeekday(date.dayOfWeek)}s`;
  const spans = listOpeningHours(calendar, date);
  if (spans.length === 0) return `is not open on ${day}`;
  const words = spans.map(
    ([opens, closes]) => `from ${formatClockTime(opens)} to ${formatClockTime(closes)}`,
  );
  return `is open on ${day} ${words.join(' and ')}`;
}

function* checkDuration(
  schedule: ResourceSchedule,
  requested: RequestedSlot,
): Generator<Violation> {
  const { resource, calendar } = schedule;
  const { start, minutes } = requested;
  const { name, minMinutes, maxMinutes, gridMinutes } = resource;
  if (minutes < minMinutes)
    yield toViolation(
      'TOO_SHORT',
      `Bookings of ${name} last at least ${formatMinutes(minMinutes)}.`,
    );
  if (minutes > maxMinutes)
    yield toViolation('TOO_LONG', `Bookings of ${name} last at most ${formatMinutes(maxMinutes)}.`);
  if (
    !isOnGrid(start, gridMinutes, calendar.timeZone) ||
    !isMultipleOfInterval(schedule, requested)
  ) {
    yield toViolation(
      'NOT_ON_GRID',
      gridMinutes % DAY_MINUTES === 0
        ? `Bookings of ${name} start at midnight and last whole days${gridMinutes > DAY_MINUTES ? `, in steps of ${formatMinutes(gridMinutes)}` : ''}.`
        : `Bookings of ${name} start every ${gridMinutes} minutes, counted from midnight, and last a multiple of ${gridMinutes} minutes.`,
    );
  }
}

const DAY_MINUTES = 24 * 60;

/** Formats a duration of whole days in days, and any other in minutes. */
function formatMinutes(minutes: number): string {
  const days = minutes / DAY_MINUTES;
  if (!Number.isInteger(days)) return `${minutes} minutes`;
  return days === 1 ? '1 day' : `${days} days`;
}

function* checkBookingWindow(
  schedule: ResourceSchedule,
  requested: TimeRange,
  now: number,
): Generator<Violation> {
  const { resource, calendar } = schedule;
  const window = toBookingWindow(schedule, now);
  if (requested.start < now) {
    yield toViolation('TOO_SOON', 'This time has passed.');
  } else if (requested.start < window.start) {
    yield toViolation(
      'TOO_SOON',
      `Book ${resource.name} at least ${resource.noticeMinutes} minutes in advance.`,
    );
  }
  if (requested.start >= window.end) {
    const last = formatLongDate(toLocalDate(window.end - 1, calendar.timeZone));
    yield toViolation(
      'TOO_FAR_AHEAD',
      `${resource.name} can be booked at most ${resource.daysAhead} days in advance, until ${last}.`,
    );
  }
}

function* checkQuota(
  { resource, calendar }: ResourceSchedule,
  entitlement: Entitlement,
  requested: RequestedSlot,
): Generator<Violation> {
  const { limitMinutes, bookedMinutes, planName } = entitlement;
  if (limitMinutes === null || isWithinLimit(entitlement, requested.minutes)) return;
  const month = formatMonth(toLocalDate(requested.start, calendar.timeZone));
  yield toViolation(
    'QUOTA_USED_UP',
    `${planName} allows ${limitMinutes / 60} hours of ${resource.type} bookings a month; ${formatHours(bookedMinutes)} are booked in ${month}. ${toQuotaAdvice(limitMinutes - bookedMinutes)}`,
  );
}

const toQuotaAdvice = (leftMinutes: number) =>
  leftMinutes > 0
    ? `Book at most ${formatHours(leftMinutes)}.`
    : 'Book in another month, or ask for another plan.';

const formatHours = (minutes: number) => `${Math.round((minutes / 60) * 100) / 100} hours`;

const toViolation = (reason: ViolationReason, message: string): Violation => ({ reason, message });

/** Reason codes of violations, in the order in which they are reported. */
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

/** Reasons that even staff cannot override. */
const HARD_REASONS: readonly ViolationReason[] = ['SLOT_TAKEN', 'RESOURCE_INACTIVE'];

export const isOverridable = (reason: ViolationReason) => !HARD_REASONS.includes(reason);

/** Reasons for which another time does not help. */
const REASONS_AT_ANY_TIME: readonly ViolationReason[] = ['RESOURCE_INACTIVE', 'MEMBER_INACTIVE'];

/**
 * Whether another time could help. The limit of a plan applies to each month, and another membership can apply on another day, so
 * `QUOTA_USED_UP` depends on the time. Someone who cannot book at all gets no alternatives.
 */
export const isTimeDependent = ({ reason }: Violation) => !REASONS_AT_ANY_TIME.includes(reason);

/** A violated rule: its reason code and a sentence for people. */
export interface Violation {
  reason: ViolationReason;
  message: string;
}
