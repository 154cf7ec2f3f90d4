import { type Ctx, inTransaction } from '../../../context.ts';
import { statement } from '../../../db/sql.ts';
import { markSeatsReleased } from '../limits/usage.ts';
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

const END = statement(`
  WITH ended AS (
    UPDATE orders SET status = $2::order_status, updated_at = $3::timestamptz,
      cancelled_at = CASE WHEN $2::order_status = 'cancelled' THEN $3::timestamptz END
    WHERE id = ANY ($1::uuid[]) RETURNING id, event_id, discount_code_id),
  lapsed AS (
    UPDATE waitlist_entries SET status = 'expired', updated_at = $3::timestamptz
    WHERE order_id IN (SELECT id FROM ended) AND status = 'offered')
  SELECT bool_or(event_id IS NULL) AS passes, bool_or(discount_code_id IS NOT NULL) AS discounts FROM ended`);

/** Ends pending orders that the caller has locked, with all that they hold. */
export async function endHolds(
  ctx: Ctx,
  orderIds: string[],
  status: 'expired' | 'cancelled',
): Promise<void> {
  const [held] = await ctx.write<{ passes: boolean; discounts: boolean }>(END, [
    orderIds,
    status,
    ctx.now(),
  ]);
  const freed = await releaseTickets(ctx, { orderIds });
  if (held?.passes) await releasePasses(ctx, { orderIds });
  if (held?.discounts) await releaseDiscounts(ctx, orderIds);
  await markSeatsReleased(ctx, orderIds);
  await offerFreed(ctx, freed);
}
