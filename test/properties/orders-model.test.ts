import fc from 'fast-check';
import { v7 } from 'uuid';
import { anonymous } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/context.ts';
import { DomainError } from '../../src/errors.ts';
import { placeTicketOrder } from '../../src/features/orders/place/service/place-ticket-order.ts';
import { applyPayment } from '../../src/features/orders/service/apply-payment.ts';
import {
  cancelOrderBySecret,
  refundOrder,
} from '../../src/features/orders/service/cancel-order.ts';
import { expireOrders } from '../../src/features/orders/service/expire-orders.ts';
import { getOrderBySecret } from '../../src/features/orders/service/find-orders.ts';
import { reconcileStock } from '../../src/features/orders/service/reconcile-stock.ts';
import type { Order } from '../../src/features/orders/types.ts';
import { processRefunds } from '../../src/features/payments/service/refund-worker.ts';
import { sandboxProvider } from '../../src/integrations/payments/sandbox.ts';
import { BUYER, makeEvent } from '../support/factories/events.ts';
import { expectRecordedStatuses } from '../support/factories/journal.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { propertyRuns } from '../support/harness/property-runs.ts';

const RUNS = propertyRuns(12);
const STOCK = 6;
const QUARTER = 15 * 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: { PAYMENTS: 'sandbox' } });
});
afterAll(() => app.stop());

/** One action; `which` selects an existing order and `n` any other choice. */
const step = fc.oneof(
  fc.record({
    do: fc.constant('place' as const),
    quantity: fc.integer({ min: 1, max: 4 }),
    code: fc.boolean(),
  }),
  fc.record({
    do: fc.constantFrom(
      'pay',
      'pay',
      'pay',
      'cancel',
      'cancelSome',
      'refundSome',
      'refundAmount',
      'refundAll',
    ),
    which: fc.nat(),
    n: fc.nat({ max: 2_500 }),
    again: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('wait', 'sweep', 'payOut'), again: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** An order as the model records it. */
interface Entry {
  secret: string;
  id: string;
  state: 'held' | 'lapsed' | 'paid' | 'ended';
  expiresAt: number;
  total: number;
  quantity: number;
  usesCode: boolean;
  /** The price of each valid ticket. */
  tickets: Map<string, number>;
  captured: number;
  refunded: number;
}

test('any sequence of orders, payments, late payments, cancellations and refunds keeps the totals consistent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const run = await openRun();
      for (const entry of steps) {
        await run.apply(entry);
        if ('again' in entry && entry.again) await run.apply(entry);
      }
      await run.check();
    }),
    { numRuns: RUNS, endOnFailure: Boolean(process.env.PROPERTY_FAST) },
  );
});

/** The outcome, which may be a rejection. */
async function outcome<T>(act: () => Promise<T>): Promise<T | DomainError> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DomainError && ['CONFLICT', 'VALIDATION'].includes(error.code))
      return error;
    throw error;
  }
}

const succeeds = async (act: () => Promise<unknown>) =>
  !((await outcome(act)) instanceof DomainError);

async function openRun() {
  const event = await makeEvent(app, {
    capacity: STOCK,
    types: [{ quantity: STOCK, priceAmount: 999 }],
  });
  const { db } = app.ctx;
  const code = `C${v7().replaceAll('-', '').toUpperCase().slice(12)}`;
  const { id: codeId } = await db.discountCode.create({
    data: { code, percent: 33, maxUses: 3, eventId: event.id },
  });
  const start = app.clock.now;
  const clock = { now: start };
  const ctx: Context = { ...app.ctx, payments: sandboxProvider, now: () => clock.now };
  const buyer: Context = { ...ctx, viewer: anonymous };
  const entries: Entry[] = [];

  const countReserved = () =>
    entries.reduce(
      (sum, entry) => sum + (entry.state === 'held' ? entry.quantity : entry.tickets.size),
      0,
    );
  const countUses = () =>
    entries.filter((entry) => entry.usesCode && ['held', 'paid'].includes(entry.state)).length;
  /** A request for sold-out tickets releases all expired holds. */
  const expireHolds = () => {
    for (const entry of entries) {
      if (entry.state === 'held' && entry.expiresAt <= clock.now.getTime()) entry.state = 'lapsed';
    }
  };

  async function place(quantity: number, withCode: boolean) {
    const fits = () => countReserved() + quantity <= STOCK && !(withCode && countUses() >= 3);
    if (!fits()) expireHolds();
    const expected = fits();
    const placed = await outcome(() =>
      placeTicketOrder(buyer, {
        event: event.id,
        buyer: BUYER,
        items: [{ ticketTypeId: event.type, quantity }],
        discountCode: withCode ? code : undefined,
      }),
    );
    expect(placed instanceof DomainError ? placed.details.reason : 'PLACED').toMatch(
      expected ? /^PLACED$/ : /^(SOLD_OUT|DISCOUNT_USED_UP)$/,
    );
    if (placed instanceof DomainError) return;
    entries.push({
      secret: placed.secret ?? '',
      id: placed.id,
      state: 'held',
      expiresAt: clock.now.getTime() + QUARTER,
      total: placed.total.amount,
      quantity,
      usesCode: withCode,
      tickets: new Map(),
      captured: 0,
      refunded: 0,
    });
  }

  async function pay(entry: Entry, n: number) {
    const ref = n % 3 === 0 ? `once-${entry.id}` : v7();
    const isRepeated = paid.has(ref);
    // The price was promised, so it does not matter whether the code was used up meanwhile.
    const canReacquire = entry.state === 'lapsed' && countReserved() + entry.quantity <= STOCK;
    const response = await applyPayment(ctx, {
      orderId: entry.id,
      provider: 'sandbox',
      ref,
      amount: { amount: entry.total, currency: 'EUR' },
      method: 'card_online',
      takenById: null,
    });
    paid.add(ref);
    if (isRepeated) return expect(response).toBe('known');
    const isAccepted = entry.state === 'held' || canReacquire;
    expect(response).toBe(isAccepted ? 'confirmed' : 'returned');
    entry.captured += entry.total;
    if (!isAccepted) {
      entry.refunded += entry.total;
      return;
    }
    entry.state = 'paid';
    await recordTickets(entry);
  }
  const paid = new Set<string>();

  /** The tickets of the order; their prices must add up to its total. */
  async function recordTickets(entry: Entry) {
    const { tickets } = await getOrderBySecret(ctx, entry.secret);
    const valid = tickets.filter(({ status }) => status === 'valid');
    expect(valid).toHaveLength(entry.quantity);
    for (const { id, price } of valid) entry.tickets.set(id, price.amount);
    expect([...entry.tickets.values()].reduce((sum, price) => sum + price, 0)).toBe(entry.total);
  }

  async function end(entry: Entry, ids: string[], act: () => Promise<Order>) {
    const remaining = entry.captured - entry.refunded;
    if (!(await succeeds(act))) return;
    if (entry.state === 'held') {
      entry.state = 'ended';
      return;
    }
    const price = ids.reduce((sum, id) => sum + (entry.tickets.get(id) ?? 0), 0);
    entry.refunded += Math.min(remaining, price);
    for (const id of ids) entry.tickets.delete(id);
    if (entry.tickets.size === 0) entry.state = 'ended';
  }

  async function change(action: string, entry: Entry, n: number) {
    const all = [...entry.tickets.keys()];
    const some = all.slice(0, 1 + (n % Math.max(1, all.length)));
    const remaining = entry.captured - entry.refunded;
    const orderId = entry.id;
    if (action === 'pay') return pay(entry, n);
    if (action === 'cancel')
      return end(entry, all, () => cancelOrderBySecret(buyer, entry.secret, undefined));
    if (action === 'cancelSome' && some.length > 0)
      return end(entry, some, () => cancelOrderBySecret(buyer, entry.secret, some));
    if (action === 'refundSome' && some.length > 0)
      return end(entry, some, () => refundOrder(ctx, { orderId, ticketIds: some }));
    if (action === 'refundAll') return end(entry, all, () => refundOrder(ctx, { orderId }));
    if (action !== 'refundAmount' || entry.state !== 'paid') return;
    const isRefunded = await succeeds(() => refundOrder(ctx, { orderId, amount: n }));
    expect([n, isRefunded]).toEqual([n, n >= 1 && n <= remaining]);
    if (isRefunded) entry.refunded += n;
  }

  async function apply(entry: Step) {
    if (entry.do === 'place') return place(entry.quantity, entry.code);
    if (entry.do === 'wait') clock.now = new Date(clock.now.getTime() + QUARTER / 2);
    if (entry.do === 'payOut') await processRefunds(ctx);
    if (entry.do === 'sweep') {
      await expireOrders(ctx, { eventId: event.id });
      expireHolds();
    }
    const target =
      'which' in entry ? entries[entry.which % Math.max(1, entries.length)] : undefined;
    if (target && 'n' in entry) await change(entry.do, target, entry.n);
  }

  async function check() {
    for (const entry of entries) {
      const order = await getOrderBySecret(ctx, entry.secret);
      const states = { held: 'pending', lapsed: 'expired', paid: 'paid', ended: 'cancelled' };
      expect(order.status).toBe(states[entry.state]);
      expect(order.paid.amount).toBe(entry.captured);
      expect(order.refunded.amount).toBe(entry.refunded);
      const valid = order.tickets.filter(({ status }) => status === 'valid').map(({ id }) => id);
      expect(valid.toSorted()).toEqual([...entry.tickets.keys()].toSorted());
    }
    await processRefunds(ctx);
    const stored = await db.event.findUniqueOrThrow({
      where: { id: event.id },
      include: { ticketTypes: true },
    });
    expect(stored.reservedCount).toBe(countReserved());
    expect(stored.ticketTypes[0]?.reservedCount).toBe(countReserved());
    const { uses } = await db.discountCode.findUniqueOrThrow({ where: { id: codeId } });
    expect(uses).toBe(countUses());
    const money = await db.refund.findMany({ where: { order: { eventId: event.id } } });
    expect(money.every(({ status }) => status === 'succeeded')).toBe(true);
    const refunded = money.reduce((sum, { amount }) => sum + amount, 0);
    expect(refunded).toBe(entries.reduce((sum, entry) => sum + entry.refunded, 0));
    expect(await reconcileStock(ctx)).toEqual([]);
    await expectRecordedStatuses(app, event.id);
  }

  return { apply, check };
}
