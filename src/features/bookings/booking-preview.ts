import { canSeeAll } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Money } from '../../core/money.ts';
import { formatLongTimes, formatTimeZone } from '../../core/time/format.ts';
import {
  createInstantFormatter,
  type InstantFormatter,
} from '../../core/time/instant-formatter.ts';
import { listDates } from '../../core/time/opening-hours.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import { DAY_MS, type Instant, toInstant } from '../../core/time/time-zone.ts';
import { DomainError } from '../../errors.ts';
import type { Entitlements } from './entitlements.ts';
import {
  chooseInitialStatus,
  type Evaluation,
  type EvaluationRequest,
  getEntitlements,
  getResourceSchedule,
  toFreeCancellationDeadline,
  withLongestBuffer,
} from './evaluate-booking.ts';
import type { BusyRange, ResourceSchedule } from './resource-schedule.ts';
import type { BookingStatus } from './rows.ts';
import {
  isOverridable,
  isTimeDependent,
  type Violation,
  type ViolationReason,
} from './rules/booking-rules.ts';
import { isWithinLimit, type PriceLine, quotePrice } from './rules/pricing.ts';
import { findFreeSlots, findNearestSlots, type StartBudget } from './rules/slots.ts';

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
/** How far from a requested slot its alternatives are searched, before and after it. */
const MAX_ALTERNATIVE_DISTANCE_MS = 7 * DAY_MS;

/** Converts an evaluation to the result of a preview. Names of conflicting bookings are hidden from other members. */
export async function toPreview(
  ctx: Context,
  request: EvaluationRequest,
  evaluation: Evaluation,
): Promise<PreviewResult> {
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
      violations.length > 0 && violations.every(isTimeDependent)
        ? await findAlternatives(ctx, request, evaluation)
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
export async function assertNoViolations(
  ctx: Context,
  request: EvaluationRequest,
  evaluation: Evaluation,
): Promise<void> {
  const [first] = evaluation.violations;
  if (!first) return;
  const { reasons, collisions, alternatives } = await toPreview(ctx, request, evaluation);
  const sentences = evaluation.violations.map(({ message }) => message);
  throw new DomainError(
    first.reason === 'SLOT_TAKEN' ? 'CONFLICT' : 'VALIDATION',
    [...sentences, ...formatAlternatives(alternatives, evaluation.schedule.calendar.timeZone)].join(
      ' ',
    ),
    { reason: first.reason, reasons, collisions, alternatives },
  );
}

function formatAlternatives(alternatives: Slot[], timeZone: string): string[] {
  if (alternatives.length === 0) return [];
  const starts = formatLongTimes(
    alternatives.map(({ startsAt }) => startsAt),
    timeZone,
  );
  return [`Free times: ${starts} (${formatTimeZone(timeZone)}).`];
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

async function findAlternatives(
  ctx: Context,
  { resourceId, holder, excludedIds }: EvaluationRequest,
  { requested }: Evaluation,
): Promise<Slot[]> {
  const now = ctx.now().getTime();
  const range = {
    start: Math.max(now, requested.start - MAX_ALTERNATIVE_DISTANCE_MS),
    end: requested.end + MAX_ALTERNATIVE_DISTANCE_MS,
  };
  if (range.end <= range.start) return [];
  const schedule = await getResourceSchedule(
    ctx,
    resourceId,
    withLongestBuffer(range),
    excludedIds,
  );
  const days = [...listDates(range, schedule.calendar.timeZone)].map(String);
  const entitlements = await getEntitlements(ctx, holder, days, excludedIds);
  const formatter = createInstantFormatter(schedule.calendar.timeZone);
  const slots = findBookableSlots(schedule, entitlements, requested.minutes, {
    range,
    now,
    formatter,
  });
  return findNearestSlots(slots, requested, MAX_ALTERNATIVES).map((slot) =>
    toSlot(slot, formatter),
  );
}

/** A slot with its start in local time and its price. */
export interface BookableSlot extends TimeRange {
  localStart: string;
  price: Money;
}

/**
 * Finds the free slots of a length that these entitlements allow, with their prices, in order of time.
 */
export function* findBookableSlots(
  schedule: ResourceSchedule,
  entitlements: Entitlements,
  minutes: number,
  {
    range,
    now,
    formatter,
    budget,
  }: { range: TimeRange; now: number; formatter: InstantFormatter; budget?: StartBudget },
): Generator<BookableSlot> {
  const { type, pricePerHour } = schedule.resource;
  if (entitlements.booker && entitlements.booker.status !== 'active') return;
  /** By day; null if the plan does not allow the booking. */
  const prices = new Map<string, Money | null>();
  for (const slot of findFreeSlots(schedule, minutes, range, now, budget)) {
    const localStart = formatter.toLocal(slot.start);
    const day = localStart.slice(0, 10);
    let price = prices.get(day);
    if (price === undefined) {
      const entitlement = entitlements.get(day, type);
      price = isWithinLimit(entitlement, minutes)
        ? quotePrice(pricePerHour, minutes, entitlement).price
        : null;
      prices.set(day, price);
    }
    if (price) yield { ...slot, localStart, price };
  }
}

export const toSlot = ({ start, end }: TimeRange, formatter: InstantFormatter): Slot => ({
  startsAt: formatter.toUtc(start),
  endsAt: formatter.toUtc(end),
  localStart: formatter.toLocal(start),
});
