import type { Context } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { endPendingOrders } from '../end-pending-orders.ts';
import { extendHold } from '../extend-hold.ts';
import { toLatestHoldSql } from '../types.ts';
import { lockOrder } from './find-orders.ts';

/** A direct debit takes two weeks at most, with holidays: https://docs.stripe.com/payments/payment-methods */
const MAX_DELAY_DAYS = 14;

const FIND_LATEST = prepareStatement(
  `SELECT ${toLatestHoldSql('o')} AS latest FROM orders o WHERE o.id = $1::uuid`,
);

/**
 * Holds an order whose buyer has paid in a way that takes days: for two weeks, but at most until its event starts, or until the
 * location closes on the day of its passes. Orders that have ended stay as they are. Call it in a transaction.
 *
 * @throws NOT_FOUND for an unknown order
 */
export async function holdForDelayedPayment(ctx: Context, id: string): Promise<void> {
  const { status, expiresAt } = await lockOrder(ctx, id);
  if (status !== 'pending' || expiresAt === null) return;
  await ctx.db.order.update({ where: { id }, data: { delayedPaymentAt: ctx.now() } });
  const [row] = await ctx.lockingSql<{ latest: Date | null }>(FIND_LATEST, [id]);
  const end = Math.min(
    ctx.now().getTime() + MAX_DELAY_DAYS * DAY_MS,
    row?.latest?.getTime() ?? Number.POSITIVE_INFINITY,
  );
  if (end <= expiresAt.getTime()) return;
  await recordUpdated(ctx, 'order.hold_extended', [id], () => extendHold(ctx, id, new Date(end)));
}

/**
 * Ends an order whose delayed payment has failed, and releases its seats. Orders that were paid otherwise stay as they are. Call it
 * in a transaction.
 *
 * @throws NOT_FOUND for an unknown order
 */
export async function endUnpaidOrder(ctx: Context, id: string): Promise<void> {
  const { status } = await lockOrder(ctx, id);
  if (status === 'pending') await endPendingOrders(ctx, [id], 'expired');
}
