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

/** Where the alternatives to a wish are looked for. */
const toSearchRange = ({ start, end }: TimeRange): TimeRange => ({
  start: start - DAY_MS,
  end: end + 7 * DAY_MS,
});

export interface EvaluationRequest {
  resourceId: string;
  span: TimeRange;
  holder: Pick<Holder, 'memberId'>;
  override: boolean;
  /** Bookings that make room for it. */
  except?: string[];
}

/** A wish with everything that bears on it. */
export interface Evaluation extends RuleEvaluation {
  requested: RequestedSlot;
  schedule: ResourceSchedule;
  entitlements: Entitlements;
  entitlement: Entitlement;
  quote: Quote;
}

/** Reads in two statements, one for guests, and judges. Throws NOT_FOUND for the resource or the member. */
export async function evaluateBooking(
  ctx: Context,
  question: EvaluationRequest,
): Promise<Evaluation> {
  const { span, override, except } = question;
  const ground = await getResourceSchedule(ctx, question.resourceId, toSearchRange(span), except);
  const day = toLocalDate(ground, span.start);
  const contracts = await getEntitlements(ctx, question.holder, [day], except);
  return evaluateSlot(ctx, ground, contracts, { ...span, override });
}

/** The same on what has been read. */
export function evaluateSlot(
  ctx: Context,
  ground: ResourceSchedule,
  contracts: Entitlements,
  wish: RequestedSlot,
): Evaluation {
  const { type, pricePerHour } = ground.resource;
  const terms = contracts.get(toLocalDate(ground, wish.start), type);
  return {
    requested: wish,
    schedule: ground,
    entitlements: contracts,
    entitlement: terms,
    quote: assertAffordable(quotePrice(pricePerHour, countBookingMinutes(ground, wish), terms)),
    ...evaluateRules(ground, contracts.booker, terms, wish, ctx.now().getTime()),
  };
}

/** Amounts have 31 bits, in the database and in GraphQL. */
function assertAffordable(quote: Quote): Quote {
  if (quote.price.amount < 2 ** 31) return quote;
  throw new DomainError(
    'VALIDATION',
    'This costs more than can be booked at once. Book it in parts.',
    {
      reason: 'PRICE_TOO_HIGH',
    },
  );
}

export async function getResourceSchedule(
  ctx: Context,
  resourceId: string,
  span: TimeRange,
  except?: string[],
): Promise<ResourceSchedule> {
  const [ground] = isUuid(resourceId)
    ? await findResourceSchedules(ctx, { ids: [resourceId] }, span, except)
    : [];
  if (!ground) throw notFound('resource');
  return ground;
}

export async function getEntitlements(
  ctx: Context,
  { memberId }: Pick<Holder, 'memberId'>,
  days: string[],
  except?: string[],
): Promise<Entitlements> {
  if (memberId === null) return NO_ENTITLEMENTS;
  const contracts = isUuid(memberId) ? await findEntitlements(ctx, memberId, days, except) : null;
  if (!contracts) throw notFound('member');
  return contracts;
}

/** By the location's wall clock, as YYYY-MM-DD. */
export const toLocalDate = ({ calendar }: ResourceSchedule, instant: number) =>
  toZonedDateTime(instant, calendar.timeZone).toPlainDate().toString();

export interface Slot {
  startsAt: Instant;
  endsAt: Instant;
  /** The start as the location's clocks show it, with the offset: it tells apart what they show twice. */
  localStart: string;
}

/** What stands in the way, as far as the viewer may know. */
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
  /** What the booking would be: pending where the resource asks for approval. */
  status: BookingStatus;
  price: Money;
  lines: PriceLine[];
  /** Cancelled until then, it costs nothing. */
  freeCancellationUntil: Instant;
  collisions: Collision[];
  /** The nearest free slots of the same length, nearest first; none where the wish itself can be had. */
  alternatives: Slot[];
}

const MAX_ALTERNATIVES = 3;

/** Whether another time may help. Who may not book at all is not offered one. */
const isTimeViolation = ({ reason }: Violation) =>
  !['RESOURCE_INACTIVE', 'MEMBER_INACTIVE', 'QUOTA_USED_UP'].includes(reason);

export function toPreview(ctx: Context, considered: Evaluation): PreviewResult {
  const { violations, quote, requested, schedule } = considered;
  return {
    allowed: violations.length === 0,
    reasons: violations.map((one) => ({ ...one, overridable: isOverridable(one.reason) })),
    status: chooseInitialStatus(ctx, considered),
    price: quote.price,
    lines: quote.lines,
    freeCancellationUntil: toInstant(
      new Date(toFreeCancellationDeadline(schedule.resource, requested.start)),
    ),
    collisions: toVisibleCollisions(ctx, considered),
    alternatives:
      violations.some(isTimeViolation) && violations.every(isTimeViolation)
        ? findAlternatives(ctx, considered)
        : [],
  };
}

/** Throws, if anything speaks against it: CONFLICT where the slot is taken, VALIDATION where a rule is broken. */
export function assertNoViolations(ctx: Context, considered: Evaluation): void {
  const [first] = considered.violations;
  if (!first) return;
  const { reasons, collisions, alternatives } = toPreview(ctx, considered);
  const sentences = considered.violations.map(({ message }) => message);
  throw new DomainError(
    first.reason === 'SLOT_TAKEN' ? 'CONFLICT' : 'VALIDATION',
    [...sentences, ...formatAlternatives(alternatives, considered.schedule.calendar.timeZone)].join(
      ' ',
    ),
    { reason: first.reason, reasons, collisions, alternatives },
  );
}

/** Somebody was faster every time; here is what is free now. Thrown, it has the whole decided anew. */
export function slotConflict(ctx: Context, considered: Evaluation): RetryableConflict {
  const alternatives = findAlternatives(ctx, considered);
  return new RetryableConflict({ alternatives });
}

function formatAlternatives(alternatives: Slot[], timeZone: string): string[] {
  if (alternatives.length === 0) return [];
  const starts = alternatives.map(({ localStart }) => localStart.slice(0, 16).replace('T', ' '));
  return [`Free instead: ${starts.join(', ')} (${timeZone}).`];
}

/** Members wait for approval where the resource asks for it; whoever books for others has given it. */
export const chooseInitialStatus = (
  { viewer }: Context,
  { schedule }: Evaluation,
): BookingStatus =>
  schedule.resource.requiresApproval && viewer.kind === 'member' ? 'pending' : 'confirmed';

export const toFreeCancellationDeadline = (
  resource: { freeCancellationHours: number },
  start: number,
) => start - resource.freeCancellationHours * 60 * MINUTE_MS;

function toVisibleCollisions(
  { viewer }: Context,
  { collisions, schedule }: Evaluation,
): Collision[] {
  const knowsAll = canSeeAll(viewer, 'bookings:read');
  const clock = createOffsetFormatter(schedule.calendar.timeZone);
  return collisions.map((busy) => {
    const mine = viewer.kind === 'member' && busy.memberId === viewer.id;
    return {
      ...toSlot({ start: busy.start, end: busy.until }, clock),
      ...toVisibleNames(busy, knowsAll || mine),
    };
  });
}

const toVisibleNames = ({ bookingId, title, holder }: BusyRange, known: boolean) =>
  known ? { bookingId, title, holder } : { bookingId: null, title: null, holder: null };

function findAlternatives(ctx: Context, { schedule, requested }: Evaluation): Slot[] {
  const { start, end } = toSearchRange(requested);
  const known = { start, end: end - schedule.resource.bufferMinutes * MINUTE_MS };
  const slots = findFreeSlots(
    schedule,
    countBookingMinutes(schedule, requested),
    known,
    ctx.now().getTime(),
  );
  const clock = createOffsetFormatter(schedule.calendar.timeZone);
  return findNearestSlots(slots, requested, MAX_ALTERNATIVES).map((slot) => toSlot(slot, clock));
}

export const toSlot = ({ start, end }: TimeRange, clock: OffsetFormatter): Slot => ({
  startsAt: toInstant(new Date(start)),
  endsAt: toInstant(new Date(end)),
  localStart: clock(start),
});
