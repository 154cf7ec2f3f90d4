import { makeSecret } from '../../../auth/secrets.ts';
import type { Ctx } from '../../../context.ts';
import * as outbox from '../../../mail/outbox.ts';
import { portalUrl } from '../addresses.ts';
import { eventMoved } from '../letters/changes.ts';
import { holdersOf, ticketMoved } from '../letters/holders.ts';
import type { Order } from '../order.ts';
import { byIds } from '../service.ts';

const AT_ONCE = 200;

/** Tells everybody with tickets of an event that its time or place has changed, in the transaction that changed it. */
export async function tellMoved(ctx: Ctx, eventId: string): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const rows = await ctx.db.order.findMany({
      where: { eventId, status: 'paid', ...(last ? { id: { gt: last } } : {}) },
      orderBy: { id: 'asc' },
      take: AT_ONCE,
      select: { id: true },
    });
    await tell(
      ctx,
      rows.map(({ id }) => id),
    );
    last = rows.at(-1)?.id;
    if (rows.length < AT_ONCE) return;
  }
}

async function tell(ctx: Ctx, orderIds: string[]): Promise<void> {
  if (orderIds.length === 0) return;
  const now = ctx.now();
  const letters = (await byIds(ctx, orderIds)).map((order) => {
    const { plainText, hash } = makeSecret('orderLink');
    return {
      link: { hash, orderId: order.id, canConfirm: true, createdAt: now },
      mails: [
        eventMoved(order, portalUrl(ctx, plainText)),
        ...holdersOf(order, validIn(order)).map((holder) => ticketMoved(order, holder)),
      ].map((mail) => ({ ...outbox.rowOf(mail, ctx), createdAt: now, nextAttemptAt: now })),
    };
  });
  await ctx.db.orderAccessToken.createMany({ data: letters.map(({ link }) => link) });
  await ctx.db.mail.createMany({ data: letters.flatMap(({ mails }) => mails) });
  await ctx.wake?.(ctx, 'mail.deliver');
}

const validIn = ({ tickets }: Order) =>
  tickets.filter(({ status }) => status === 'valid').map(({ id }) => id);
