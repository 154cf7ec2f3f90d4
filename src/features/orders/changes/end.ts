import type { Ctx } from '../../../context.ts';
import * as outbox from '../../../mail/outbox.ts';
import { holdersOf, ticketEnded } from '../letters/holders.ts';
import type { Order } from '../order.ts';
import { releaseDiscounts, releasePasses, releaseTickets } from '../stock/release.ts';
import { offerFreed } from '../waitlist/offers.ts';

export interface Admission {
  id: string;
  kind: 'ticket' | 'pass';
  /** Minor units. */
  amount: number;
}

/** What of an order lets people in, in its order. */
export async function validOf({ db }: Ctx, orderId: string): Promise<Admission[]> {
  const query = {
    where: { orderId, status: 'valid' as const },
    orderBy: { position: 'asc' as const },
    select: { id: true, amount: true },
  };
  const tickets = await db.ticket.findMany(query);
  const passes = await db.dayPass.findMany(query);
  return [
    ...tickets.map((one) => ({ ...one, kind: 'ticket' as const })),
    ...passes.map((one) => ({ ...one, kind: 'pass' as const })),
  ];
}

/** Tells those besides the buyer who would have come with them. `order` is as it is after the end. */
export async function tellHolders(
  ctx: Ctx,
  order: Order,
  admissions: Admission[],
  reason: string | null,
): Promise<void> {
  const ids = admissions.map(({ id }) => id);
  for (const holder of holdersOf(order, ids)) {
    await outbox.send(ctx, ticketEnded(order, holder, reason));
  }
}

/**
 * Cancels these admissions of a paid order; with the last of them the order is cancelled. Their places go to those who
 * wait, or are for sale again. Call it within a transaction that has locked the order.
 */
export async function endAdmissions(
  ctx: Ctx,
  orderId: string,
  admissions: Admission[],
): Promise<void> {
  // A gesture ends nothing: an order that ended before must not give its discount back once more.
  if (admissions.length === 0) return;
  const idsOf = (kind: Admission['kind']) =>
    admissions.filter((one) => one.kind === kind).map(({ id }) => id);
  const freed = await releaseTickets(ctx, { ids: idsOf('ticket') });
  await releasePasses(ctx, { ids: idsOf('pass') });
  if ((await validOf(ctx, orderId)).length === 0) {
    const now = ctx.now();
    await ctx.db.order.update({
      where: { id: orderId },
      data: { status: 'cancelled', cancelledAt: now, updatedAt: now },
    });
    await releaseDiscounts(ctx, [orderId]);
  }
  await offerFreed(ctx, freed);
}
