import type { Ctx } from '../../../context.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { isUuid, type Money } from '../../../values.ts';
import { contractsFor } from '../decisions/consider.ts';
import { type GroundFilter, grounds } from '../decisions/grounds.ts';
import { refuseUnknown } from '../decisions/request.ts';
import type { Contracts } from '../decisions/terms.ts';
import { type Slot, slotOf } from '../decisions/verdict.ts';
import { clockOf } from '../policy/clock.ts';
import type { Ground } from '../policy/ground.ts';
import { datesOf } from '../policy/opening.ts';
import { quote } from '../policy/price.ts';
import { freeSlots, freeSpans } from '../policy/slots.ts';
import { MINUTE, type Span } from '../policy/span.ts';

export interface Period {
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

const MOST_DAYS = 31;
const USUAL_DAYS = 7;
/** In one answer: fifty rooms for a week on quarters of an hour, and no more, so that nobody waits for others. */
const MOST_SLOTS = 35_000;
/** Looked at, whether free or not. */
const MOST_STARTS = 300_000;
const DAY = 24 * 60 * MINUTE;

/**
 * What is to be had of some resources between two instants, by name; at most 100. Two statements, however many
 * resources, one more where a member's prices are meant. Throws BAD_REQUEST for a period that is empty or longer
 * than 31 days.
 */
export async function availability(
  ctx: Ctx,
  filter: GroundFilter,
  period: Period,
): Promise<Availability[]> {
  const span = spanOf(period, ctx.now());
  const known = { start: span.start, end: span.end + DAY }; // the longest buffer lies behind the last slot
  const found = await grounds(ctx, { ...filter, activeOnly: true }, known);
  const contracts = await contractsIn(ctx, period, found, span);
  const allowance = bounded();
  return found.map((ground) => ({
    resource: { id: ground.resource.id, name: ground.resource.name },
    free: () => {
      const clock = clockOf(ground.calendar.timeZone);
      return freeSpans(ground, span).map((free) => slotOf(free, clock));
    },
    slots: () => pricedSlots(ctx, ground, contracts, span, allowance, period.minutes),
  }));
}

/** The slots of one resource, in order. Throws NOT_FOUND, and BAD_REQUEST as `availability` does. */
export async function slots(ctx: Ctx, resourceId: string, period: Period): Promise<PricedSlot[]> {
  const span = spanOf(period, ctx.now());
  const [ground] = isUuid(resourceId)
    ? await grounds(ctx, { ids: [resourceId] }, { ...span, end: span.end + DAY })
    : [];
  if (!ground) throw notFound('resource');
  const contracts = await contractsIn(ctx, period, [ground], span);
  return pricedSlots(ctx, ground, contracts, span, bounded(), period.minutes);
}

function spanOf({ from, to }: Period, now: Date): Span {
  const start = (from ?? now).getTime();
  const span = { start, end: to?.getTime() ?? start + USUAL_DAYS * DAY };
  if (span.end <= span.start) throw bad('to: must be later than from.');
  if (span.end - span.start > MOST_DAYS * DAY)
    throw bad(`to: at most ${MOST_DAYS} days after from.`);
  return span;
}

const tooMany = () =>
  bad(`There are more than ${MOST_SLOTS} slots to look at. Ask for fewer days or resources.`);

const bad = (message: string) =>
  new DomainError('BAD_REQUEST', message, { reason: 'INVALID_INPUT' });

async function contractsIn(
  ctx: Ctx,
  { memberId }: Period,
  found: Ground[],
  span: Span,
): Promise<Contracts> {
  const zones = new Set(found.map(({ calendar }) => calendar.timeZone));
  const days = [...zones].flatMap((zone) => [...datesOf(span, zone)].map(String));
  return contractsFor(ctx, { memberId: payer(ctx, memberId) }, days);
}

/** Whose plan sets the prices. */
function payer({ viewer }: Ctx, memberId: string | undefined): string | null {
  if (memberId !== undefined) refuseUnknown(viewer, memberId);
  return memberId ?? (viewer.kind === 'member' ? viewer.id : null);
}

interface Allowance {
  slots: number;
  starts: number;
}

const bounded = (): Allowance => ({ slots: MOST_SLOTS, starts: MOST_STARTS });

function pricedSlots(
  ctx: Ctx,
  ground: Ground,
  contracts: Contracts,
  span: Span,
  allowance: Allowance,
  minutes = ground.resource.minMinutes,
): PricedSlot[] {
  const { pricePerHour, type, slotIntervalMinutes } = ground.resource;
  allowance.starts -= (span.end - span.start) / MINUTE / slotIntervalMinutes;
  if (allowance.starts < 0) throw tooMany();
  const prices = new Map<string, Money>();
  const priceOn = (day: string) => {
    const known = prices.get(day) ?? quote(pricePerHour, minutes, contracts.on(day, type)).price;
    prices.set(day, known);
    return known;
  };
  const clock = clockOf(ground.calendar.timeZone);
  return Array.from(freeSlots(ground, minutes, span, ctx.now().getTime()), (free) => {
    allowance.slots -= 1;
    if (allowance.slots < 0) throw tooMany();
    const slot = slotOf(free, clock);
    return { ...slot, price: priceOn(slot.localStart.slice(0, 10)) };
  });
}
