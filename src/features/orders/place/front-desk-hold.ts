import type { Context } from '../../../context.ts';
import { addOpenHours, isOpenAt } from '../../../core/time/opening-hours.ts';
import { HOUR_MS, MINUTE_MS, toZonedDateTime } from '../../../core/time/time-zone.ts';
import type { OrderLimits } from '../../order-limits/types.ts';
import { type FrontDesk, findFrontDesks } from '../../spaces/service/front-desks.ts';
import { CONFIRMATION_HOLD_MINUTES, MIN_HOLD_MINUTES } from '../hold-durations.ts';
import { canBuyAsMember } from './validate-order.ts';

/** How long an order of an anonymous buyer is held if no email can ask for a confirmation. */
const UNCONFIRMED_OPENING_HOURS = 2;
/** How long people can come to the front desk and pay before an offer of a waiting list ends. */
const OFFER_OPENING_HOURS = 2;

/** Until when an order that is paid at the front desk is held. */
export interface FrontDeskHold {
  expiresAt: Date;
  /** Until when it is held if the buyer confirms it by email. Null if there is nothing to confirm. */
  confirmedHoldUntil: Date | null;
}

/** What is sold, and by when it must be paid. */
interface HeldSale {
  locationId: string;
  limits: Pick<OrderLimits, 'unpaidHold' | 'unpaidHoldAmount'>;
  /** When the event starts or the day of the passes ends, in milliseconds since 1970. */
  findLatest: (desk: FrontDesk) => number;
}

/**
 * Finds until when an order that is paid at the front desk holds its stock: as long as the event or the day pass type says, but not
 * longer than until the event or the end of the day, and for 15 minutes at least. Anonymous buyers must confirm by email that
 * they want it, or a program could hold an event until it begins. See `docs/order-limits.md`.
 */
export async function findFrontDeskHold(ctx: Context, sale: HeldSale): Promise<FrontDeskHold> {
  const desk = (await findFrontDesks(ctx, [sale.locationId])).get(sale.locationId);
  if (desk === undefined) throw new Error(`location ${sale.locationId} does not exist`);
  const now = ctx.now().getTime();
  const latest = Math.max(now, sale.findLatest(desk));
  const full = toHoldEnd(desk, sale.limits, now, latest);
  const min = now + MIN_HOLD_MINUTES * MINUTE_MS;
  const hold = (end: number, confirmed: number | null = null): FrontDeskHold => ({
    expiresAt: new Date(Math.max(min, end)),
    confirmedHoldUntil: confirmed === null ? null : new Date(confirmed),
  });
  if (canBuyAsMember(ctx.viewer)) return hold(full);
  if (ctx.hasMailServer) {
    const unconfirmed = now + CONFIRMATION_HOLD_MINUTES * MINUTE_MS;
    return full > unconfirmed ? hold(unconfirmed, full) : hold(full);
  }
  return hold(addOpenHours(desk, { from: now, hours: UNCONFIRMED_OPENING_HOURS, until: full }));
}

function toHoldEnd(
  desk: FrontDesk,
  { unpaidHold, unpaidHoldAmount }: HeldSale['limits'],
  now: number,
  latest: number,
): number {
  switch (unpaidHold) {
    case 'until_start':
      return latest;
    case 'days': {
      // The same time of day, also if clocks change in between.
      const end = toZonedDateTime(now, desk.timeZone).add({ days: unpaidHoldAmount });
      return Math.min(latest, end.epochMilliseconds);
    }
    case 'opening_hours':
      return addOpenHours(desk, { from: now, hours: unpaidHoldAmount, until: latest });
  }
}

/**
 * Finds when an offer of a waiting list ends that is paid at the front desk, in milliseconds since 1970. `end` is when it would end if
 * it were paid online. The location must have been open for as long until then, or for two hours of a longer offer. An offer that would
 * end while it is closed lasts until it has been open for two hours again. No offer lasts longer than until `latest` because of this.
 */
export function findFrontDeskOfferEnd(
  desk: FrontDesk,
  { now, end, latest }: { now: number; end: number; latest: number },
): number {
  const hours = Math.min(OFFER_OPENING_HOURS, (end - now) / HOUR_MS);
  // An offer must not hold tickets for a whole night longer because it would end at the moment of closing.
  const from = isOpenAt(desk, end - 1) ? now : end;
  return Math.max(end, addOpenHours(desk, { from, hours, until: latest }));
}
