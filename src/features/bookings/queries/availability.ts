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
  /** Now, if left out. */
  from?: Date | undefined;
  /** A week later, if left out. */
  to?: Date | undefined;
  /** The length of the slots; without it each resource's shortest booking. */
  minutes?: number | undefined;
  /** Whose prices; a member's own are theirs. */
  memberId?: string | undefined;
}

export interface PricedSlot extends Slot {
  price: Money;
}

/** What is to be had of one resource. Its lists are worked out when they are asked for. */
export interface Availability {
  resource: { id: string; name: string };
  free(): Slot[];
  slots(): PricedSlot[];
}

const MAX_DAYS = 31;
const DEFAULT_DAYS = 7;
/** In one answer: fifty rooms for a week on quarters of an hour, and no more, so that nobody waits for others. */
const MAX_SLOTS = 35_000;
/** Looked at, whether free or not. */
const MAX_STARTS = 300_000;

/**
 * What is to be had of some resources between two instants, by name; at most 100. Two statements, however many
 * resources, one more where a member's prices are meant. Throws BAD_REQUEST for a period that is empty or longer
 * than 31 days.
 */
export async function findAvailability(
  ctx: Context,
  filter: ResourceScheduleFilter,
  period: AvailabilityPeriod,
): Promise<Availability[]> {
  const span = toPeriodRange(period, ctx.now());
  const known = { start: span.start, end: span.end + DAY_MS }; // the longest buffer lies behind the last slot
  const found = await findResourceSchedules(ctx, { ...filter, activeOnly: true }, known);
  const contracts = await getPeriodEntitlements(ctx, period, found, span);
  const allowance = createSlotBudget();
  return found.map((ground) => ({
    resource: { id: ground.resource.id, name: ground.resource.name },
    free: () => {
      const clock = createOffsetFormatter(ground.calendar.timeZone);
      return findFreeRanges(ground, span).map((free) => toSlot(free, clock));
    },
    slots: () => listPricedSlots(ctx, ground, contracts, span, allowance, period.minutes),
  }));
}

/** The slots of one resource, in order. Throws NOT_FOUND, and BAD_REQUEST as `availability` does. */
export async function findResourceSlots(
  ctx: Context,
  resourceId: string,
  period: AvailabilityPeriod,
): Promise<PricedSlot[]> {
  const span = toPeriodRange(period, ctx.now());
  const [ground] = isUuid(resourceId)
    ? await findResourceSchedules(ctx, { ids: [resourceId] }, { ...span, end: span.end + DAY_MS })
    : [];
  if (!ground) throw notFound('resource');
  const contracts = await getPeriodEntitlements(ctx, period, [ground], span);
  return listPricedSlots(ctx, ground, contracts, span, createSlotBudget(), period.minutes);
}

function toPeriodRange({ from, to }: AvailabilityPeriod, now: Date): TimeRange {
  const start = (from ?? now).getTime();
  const span = { start, end: to?.getTime() ?? start + DEFAULT_DAYS * DAY_MS };
  if (span.end <= span.start) throw invalidPeriod('to: must be later than from.');
  if (span.end - span.start > MAX_DAYS * DAY_MS)
    throw invalidPeriod(`to: at most ${MAX_DAYS} days after from.`);
  return span;
}

const tooManySlots = () =>
  invalidPeriod(
    `There are more than ${MAX_SLOTS} slots to look at. Ask for fewer days or resources.`,
  );

const invalidPeriod = (message: string) =>
  new DomainError('BAD_REQUEST', message, { reason: 'INVALID_INPUT' });

async function getPeriodEntitlements(
  ctx: Context,
  { memberId }: AvailabilityPeriod,
  found: ResourceSchedule[],
  span: TimeRange,
): Promise<Entitlements> {
  const zones = new Set(found.map(({ calendar }) => calendar.timeZone));
  const days = [...zones].flatMap((zone) => [...listDates(span, zone)].map(String));
  return getEntitlements(ctx, { memberId: resolvePayer(ctx, memberId) }, days);
}

/** Whose plan sets the prices. */
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
  ground: ResourceSchedule,
  contracts: Entitlements,
  span: TimeRange,
  allowance: SlotBudget,
  minutes = ground.resource.minMinutes,
): PricedSlot[] {
  const { pricePerHour, type, slotIntervalMinutes } = ground.resource;
  allowance.starts -= (span.end - span.start) / MINUTE_MS / slotIntervalMinutes;
  if (allowance.starts < 0) throw tooManySlots();
  const prices = new Map<string, Money>();
  const priceOn = (day: string) => {
    const known =
      prices.get(day) ?? quotePrice(pricePerHour, minutes, contracts.get(day, type)).price;
    prices.set(day, known);
    return known;
  };
  const clock = createOffsetFormatter(ground.calendar.timeZone);
  return Array.from(findFreeSlots(ground, minutes, span, ctx.now().getTime()), (free) => {
    allowance.slots -= 1;
    if (allowance.slots < 0) throw tooManySlots();
    const slot = toSlot(free, clock);
    return { ...slot, price: priceOn(slot.localStart.slice(0, 10)) };
  });
}
