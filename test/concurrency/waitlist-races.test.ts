import { runInTransaction } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import { endPendingOrders } from '../../src/features/orders/end-pending-orders.ts';
import { expireOrders } from '../../src/features/orders/service/expire-orders.ts';
import { lockOrder } from '../../src/features/orders/service/find-orders.ts';
import {
  joinWaitlist,
  leaveWaitlist,
} from '../../src/features/orders/waitlist/service/waitlist.ts';
import {
  atTime,
  buyTickets,
  cancelOrder,
  makeEvent,
  placeOrder,
} from '../support/factories/events.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../support/factories/waitlist.ts';
import { rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let list: ReturnType<typeof createWaitlistActions>;
beforeAll(async () => {
  app = await startApp();
  list = createWaitlistActions(app);
});
afterAll(() => app.stop());

const inADay = () => new Date(app.clock.now.getTime() + 24 * 3_600_000);

/** Waits until this many statements wait for locks. */
async function waitUntilLocked(count: number): Promise<void> {
  for (;;) {
    const rows = await app.ctx.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    if (rows.length >= count) return;
  }
}

/**
 * Joins a list again while the offer to the same address ends. Returns the number of transactions: one that a deadlock has ended is
 * repeated.
 */
async function joinDuringExpiry(rewrite: (text: string) => string): Promise<number> {
  const event = await makeSoldOutEvent(app);
  const person = await list.addPerson(event.type);
  await cancelOrder(app, event.secret);
  const { prisma } = rewriteTransactions({ prisma: app.ctx.db } as Database, rewrite);
  let count = 0;
  const db = new Proxy(prisma, {
    get: (target, name) => {
      if (name === '$transaction') count += 1;
      return Reflect.get(target, name);
    },
  });
  const ctx = { ...app.ctx, db };
  await atTime(app, inADay(), async () => {
    const pending: Promise<unknown>[] = [];
    await runInTransaction(app.ctx, async ({ db }) => {
      await db.$queryRaw`SELECT 1 FROM events WHERE id = ${event.id}::uuid FOR UPDATE`;
      const input = { ...person, ticketTypeId: event.type, quantity: 1, acceptsFewer: true };
      pending.push(joinWaitlist(ctx, input));
      await waitUntilLocked(1);
      pending.push(expireOrders(ctx));
      await waitUntilLocked(2);
    });
    await Promise.all(pending);
  });
  return count;
}

describe('joining a waiting list again', () => {
  it('does not deadlock with the end of the offer to the same address', async () => {
    expect(await joinDuringExpiry((text) => text)).toBe(2);
  });

  it('deadlocks if the entry is locked before the event (negative control)', async () => {
    const isLock = /JOIN waitlist_entries w ON w.order_id = o.id[\s\S]*FOR NO KEY UPDATE$/;
    const lockEntry =
      'SELECT id FROM waitlist_entries WHERE order_id = ANY ($1::uuid[]) FOR NO KEY UPDATE';
    const count = await joinDuringExpiry((text) => (isLock.test(text) ? lockEntry : text));
    expect(count).toBe(3);
  });
});

describe('leaving a waiting list', () => {
  it('declines also an offer that is made while the one before ends', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 4 }] });
    const items = [{ ticketTypeId: event.type, quantity: 1 }];
    const bought = await buyTickets(app, event.id, items);
    for (const _ of [1, 2]) await buyTickets(app, event.id, items);
    const { id: heldId } = await placeOrder(app, event.id, items);
    const person = await list.addPerson(event.type, 2);
    await cancelOrder(app, bought.secret);
    // Otherwise, the person gets no offer until the window of the order limits ends.
    await app.ctx.db.waitlistEntry.updateMany({ data: { seatKeys: [] } });
    const find = () =>
      app.ctx.db.waitlistEntry.findFirstOrThrow({ where: { email: person.email } });
    const { orderId } = await find();
    const secret = (await list.findEntrySecret(person)) ?? '';
    const pending: Promise<unknown>[] = [];
    await runInTransaction(app.ctx, async (tx) => {
      await lockOrder(tx, orderId ?? '');
      pending.push(leaveWaitlist(app.ctx, secret));
      await waitUntilLocked(1);
      await endPendingOrders(tx, [orderId ?? '', heldId], 'expired');
    });
    await Promise.all(pending);
    const entry = await find();
    expect(entry.orderId).not.toBe(orderId);
    expect(entry.status).toBe('withdrawn');
    const offer = await app.ctx.db.order.findUniqueOrThrow({ where: { id: entry.orderId ?? '' } });
    expect(offer.status).toBe('cancelled');
  });
});
