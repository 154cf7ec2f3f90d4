import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import { createOffsetFormatter } from '../../../core/time/offset-formatter.ts';
import { listDates } from '../../../core/time/opening-hours.ts';
import type { TimeRange } from '../../../core/time/time-range.ts';
import { DAY_MS, MINUTE_MS } from '../../../core/time/time-zone.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { assertCanBookAs } from '../booking-input.ts';
import type { Entitlements } from '../entitlements.ts';
import { getEntitlements, type Slot, toSlot } from '../evaluate-booking.ts';
import {
  findResourceSchedules,
  type ResourceSchedule,
  type ResourceScheduleFilter,
} from '../resource-schedule.ts';
import { quotePrice } from '../rules/pricing.ts';
import { findFreeRanges, findFreeSlots } from '../rules/slots.ts';

export interface AvailabilityPeriod {
  /** Default: now. */
  from?: Date | undefined;
  /** Default: a week after `from`. */
  to?: Date | undefined;
  /** The length of the slots. Default: the resource's shortest booking. */
  minutes?: number | undefined;
  /** Whose prices to quote. Default: the viewer's, if the viewer is a member. */
  memberId?: string | undefined;
}

export interface PricedSlot extends Slot {
  price: Money;
}

/** The availability of one resource. Its lists are computed on demand. */
export interface Availability {
  resource: { id: string; name: string };
  /** Open and unoccupied ranges, whether or not they are bookable now. */
  free(): Slot[];
  slots(): PricedSlot[];
}

const MAX_DAYS = 31;
const DEFAULT_DAYS = 7;
/** For one response: fifty rooms for a week in quarters of an hour. More would block other requests. */
const MAX_SLOTS = 35_000;
/** Candidate starts for one response, whether free or not. */
const MAX_STARTS = 300_000;

/**
 * Finds free slots and their prices for up to 100 resources, sorted by name. Takes one statement, however many resources,
 * and one more for a member's prices.
 *
 * @throws BAD_REQUEST for a period that is empty or longer than 31 days, NOT_FOUND for the member
 */
export async function findAvailability(
  ctx: Context,
  filter: ResourceScheduleFilter,
  period: AvailabilityPeriod,
): Promise<Availability[]> {
  const span = toPeriodRange(period, ctx.now());
  const schedules = await findResourceSchedules(
    ctx,
    { ...filter, activeOnly: true },
    withLongestBuffer(span),
  );
  const entitlements = await getPeriodEntitlements(ctx, period, schedules, span);
  const budget = createSlotBudget();
  return schedules.map((schedule) => ({
    resource: { id: schedule.resource.id, name: schedule.resource.name },
    free: () => {
      const formatOffset = createOffsetFormatter(schedule.calendar.timeZone);
      return findFreeRanges(schedule, span).map((free) => toSlot(free, formatOffset));
    },
    slots: () => listPricedSlots(ctx, schedule, entitlements, span, budget, period.minutes),
  }));
}

/**
 * Finds the free slots of one resource, in order of time.
 *
 * @throws NOT_FOUND for the resource or member, BAD_REQUEST as `findAvailability`
 */
export async function findResourceSlots(
  ctx: Context,
  resourceId: string,
  period: AvailabilityPeriod,
): Promise<PricedSlot[]> {
  const span = toPeriodRange(period, ctx.now());
  const [schedule] = isUuid(resourceId)
    ? await findResourceSchedules(ctx, { ids: [resourceId] }, withLongestBuffer(span))
    : [];
  if (!schedule) throw notFound('resource');
  const entitlements = await getPeriodEntitlements(ctx, period, [schedule], span);
  return listPricedSlots(ctx, schedule, entitlements, span, createSlotBudget(), period.minutes);
}

/** A buffer lasts at most a day, and the last slot's buffer may lie behind the period. */
const withLongestBuffer = (span: TimeRange): TimeRange => ({ ...span, end: span.end + DAY_MS });

function toPeriodRange({ from, to }: AvailabilityPeriod, now: Date): TimeRange {
  const start = (from ?? now).getTime();
  const span = { start, end: to?.getTime() ?? start + DEFAULT_DAYS * DAY_MS };
  if (span.end <= span.start) throw invalidPeriod('to: must be later than from.');
  if (span.end - span.start > MAX_DAYS * DAY_MS)
    throw invalidPeriod(`to: at most ${MAX_DAYS} days after from.`);
  return span;
}

const tooManySlots = () =>
  invalidPeriod(`The period has more than ${MAX_SLOTS} slots. Select fewer days or resources.`);

const invalidPeriod = (message: string) =>
  new DomainError('BAD_REQUEST', message, { reason: 'INVALID_INPUT' });

async function getPeriodEntitlements(
  ctx: Context,
  { memberId }: AvailabilityPeriod,
  schedules: ResourceSchedule[],
  span: TimeRange,
): Promise<Entitlements> {
  const zones = new Set(schedules.map(({ calendar }) => calendar.timeZone));
  const days = [...zones].flatMap((zone) => [...listDates(span, zone)].map(String));
  return getEntitlements(ctx, { memberId: resolvePayer(ctx, memberId) }, days);
}

/** Resolves whose plan determines the prices; null for the public prices. */
function resolvePayer({ viewer }: Context, memberId: string | undefined): string | null {
  if (memberId !== undefined) assertCanBookAs(viewer, memberId);
  return memberId ?? (viewer.kind === 'member' ? viewer.id : null);
}

interface SlotBudget {
  slots: number;
  starts: number;
}

const createSlotBudget = (): SlotBudget => ({ slots: MAX_SLOTS, starts: MAX_STARTS });

function listPricedSlots(
  ctx: Context,
  schedule: ResourceSchedule,
  entitlements: Entitlements,
  span: TimeRange,
  budget: SlotBudget,
  minutes = schedule.resource.minMinutes,
): PricedSlot[] {
  const { pricePerHour, type, slotIntervalMinutes } = schedule.resource;
  budget.starts -= (span.end - span.start) / MINUTE_MS / slotIntervalMinutes;
  if (budget.starts < 0) throw tooManySlots();
  const prices = new Map<string, Money>();
  const priceOn = (day: string) => {
    const price =
      prices.get(day) ?? quotePrice(pricePerHour, minutes, entitlements.get(day, type)).price;
    prices.set(day, price);
    return price;
  };
  const formatOffset = createOffsetFormatter(schedule.calendar.timeZone);
  return Array.from(findFreeSlots(schedule, minutes, span, ctx.now().getTime()), (free) => {
    budget.slots -= 1;
    if (budget.slots < 0) throw tooManySlots();
    const slot = toSlot(free, formatOffset);
    return { ...slot, price: priceOn(slot.localStart.slice(0, 10)) };
  });
}
