import { type Context, runInTransaction } from '../../../context.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { cancelAdmissions, findValidAdmissions } from '../cancel-tickets.ts';
import { createRefund } from '../create-refund.ts';
import { endPendingOrders } from '../end-pending-orders.ts';
import { MIN_HOLD_MINUTES } from '../hold-durations.ts';
import { loadOrder, lockOrder } from './find-orders.ts';

const FIND_HELD = `SELECT id FROM orders WHERE event_id = $1::uuid AND status = 'pending'`;

/**
 * Locks the unpaid orders of an event that is about to be moved, before the event itself: whoever ends an order locks them in this
 * sequence.
 */
export async function lockHeldOrders({ db }: Context, eventId: string): Promise<void> {
  await db.$queryRawUnsafe(`${FIND_HELD} ORDER BY id FOR UPDATE`, eventId);
}

/**
 * Ends the holds of unpaid orders when the event starts, if it now starts earlier: those that are paid at the front desk or in a way
 * that takes days, and offers of the waiting list. Buyers have 15 minutes at least. Later starts do not change existing holds. Call it in a transaction that has locked the event.
 */
export async function shortenHolds(ctx: Context, eventId: string, startsAt: Date): Promise<void> {
  const min = ctx.now().getTime() + MIN_HOLD_MINUTES * MINUTE_MS;
  const latest = new Date(Math.max(startsAt.getTime(), min));
  const orders = await ctx.db.$queryRawUnsafe<{ id: string }[]>(
    `${FIND_HELD} AND greatest(expires_at, confirmed_hold_until) > $2::timestamptz ORDER BY id`,
    eventId,
    latest,
  );
  const ids = orders.map(({ id }) => id);
  await recordUpdated(
    ctx,
    'order.hold_shortened',
    ids,
    () => ctx.db.$executeRaw`
      UPDATE orders SET expires_at = least(expires_at, ${latest}::timestamptz),
        confirmed_hold_until = least(confirmed_hold_until, ${latest}::timestamptz), updated_at = ${ctx.now()}::timestamptz
      WHERE id = ANY (${ids}::uuid[])`,
  );
}

const CANCEL_BATCH_SIZE = 100;

interface CancelEventOrdersOptions {
  /** Default: all cancelled events. */
  eventId?: string;
  /** Stop once about this many are cancelled. Default: no limit */
  maxOrders?: number;
  /** How many orders and entries of waiting lists are read at once. Default: 100 */
  batchSize?: number;
}

/**
 * Cancels and refunds the orders and closes the waiting lists of one or all cancelled events. Returns the
 * number of cancelled orders. Each order has its own transaction, so an interrupted run can be continued.
 */
export async function cancelEventOrders(
  ctx: Context,
  {
    eventId,
    maxOrders = Number.POSITIVE_INFINITY,
    batchSize = CANCEL_BATCH_SIZE,
  }: CancelEventOrdersOptions = {},
): Promise<number> {
  let ended = 0;
  let after: string | undefined;
  for (;;) {
    const orders = await ctx.db.order.findMany({
      where: {
        ...(after ? { id: { gt: after } } : {}),
        status: { in: ['pending', 'paid'] },
        event: { status: 'cancelled', ...(eventId ? { id: eventId } : {}) },
      },
      orderBy: { id: 'asc' },
      take: batchSize,
      select: { id: true },
    });
    for (const { id } of orders) {
      // A failed order does not stop the others. The next run retries it.
      await cancelEventOrder(ctx, id).then(
        () => {
          ended += 1;
        },
        (error) =>
          ctx.log.error(
            { err: error, order: id },
            'could not cancel an order of a cancelled event',
          ),
      );
    }
    after = orders.at(-1)?.id;
    if (orders.length < batchSize || ended >= maxOrders) break;
  }
  while ((await expireWaitlistBatch(ctx, eventId, batchSize)) === batchSize);
  return ended;
}

const cancelEventOrder = (ctx: Context, id: string) =>
  runInTransaction(ctx, async (ctx) => {
    const { status, eventId } = await lockOrder(ctx, id);
    if (status === 'pending') await endPendingOrders(ctx, [id], 'cancelled');
    const admissions = status === 'paid' ? await findValidAdmissions(ctx, id) : [];
    const event = await ctx.db.event.findUnique({ where: { id: eventId ?? '' } });
    await cancelAdmissions(ctx, id, admissions, event?.cancelReason ?? null);
    if (status !== 'pending' && status !== 'paid') return; // ended by another transaction
    const { paid, refunded } = await loadOrder(ctx, id);
    await createRefund(ctx, id, paid.amount - refunded.amount, 'The event is cancelled.');
  });

const expireWaitlistBatch = (
  ctx: Context,
  eventId: string | undefined,
  batchSize: number,
): Promise<number> =>
  runInTransaction(ctx, async (ctx) => {
    const waiting = await ctx.db.waitlistEntry.findMany({
      where: {
        status: 'waiting',
        ticketType: { event: { status: 'cancelled', ...(eventId ? { id: eventId } : {}) } },
      },
      orderBy: { id: 'asc' },
      take: batchSize,
      select: { id: true },
    });
    const ids = waiting.map(({ id }) => id);
    await recordUpdated(ctx, 'waitlist_entry.expired', ids, () =>
      ctx.db.waitlistEntry.updateMany({
        where: { id: { in: ids }, status: 'waiting' },
        data: { status: 'expired', updatedAt: ctx.now() },
      }),
    );
    return ids.length;
  });
