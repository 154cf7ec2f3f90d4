import type { Context } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import { HOUR_MS, toZonedDateTime } from '../../core/time/time-zone.ts';
import { DomainError, notFound } from '../../errors.ts';
import { MAX_BUFFER_MS } from '../spaces/types.ts';
import {
  type Entitlements,
  findEntitlements,
  lockMemberships,
  NO_ENTITLEMENTS,
} from './entitlements.ts';
import type { Holder } from './holder-and-times.ts';
import { findResourceSchedules, type ResourceSchedule } from './resource-schedule.ts';
import type { BookingStatus } from './rows.ts';
import { evaluateRules, type RequestedSlot, type RuleEvaluation } from './rules/booking-rules.ts';
import { type Entitlement, type Quote, quotePrice } from './rules/pricing.ts';
import { countBookingMinutes } from './rules/slots.ts';

export interface EvaluationRequest {
  resourceId: string;
  range: TimeRange;
  holder: Pick<Holder, 'memberId'>;
  override: boolean;
  /** Bookings that this one replaces. They do not block it, and their usage does not count. */
  excludedIds?: string[];
}

/** The outcome for a requested slot, with the data that it is based on. */
export interface Evaluation extends RuleEvaluation {
  requested: RequestedSlot;
  schedule: ResourceSchedule;
  entitlements: Entitlements;
  entitlement: Entitlement;
  quote: Quote;
}

/**
 * Evaluates a requested booking: rules, conflicts and price. Takes two statements, or one for guests.
 *
 * @throws NOT_FOUND for the resource or the member
 */
export async function evaluateBooking(
  ctx: Context,
  request: EvaluationRequest,
): Promise<Evaluation> {
  const { range, override, excludedIds } = request;
  const schedule = await getResourceSchedule(
    ctx,
    request.resourceId,
    withLongestBuffer(range),
    excludedIds,
  );
  const day = toDayAtResource(schedule, range.start);
  const entitlements = await getEntitlements(ctx, request.holder, [day], excludedIds);
  return evaluateSlot(ctx, schedule, entitlements, { ...range, override });
}

/** Extends a range by the longest buffer, since the buffer of a booking can be after it. */
export const withLongestBuffer = ({ start, end }: TimeRange): TimeRange => ({
  start,
  end: end + MAX_BUFFER_MS,
});

/**
 * Evaluates a requested booking while the memberships of its holder are locked until the transaction ends, so that concurrent
 * bookings cannot use the same included hours. A membership can begin between two evaluations, so that it is locked and evaluated
 * again. `locked` has the ids of the memberships that the transaction has locked already.
 *
 * @throws as `evaluateBooking`
 */
export async function evaluateWithLockedMemberships(
  ctx: Context,
  request: EvaluationRequest,
  locked: readonly string[],
): Promise<Evaluation> {
  const evaluation = await evaluateBooking(ctx, request);
  const others = evaluation.entitlements.membershipIds.filter((id) => !locked.includes(id));
  if (others.length === 0) return evaluation;
  await lockMemberships(ctx, others);
  return evaluateWithLockedMemberships(ctx, request, [...locked, ...others]);
}

/** Evaluates a slot with a schedule and entitlements that are already loaded. */
export function evaluateSlot(
  ctx: Context,
  schedule: ResourceSchedule,
  entitlements: Entitlements,
  slot: Omit<RequestedSlot, 'minutes'>,
): Evaluation {
  const { minutes, entitlement, quote } = quoteSlot(schedule, entitlements, slot);
  const requested = { ...slot, minutes };
  return {
    requested,
    schedule,
    entitlements,
    entitlement,
    quote,
    ...evaluateRules(schedule, entitlements.booker, entitlement, requested, ctx.now().getTime()),
  };
}

/** What prices of a resource depend on. */
export interface PricedResource {
  resource: Pick<ResourceSchedule['resource'], 'type' | 'pricePerHour' | 'gridMinutes'>;
  calendar: { timeZone: string };
}

/** The length of a slot that counts, and what it costs. */
export interface SlotQuote {
  minutes: number;
  entitlement: Entitlement;
  quote: Quote;
}

/** Quotes a slot with entitlements that are already loaded. @throws VALIDATION, reason PRICE_TOO_HIGH */
export function quoteSlot(
  priced: PricedResource,
  entitlements: Entitlements,
  slot: TimeRange,
): SlotQuote {
  const { type, pricePerHour } = priced.resource;
  const entitlement = entitlements.get(toDayAtResource(priced, slot.start), type);
  const minutes = countBookingMinutes(priced, slot);
  const quote = assertAffordable(quotePrice(pricePerHour, minutes, entitlement));
  return { minutes, entitlement, quote };
}

/** Amounts are 32-bit integers in the database and in GraphQL. */
function assertAffordable(quote: Quote): Quote {
  if (quote.price.amount < 2 ** 31) return quote;
  throw new DomainError(
    'VALIDATION',
    'The price is too high for one booking. Split it into several bookings.',
    { reason: 'PRICE_TOO_HIGH', fields: ['endsAt'] },
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
  range: TimeRange,
  excludedIds?: string[],
): Promise<ResourceSchedule> {
  const [schedule] = isUuid(resourceId)
    ? await findResourceSchedules(ctx, { ids: [resourceId] }, range, excludedIds)
    : [];
  if (!schedule) throw notFound('resource', resourceId);
  return schedule;
}

/**
 * Reads the entitlements of the holder on these days (YYYY-MM-DD).
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
export const toDayAtResource = ({ calendar }: Pick<PricedResource, 'calendar'>, instant: number) =>
  toZonedDateTime(instant, calendar.timeZone).toPlainDate().toString();

/** Bookings by members need approval if the resource requires it; staff and tokens approve by booking. */
export const chooseInitialStatus = (
  { viewer }: Context,
  { schedule }: Evaluation,
): BookingStatus =>
  schedule.resource.requiresApproval && viewer.kind === 'member' ? 'pending' : 'confirmed';

/** Returns the last instant at which cancelling is free, in milliseconds since 1970. */
export const toFreeCancellationDeadline = (
  resource: { freeCancellationHours: number },
  start: number,
) => start - resource.freeCancellationHours * HOUR_MS;
