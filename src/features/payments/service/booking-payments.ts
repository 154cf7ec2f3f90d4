import { v7 } from 'uuid';
import { getStaffId } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import type { PaymentMethod } from '../../../db/generated/enums.ts';
import { DomainError } from '../../../errors.ts';
import { recordCreated, recordUpdated } from '../../../journal/record-changes.ts';
import { getBookingWithScope } from '../../bookings/service/list-bookings.ts';
import type { Booking } from '../../bookings/types.ts';

// The trigger payments_sum_of_booking keeps paid_amount of the booking.

/**
 * Records that staff received what is still to be paid for a booking. Of two calls at the same time, one records the payment.
 *
 * @returns `recorded`, or `known` if it was paid before
 * @throws NOT_FOUND; CONFLICT (NOTHING_TO_PAY) if it costs nothing, or its payment is not recorded
 *
 * @example
 * const outcome = await markBookingPaid(ctx, { id: booking.id, method: 'cash' });
 */
export const markBookingPaid = (
  ctx: Context,
  { id, method }: { id: string; method: PaymentMethod },
): Promise<'recorded' | 'known'> =>
  runInTransaction(ctx, async (ctx) => {
    const { payment } = await lockBooking(ctx, id);
    const { amount, currency } = payment.open;
    if (amount === 0) {
      if (payment.status === 'paid' || payment.status === 'overpaid') return 'known';
      throw new DomainError(
        'CONFLICT',
        payment.status === 'not_recorded'
          ? 'This booking ended before payments of bookings were recorded.'
          : 'This booking costs nothing now, so there is nothing to pay.',
        { reason: 'NOTHING_TO_PAY' },
      );
    }
    // The number makes the reference unique, so that a payment is recorded once even without the lock.
    const number = await ctx.db.payment.count({ where: { bookingId: id } });
    const row = {
      id: v7(),
      bookingId: id,
      provider: 'on_site' as const,
      ref: `booking:${id}:${number + 1}`,
      amount,
      currency,
      method,
      takenById: getStaffId(ctx.viewer),
      createdAt: ctx.now(),
    };
    await ctx.db.payment.create({ data: row });
    await recordCreated(ctx, 'payment.created', [row.id]);
    return 'recorded';
  });

/**
 * Undoes the payments of a booking that were recorded by mistake. They no longer count, also not on the day of their receipt.
 * Payments of which money was returned stay: someone received that money, so they were no mistake.
 *
 * @throws NOT_FOUND; CONFLICT: NOT_PAID if there is none, PARTLY_RETURNED if money was returned of each
 */
export const markBookingUnpaid = (
  ctx: Context,
  { id, reason }: { id: string; reason: string },
): Promise<void> =>
  runInTransaction(ctx, async (ctx) => {
    const { payment } = await lockBooking(ctx, id);
    const payments = await ctx.db.payment.findMany({ where: { bookingId: id, voidedAt: null } });
    if (payments.length === 0)
      throw new DomainError('CONFLICT', 'No payment of this booking is recorded.', {
        reason: 'NOT_PAID',
      });
    const ids = payments.filter(({ refunded }) => refunded === 0).map(({ id }) => id);
    if (ids.length === 0)
      throw new DomainError(
        'CONFLICT',
        payment.surplus.amount > 0
          ? 'Money of this payment was already returned, so it cannot be undone. Return the surplus, too.'
          : 'Money of this payment was already returned, so it cannot be undone. To return more, cancel the booking without a fee before it starts, or move it to a time that costs less. Then return the surplus.',
        { reason: 'PARTLY_RETURNED' },
      );
    const voidedById = getStaffId(ctx.viewer);
    await recordUpdated(ctx, 'payment.voided', ids, () =>
      ctx.db.payment.updateMany({
        where: { id: { in: ids } },
        data: { voidedAt: ctx.now(), voidReason: reason, voidedById },
      }),
    );
  });

/**
 * Records that staff returned what was paid too much for a booking, for example because it was cancelled in time.
 *
 * @throws NOT_FOUND; CONFLICT (NOTHING_TO_RETURN)
 */
export const returnBookingPayment = (
  ctx: Context,
  { id, method, reason }: { id: string; method: PaymentMethod; reason?: string | undefined },
): Promise<void> =>
  runInTransaction(ctx, async (ctx) => {
    const { payment } = await lockBooking(ctx, id);
    let remaining = payment.surplus.amount;
    if (remaining === 0)
      throw new DomainError('CONFLICT', 'No more was paid for this booking than it costs.', {
        reason: 'NOTHING_TO_RETURN',
      });
    const payments = await ctx.db.payment.findMany({
      where: { bookingId: id, voidedAt: null },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
    for (const paid of payments) {
      const amount = Math.min(remaining, paid.amount - paid.refunded);
      if (amount > 0) await insertReturn(ctx, paid.id, { amount, method, reason: reason ?? null });
      remaining -= amount;
    }
  });

async function insertReturn(
  ctx: Context,
  paymentId: string,
  returned: { amount: number; method: PaymentMethod; reason: string | null },
): Promise<void> {
  const now = ctx.now();
  const row = {
    id: v7(),
    paymentId,
    ...returned,
    status: 'succeeded' as const,
    paidBackById: getStaffId(ctx.viewer),
    completedAt: now,
    nextAttemptAt: now,
    createdAt: now,
  };
  await ctx.db.refund.create({ data: row });
  await ctx.db.payment.update({
    where: { id: paymentId },
    data: { refunded: { increment: returned.amount } },
  });
  await recordCreated(ctx, 'refund.succeeded', [row.id]);
}

/** Locks a booking, so that its price and its payments stay as they are until the transaction ends. @throws NOT_FOUND. */
async function lockBooking(ctx: Context, id: string): Promise<Booking> {
  const { id: found } = await getBookingWithScope(ctx, id, 'orders:write');
  await ctx.db.$queryRaw`SELECT 1 FROM bookings WHERE id = ${found}::uuid FOR NO KEY UPDATE`;
  return getBookingWithScope(ctx, found, 'orders:write');
}
