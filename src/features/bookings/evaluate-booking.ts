import { canSeeAll } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { Money } from '../../core/money.ts';
import { type Instant, toInstant } from '../../core/time/instant.ts';
import { createOffsetFormatter, type OffsetFormatter } from '../../core/time/offset-formatter.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import { DAY_MS, MINUTE_MS, toZonedDateTime } from '../../core/time/time-zone.ts';
import { DomainError, notFound, RetryableConflict } from '../../errors.ts';
import type { Holder } from './booking-input.ts';
import { type Entitlements, findEntitlements, NO_ENTITLEMENTS } from './entitlements.ts';
import {
  type BusyRange,
  findResourceSchedules,
  type ResourceSchedule,
} from './resource-schedule.ts';
import {
  evaluateRules,
  isOverridable,
  type RequestedSlot,
  type RuleEvaluation,
  type Violation,
  type ViolationReason,
} from './rules/booking-rules.ts';
import { type Entitlement, type PriceLine, type Quote, quotePrice } from './rules/pricing.ts';
import { countBookingMinutes, findFreeSlots, findNearestSlots } from './rules/slots.ts';
import type { BookingStatus } from './types.ts';

/** The range in which alternatives to a requested slot are searched. */
const toSearchRange = ({ start, end }: TimeRange): TimeRange => ({
  start: start - DAY_MS,
  end: end + 7 * DAY_MS,
});

export interface EvaluationRequest {
  resourceId: string;
  span: TimeRange;
  holder: Pick<Holder, 'memberId'>;
  override: boolean;
  /** Bookings that it replaces: they do not block it and their usage does not count. */
  excludedIds?: string[];
}

/** A requested slot with everything that was considered, and the outcome. */
export interface Evaluation extends RuleEvaluation {
  requested: RequestedSlot;
  schedule: ResourceSchedule;
  entitlements: Entitlements;
  entitlement: Entitlement;
  quote: Quote;
}

/**
 * Evaluates a requested booking: rules, conflicts and price. Reads in two statements; in one for guests.
 *
 * @throws NOT_FOUND for the resource or the member
 */
export async function evaluateBooking(
  ctx: Context,
  request: EvaluationRequest,
): Promise<Evaluation> {
  const { span, override, excludedIds } = request;
  const schedule = await getResourceSchedule(
    ctx,
    request.resourceId,
    toSearchRange(span),
    excludedIds,
  );
  const day = toLocalDate(schedule, span.start);
  const entitlements = await getEntitlements(ctx, request.holder, [day], excludedIds);
  return evaluateSlot(ctx, schedule, entitlements, { ...span, override });
}

/** Evaluates a slot against a schedule and entitlements that were read before. */
export function evaluateSlot(
  ctx: Context,
  schedule: ResourceSchedule,
  entitlements: Entitlements,
  requested: RequestedSlot,
): Evaluation {
  const { type, pricePerHour } = schedule.resource;
  const entitlement = entitlements.get(toLocalDate(schedule, requested.start), type);
  return {
    requested,
    schedule,
    entitlements,
    entitlement,
    quote: assertAffordable(
      quotePrice(pricePerHour, countBookingMinutes(schedule, requested), entitlement),
    ),
    ...evaluateRules(schedule, entitlements.booker, entitlement, requested, ctx.now().getTime()),
  };
}

/** Amounts are 32-bit integers in the database and in GraphQL. */
function assertAffordable(quote: Quote): Quote {
  if (quote.price.amount < 2 ** 31) return quote;
  throw new DomainError(
    'VALIDATION',
    'The price is too high for one booking. Split it into several bookings.',
    {
      reason: 'PRICE_TOO_HIGH',
    },
  );
}

/**
 * Reads the schedule of one resource.
 *
 * @throws NOT_FOUND
 */
export async function getResourceSchedule(
  ctx: Context,
  resourceId: string,
  span: TimeRange,
  excludedIds?: string[],
): Promise<ResourceSchedule> {
  const [schedule] = isUuid(resourceId)
    ? await findResourceSchedules(ctx, { ids: [resourceId] }, span, excludedIds)
    : [];
  if (!schedule) throw notFound('resource');
  return schedule;
}

/**
 * Reads what the holder's plans grant on these days (YYYY-MM-DD).
 *
 * @throws NOT_FOUND for the member
 */
export async function getEntitlements(
  ctx: Context,
  { memberId }: Pick<Holder, 'memberId'>,
  days: string[],
  excludedIds?: string[],
): Promise<Entitlements> {
  if (memberId === null) return NO_ENTITLEMENTS;
  const entitlements = isUuid(memberId)
    ? await findEntitlements(ctx, memberId, days, excludedIds)
    : null;
  if (!entitlements) throw notFound('member');
  return entitlements;
}

/** Returns the date (YYYY-MM-DD) of an instant in the location's time zone. */
export const toLocalDate = ({ calendar }: ResourceSchedule, instant: number) =>
  toZonedDateTime(instant, calendar.timeZone).toPlainDate().toString();

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
  /** The status that the booking would start with: pending when the resource requires approval. */
  status: BookingStatus;
  price: Money;
  lines: PriceLine[];
  /** Until then, cancelling is free. */
  freeCancellationUntil: Instant;
  collisions: Collision[];
  /** The nearest free slots of the same length, nearest first; empty when the requested slot is available. */
  alternatives: Slot[];
}

const MAX_ALTERNATIVES = 3;

/** Whether another time could help. Someone who cannot book at all gets no alternatives. */
const isTimeViolation = ({ reason }: Violation) =>
  !['RESOURCE_INACTIVE', 'MEMBER_INACTIVE', 'QUOTA_USED_UP'].includes(reason);

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
 * @throws CONFLICT when the slot is taken, VALIDATION for any other rule
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

/** The slot was taken by someone else on every attempt. `runInTransaction` retries when it is thrown. */
export function slotConflict(ctx: Context, evaluation: Evaluation): RetryableConflict {
  const alternatives = findAlternatives(ctx, evaluation);
  return new RetryableConflict({ alternatives });
}

function formatAlternatives(alternatives: Slot[], timeZone: string): string[] {
  if (alternatives.length === 0) return [];
  const starts = alternatives.map(({ localStart }) => localStart.slice(0, 16).replace('T', ' '));
  return [`Free instead: ${starts.join(', ')} (${timeZone}).`];
}

/** Bookings by members need approval if the resource requires it; staff and tokens approve by booking. */
export const chooseInitialStatus = (
  { viewer }: Context,
  { schedule }: Evaluation,
): BookingStatus =>
  schedule.resource.requiresApproval && viewer.kind === 'member' ? 'pending' : 'confirmed';

/** The last instant at which cancelling is free, in milliseconds since 1970. */
export const toFreeCancellationDeadline = (
  resource: { freeCancellationHours: number },
  start: number,
) => start - resource.freeCancellationHours * 60 * MINUTE_MS;

function toVisibleCollisions(
  { viewer }: Context,
  { collisions, schedule }: Evaluation,
): Collision[] {
  const seesAll = canSeeAll(viewer, 'bookings:read');
  const formatOffset = createOffsetFormatter(schedule.calendar.timeZone);
  return collisions.map((busy) => {
    const isOwn = viewer.kind === 'member' && busy.memberId === viewer.id;
    return {
      ...toSlot({ start: busy.start, end: busy.endsAt }, formatOffset),
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
  const formatOffset = createOffsetFormatter(schedule.calendar.timeZone);
  return findNearestSlots(slots, requested, MAX_ALTERNATIVES).map((slot) =>
    toSlot(slot, formatOffset),
  );
}

export const toSlot = ({ start, end }: TimeRange, formatOffset: OffsetFormatter): Slot => ({
  startsAt: toInstant(new Date(start)),
  endsAt: toInstant(new Date(end)),
  localStart: formatOffset(start),
});
