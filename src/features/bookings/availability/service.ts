import { seesAll } from '../../../auth/viewer.ts';
import type { Ctx } from '../../../context.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { isUuid, type Money } from '../../../values.ts';
import { contractsFor } from '../decisions/consider.ts';
import { type GroundFilter, grounds } from '../decisions/grounds.ts';
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
/** In one answer, so that nobody is kept waiting by somebody's question. */
const MOST_SLOTS = 40_000;
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
  const allowance = { left: MOST_SLOTS };
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
  return pricedSlots(ctx, ground, contracts, span, { left: MOST_SLOTS }, period.minutes);
}

function spanOf({ from, to }: Period, now: Date): Span {
  const start = (from ?? now).getTime();
  const span = { start, end: to?.getTime() ?? start + USUAL_DAYS * DAY };
  if (span.end <= span.start) throw bad('to: must be later than from.');
  if (span.end - span.start > MOST_DAYS * DAY)
    throw bad(`to: at most ${MOST_DAYS} days after from.`);
  return span;
}

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

/** Whose plan sets the prices. Another member is NOT_FOUND to a member, as everywhere. */
function payer({ viewer }: Ctx, memberId: string | undefined): string | null {
  if (viewer.kind === 'member') {
    if (memberId !== undefined && memberId !== viewer.id) throw notFound('member');
    return viewer.id;
  }
  if (memberId !== undefined && !seesAll(viewer, 'members:read')) throw notFound('member');
  return memberId ?? null;
}

function pricedSlots(
  ctx: Ctx,
  ground: Ground,
  contracts: Contracts,
  span: Span,
  allowance: { left: number },
  minutes = ground.resource.minMinutes,
): PricedSlot[] {
  const { pricePerHour, type } = ground.resource;
  const prices = new Map<string, Money>();
  const priceOn = (day: string) => {
    const known = prices.get(day) ?? quote(pricePerHour, minutes, contracts.on(day, type)).price;
    prices.set(day, known);
    return known;
  };
  const clock = clockOf(ground.calendar.timeZone);
  return Array.from(freeSlots(ground, minutes, span, ctx.now().getTime()), (free) => {
    allowance.left -= 1;
    if (allowance.left < 0)
      throw bad(`There are more than ${MOST_SLOTS} slots. Ask for fewer days or resources.`);
    const slot = slotOf(free, clock);
    return { ...slot, price: priceOn(slot.localStart.slice(0, 10)) };
  });
}
