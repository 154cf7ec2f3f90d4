import { canSeeAll } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Money } from '../../core/money.ts';
import { createInstantFormatter, type InstantFormatter } from '../../core/time/format.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import { type Instant, MINUTE_MS, toInstant } from '../../core/time/time-zone.ts';
import { DomainError, type RetryableConflict } from '../../errors.ts';
import {
  chooseInitialStatus,
  type Evaluation,
  toFreeCancellationDeadline,
  toSearchRange,
} from './evaluate-booking.ts';
import type { BusyRange } from './resource-schedule.ts';
import {
  isOverridable,
  isTimeViolation,
  type Violation,
  type ViolationReason,
} from './rules/booking-rules.ts';
import type { PriceLine } from './rules/pricing.ts';
import { countBookingMinutes, findFreeSlots, findNearestSlots } from './rules/slots.ts';
import { type BookingStatus, slotTakenMeanwhile } from './types.ts';

export interface Slot {
  startsAt: Instant;
  endsAt: Instant;
  /** The start in the location's time zone, with its UTC offset, which distinguishes times that occur twice. */
  localStart: string;
}

/** A conflicting booking or event, with the details that the viewer can see. */
export interface Collision {
  startsAt: Instant;
  endsAt: Instant;
  bookingId: string | null;
  title: string | null;
  holder: string | null;
}

export interface PreviewResult {
  allowed: boolean;
  reasons: { reason: ViolationReason; message: string; overridable: boolean }[];
  /** The initial status of the booking: pending if the resource requires approval. */
  status: BookingStatus;
  price: Money;
  lines: PriceLine[];
  /** The last instant at which cancelling is free. */
  freeCancellationUntil: Instant;
  collisions: Collision[];
  /** The nearest free slots of the same length, nearest first; empty when the requested slot is available. */
  alternatives: Slot[];
}

const MAX_ALTERNATIVES = 3;

/** Converts an evaluation to the result of a preview. Names of conflicting bookings are hidden from other members. */
export function toPreview(ctx: Context, evaluation: Evaluation): PreviewResult {
  const { violations, quote, requested, schedule } = evaluation;
  return {
    allowed: violations.length === 0,
    reasons: violations.map(toOverridableReason),
    status: chooseInitialStatus(ctx, evaluation),
    price: quote.price,
    lines: quote.lines,
    freeCancellationUntil: toInstant(
      new Date(toFreeCancellationDeadline(schedule.resource, requested.start)),
    ),
    collisions: toVisibleCollisions(ctx, evaluation),
    alternatives:
      violations.some(isTimeViolation) && violations.every(isTimeViolation)
        ? findAlternatives(ctx, evaluation)
        : [],
  };
}

/** Adds whether staff can override the violation. */
export const toOverridableReason = (violation: Violation) => ({
  ...violation,
  overridable: isOverridable(violation.reason),
});

/**
 * Rejects a booking that violates a rule.
 *
 * @throws CONFLICT if the slot is not free, VALIDATION for any other rule
 */
export function assertNoViolations(ctx: Context, evaluation: Evaluation): void {
  const [first] = evaluation.violations;
  if (!first) return;
  const { reasons, collisions, alternatives } = toPreview(ctx, evaluation);
  const sentences = evaluation.violations.map(({ message }) => message);
  throw new DomainError(
    first.reason === 'SLOT_TAKEN' ? 'CONFLICT' : 'VALIDATION',
    [...sentences, ...formatAlternatives(alternatives, evaluation.schedule.calendar.timeZone)].join(
      ' ',
    ),
    { reason: first.reason, reasons, collisions, alternatives },
  );
}

/** Returns the error for a slot that concurrent bookings took on every attempt. `runInTransaction` retries after it. */
export function slotConflict(ctx: Context, evaluation: Evaluation): RetryableConflict {
  const alternatives = findAlternatives(ctx, evaluation);
  return slotTakenMeanwhile({ alternatives });
}

function formatAlternatives(alternatives: Slot[], timeZone: string): string[] {
  if (alternatives.length === 0) return [];
  const starts = alternatives.map(({ localStart }) => localStart.slice(0, 16).replace('T', ' '));
  return [`Free times: ${starts.join(', ')} (${timeZone}).`];
}

function toVisibleCollisions(
  { viewer }: Context,
  { collisions, schedule }: Evaluation,
): Collision[] {
  const seesAll = canSeeAll(viewer, 'bookings:read');
  const formatter = createInstantFormatter(schedule.calendar.timeZone);
  return collisions.map((busy) => {
    const isOwn = viewer.kind === 'member' && busy.memberId === viewer.id;
    return {
      ...toSlot({ start: busy.start, end: busy.endsAt }, formatter),
      ...toVisibleNames(busy, seesAll || isOwn),
    };
  });
}

const toVisibleNames = ({ bookingId, title, holder }: BusyRange, isVisible: boolean) =>
  isVisible ? { bookingId, title, holder } : { bookingId: null, title: null, holder: null };

function findAlternatives(ctx: Context, { schedule, requested }: Evaluation): Slot[] {
  const { start, end } = toSearchRange(requested);
  const searchRange = { start, end: end - schedule.resource.bufferMinutes * MINUTE_MS };
  const slots = findFreeSlots(
    schedule,
    countBookingMinutes(schedule, requested),
    searchRange,
    ctx.now().getTime(),
  );
  const formatter = createInstantFormatter(schedule.calendar.timeZone);
  return findNearestSlots(slots, requested, MAX_ALTERNATIVES).map((slot) =>
    toSlot(slot, formatter),
  );
}

export const toSlot = ({ start, end }: TimeRange, formatter: InstantFormatter): Slot => ({
  startsAt: formatter.toUtc(start),
  endsAt: formatter.toUtc(end),
  localStart: formatter.toLocal(start),
});
