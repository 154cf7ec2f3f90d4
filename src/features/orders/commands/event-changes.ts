import { type Context, runInTransaction } from '../../../context.ts';
import { enqueueTemplateEmail } from '../../../integrations/email/template-email.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { eventCancelled } from '../emails/changes.ts';
import { waitlistEventCancelled } from '../emails/waitlist.ts';
import { loadOrder, lockOrder } from '../queries.ts';
import { endPendingOrders } from '../stock.ts';
import { cancelAdmissions, findValidAdmissions, notifyHolders } from './cancel-tickets.ts';
import { createRefund } from './create-refund.ts';

const CANCEL_BATCH_SIZE = 100;

/**
 * Cancels the orders and closes the waiting lists of one or all cancelled events, with refunds and emails. Returns the
 * number of cancelled orders. Each order has its own transaction, so an interrupted run can be continued.
 */
export async function cancelEventOrders(
  ctx: Context,
  where: { eventId?: string; maxOrders?: number } = {},
): Promise<number> {
  let ended = 0;
  let after: string | undefined;
  for (;;) {
    const orders = await ctx.db.order.findMany({
      where: {
        ...(after ? { id: { gt: after } } : {}),
        status: { in: ['pending', 'paid'] },
        event: { status: 'cancelled', ...(where.eventId ? { id: where.eventId } : {}) },
      },
      orderBy: { id: 'asc' },
      take: CANCEL_BATCH_SIZE,
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
    if (orders.length < CANCEL_BATCH_SIZE || ended >= (where.maxOrders ?? Number.POSITIVE_INFINITY))
      break;
  }
  while ((await expireWaitlistBatch(ctx, where.eventId)) === CANCEL_BATCH_SIZE);
  return ended;
}

const cancelEventOrder = (ctx: Context, id: string) =>
  runInTransaction(ctx, async (ctx) => {
    const { status, eventId } = await lockOrder(ctx, id);
    if (status === 'pending') await endPendingOrders(ctx, [id], 'cancelled');
    const admissions = status === 'paid' ? await findValidAdmissions(ctx, id) : [];
    await cancelAdmissions(ctx, id, admissions);
    if (status !== 'pending' && status !== 'paid') return; // ended by another transaction
    const { paid, refunded, total } = await loadOrder(ctx, id);
    const amount = paid.amount - refunded.amount;
    const event = await ctx.db.event.findUnique({ where: { id: eventId ?? '' } });
    const reason = event?.cancelReason ?? null;
    await createRefund(ctx, id, amount, 'The event is cancelled.');
    const order = await loadOrder(ctx, id);
    const refund = amount > 0 ? { amount, currency: total.currency } : null;
    await enqueueTemplateEmail(ctx, eventCancelled(order, { refund, reason }));
    await notifyHolders(ctx, order, admissions, reason);
  });

const expireWaitlistBatch = (ctx: Context, eventId: string | undefined): Promise<number> =>
  runInTransaction(ctx, async (ctx) => {
    const waiting = await ctx.db.waitlistEntry.findMany({
      where: {
        status: 'waiting',
        ticketType: { event: { status: 'cancelled', ...(eventId ? { id: eventId } : {}) } },
      },
      orderBy: { id: 'asc' },
      take: CANCEL_BATCH_SIZE,
      select: { id: true },
    });
    const ids = waiting.map(({ id }) => id);
    const entries = await recordUpdated(ctx, 'waitlist_entry.expired', ids, () =>
      ctx.db.waitlistEntry.updateManyAndReturn({
        where: { id: { in: ids }, status: 'waiting' },
        data: { status: 'expired', updatedAt: ctx.now() },
        include: { ticketType: { include: { event: true } } },
      }),
    );
    for (const { email, ticketType } of entries) {
      await enqueueTemplateEmail(
        ctx,
        waitlistEventCancelled({ email, eventTitle: ticketType.event.title }),
      );
    }
    return waiting.length;
  });
