import { type Ctx, inTransaction } from '../../../context.ts';
import * as outbox from '../../../mail/outbox.ts';
import { eventCancelled } from '../letters/changes.ts';
import { waitingInVain } from '../letters/waitlist.ts';
import { lockOrder } from '../lock.ts';
import { giveBack } from '../payments/refund.ts';
import { read } from '../service.ts';
import { endHolds } from '../stock/expire.ts';
import { endAdmissions, tellHolders, validOf } from './end.ts';

const AT_ONCE = 100;

/**
 * Ends the orders and the waiting lists of cancelled events, of one or of all, with refunds and a mail to each, and says
 * how many orders that were. Each order is a transaction of its own, so that it goes on where it was interrupted.
 */
export async function windUp(
  ctx: Ctx,
  where: { eventId?: string; atMost?: number } = {},
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
      take: AT_ONCE,
      select: { id: true },
    });
    for (const { id } of orders) {
      // One that fails is tried again by the next run, and keeps nobody else waiting.
      await end(ctx, id).then(
        () => {
          ended += 1;
        },
        (error) => ctx.log.error({ err: error, order: id }, 'an order was not wound up'),
      );
    }
    after = orders.at(-1)?.id;
    if (orders.length < AT_ONCE || ended >= (where.atMost ?? Number.POSITIVE_INFINITY)) break;
  }
  while ((await tellWaiting(ctx, where.eventId)) === AT_ONCE);
  return ended;
}

const end = (ctx: Ctx, id: string) =>
  inTransaction(ctx, async (ctx) => {
    const { status, eventId } = await lockOrder(ctx, id);
    if (status === 'pending') await endHolds(ctx, [id], 'cancelled');
    const admissions = status === 'paid' ? await validOf(ctx, id) : [];
    await endAdmissions(ctx, id, admissions);
    if (status !== 'pending' && status !== 'paid') return; // somebody else was quicker
    const { paid, refunded, total } = await read(ctx, id);
    const amount = paid.amount - refunded.amount;
    const event = await ctx.db.event.findUnique({ where: { id: eventId ?? '' } });
    const reason = event?.cancelReason ?? null;
    await giveBack(ctx, id, amount, 'The event is cancelled.');
    const order = await read(ctx, id);
    const refund = amount > 0 ? { amount, currency: total.currency } : null;
    await outbox.send(ctx, eventCancelled(order, { refund, reason }));
    await tellHolders(ctx, order, admissions, reason);
  });

const tellWaiting = (ctx: Ctx, eventId: string | undefined): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const waiting = await ctx.db.waitlistEntry.findMany({
      where: {
        status: 'waiting',
        ticketType: { event: { status: 'cancelled', ...(eventId ? { id: eventId } : {}) } },
      },
      orderBy: { id: 'asc' },
      take: AT_ONCE,
      select: { id: true },
    });
    const entries = await ctx.db.waitlistEntry.updateManyAndReturn({
      where: { id: { in: waiting.map(({ id }) => id) }, status: 'waiting' },
      data: { status: 'expired', updatedAt: ctx.now() },
      include: { ticketType: { include: { event: true } } },
    });
    for (const { name, email, ticketType } of entries) {
      await outbox.send(ctx, waitingInVain({ name, email, eventTitle: ticketType.event.title }));
    }
    return waiting.length;
  });
