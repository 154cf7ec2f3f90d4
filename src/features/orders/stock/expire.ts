import { type Ctx, inTransaction } from '../../../context.ts';
import { offerFreed } from '../waitlist/offers.ts';
import { releaseDiscounts, releasePasses, releaseTickets } from './release.ts';

const AT_ONCE = 200;

/**
 * Gives back what orders hold past their time, of one event or of all, and says how many orders that were. Safe at any
 * time and from several places at once: each order is ended by one of them.
 */
export async function giveBackExpired(ctx: Ctx, where: { eventId?: string } = {}): Promise<number> {
  let ended = 0;
  for (;;) {
    const count = await inTransaction(ctx, (tx) => giveBackSome(tx, where.eventId ?? null));
    ended += count;
    if (count < AT_ONCE) return ended;
  }
}

async function giveBackSome(ctx: Ctx, eventId: string | null): Promise<number> {
  const now = ctx.now();
  // An order that is being paid at this moment is locked, and is not waited for.
  const orders = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM orders
    WHERE status = 'pending' AND expires_at <= ${now}::timestamptz
      AND (${eventId}::uuid IS NULL OR event_id = ${eventId}::uuid)
    ORDER BY id LIMIT ${AT_ONCE}::int FOR UPDATE SKIP LOCKED`;
  if (orders.length === 0) return 0;
  await endHolds(
    ctx,
    orders.map(({ id }) => id),
    'expired',
  );
  return orders.length;
}

/** Ends pending orders that the caller has locked, with all that they hold. */
export async function endHolds(
  ctx: Ctx,
  ids: string[],
  status: 'expired' | 'cancelled',
): Promise<void> {
  const now = ctx.now();
  await ctx.db.order.updateMany({
    where: { id: { in: ids } },
    data: { status, updatedAt: now, ...(status === 'cancelled' ? { cancelledAt: now } : {}) },
  });
  await ctx.db.waitlistEntry.updateMany({
    where: { orderId: { in: ids }, status: 'offered' },
    data: { status: 'lapsed', updatedAt: now },
  });
  const admissions = { where: { orderId: { in: ids } }, select: { id: true } };
  const [tickets, passes] = [
    await ctx.db.ticket.findMany(admissions),
    await ctx.db.dayPass.findMany(admissions),
  ];
  const freed = await releaseTickets(
    ctx,
    tickets.map(({ id }) => id),
  );
  await releasePasses(
    ctx,
    passes.map(({ id }) => id),
  );
  await releaseDiscounts(ctx, ids);
  await offerFreed(ctx, freed);
}
