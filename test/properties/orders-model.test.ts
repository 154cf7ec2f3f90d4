import fc from 'fast-check';
import { v7 } from 'uuid';
import { anonymous } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/context.ts';
import { DomainError } from '../../src/errors.ts';
import { applyPayment } from '../../src/features/orders/commands/apply-payment.ts';
import {
  cancelOrderBySecret,
  refundOrder,
} from '../../src/features/orders/commands/cancel-order.ts';
import { placeTicketOrder } from '../../src/features/orders/place/place-ticket-order.ts';
import { getOrderBySecret } from '../../src/features/orders/queries.ts';
import { expireOrders, reconcileStock } from '../../src/features/orders/stock.ts';
import type { Order } from '../../src/features/orders/types.ts';
import { processRefunds } from '../../src/features/payments/refund-worker.ts';
import { sandboxProvider } from '../../src/integrations/payments/sandbox.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { BUYER, makeEvent } from '../support/events.ts';
import { propertyRuns } from '../support/property-runs.ts';

const RUNS = propertyRuns(25);
const STOCK = 6;
const QUARTER = 15 * 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: { PAYMENTS: 'sandbox' } });
});
afterAll(() => app.stop());

/** What somebody does; `which` picks an order among those that are there, `n` whatever there is to choose. */
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

/** An order as the books have it that the test keeps by itself. */
interface Entry {
  secret: string;
  id: string;
  state: 'held' | 'lapsed' | 'paid' | 'ended';
  expiresAt: number;
  total: number;
  quantity: number;
  usesCode: boolean;
  /** What each valid ticket costs. */
  tickets: Map<string, number>;
  captured: number;
  refunded: number;
}

test('whatever is ordered, paid, paid late, cancelled and given back, in any order and again, the books agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const run = await openRun();
      for (const one of steps) {
        await run.take(one);
        if ('again' in one && one.again) await run.take(one);
      }
      await run.check();
    }),
    { numRuns: RUNS, endOnFailure: Boolean(process.env.PROPERTY_FAST) },
  );
});

/** What came of it, a refusal included. */
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

  const taken = () =>
    entries.reduce((sum, one) => sum + (one.state === 'held' ? one.quantity : one.tickets.size), 0);
  const uses = () =>
    entries.filter((one) => one.usesCode && ['held', 'paid'].includes(one.state)).length;
  /** Who asks for what is not there gives back what has run out, wherever it is. */
  const lapse = () => {
    for (const one of entries) {
      if (one.state === 'held' && one.expiresAt <= clock.now.getTime()) one.state = 'lapsed';
    }
  };

  async function place(quantity: number, withCode: boolean) {
    const fits = () => taken() + quantity <= STOCK && !(withCode && uses() >= 3);
    if (!fits()) lapse();
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

  async function pay(one: Entry, n: number) {
    const ref = n % 3 === 0 ? `once-${one.id}` : v7();
    const known = paid.has(ref);
    const retakes =
      one.state === 'lapsed' && taken() + one.quantity <= STOCK && !(one.usesCode && uses() >= 3);
    const answer = await applyPayment(ctx, {
      orderId: one.id,
      provider: 'sandbox',
      ref,
      amount: { amount: one.total, currency: 'EUR' },
    });
    paid.add(ref);
    if (known) return expect(answer).toBe('known');
    const good = one.state === 'held' || retakes;
    expect(answer).toBe(good ? 'confirmed' : 'returned');
    one.captured += one.total;
    if (!good) {
      one.refunded += one.total;
      return;
    }
    one.state = 'paid';
    await note(one);
  }
  const paid = new Set<string>();

  /** Which tickets it got, whose prices must be the order's. */
  async function note(one: Entry) {
    const { tickets } = await getOrderBySecret(ctx, one.secret);
    const valid = tickets.filter(({ status }) => status === 'valid');
    expect(valid).toHaveLength(one.quantity);
    for (const { id, price } of valid) one.tickets.set(id, price.amount);
    expect([...one.tickets.values()].reduce((sum, price) => sum + price, 0)).toBe(one.total);
  }

  async function end(
    one: Entry,
    ids: string[],
    back: number | undefined,
    act: () => Promise<Order>,
  ) {
    const left = one.captured - one.refunded;
    if (!(await succeeds(act))) return;
    if (one.state === 'held') {
      one.state = 'ended';
      return;
    }
    const price = ids.reduce((sum, id) => sum + (one.tickets.get(id) ?? 0), 0);
    one.refunded += Math.min(left, back ?? price);
    for (const id of ids) one.tickets.delete(id);
    if (one.tickets.size === 0) one.state = 'ended';
  }

  async function change(what: string, one: Entry, n: number) {
    const all = [...one.tickets.keys()];
    const some = all.slice(0, 1 + (n % Math.max(1, all.length)));
    const left = one.captured - one.refunded;
    const orderId = one.id;
    if (what === 'pay') return pay(one, n);
    if (what === 'cancel')
      return end(one, all, undefined, () => cancelOrderBySecret(buyer, one.secret, undefined));
    if (what === 'cancelSome' && some.length > 0)
      return end(one, some, undefined, () => cancelOrderBySecret(buyer, one.secret, some));
    if (what === 'refundSome' && some.length > 0)
      return end(one, some, some.length === all.length ? left : undefined, () =>
        refundOrder(ctx, { orderId, ticketIds: some }),
      );
    if (what === 'refundAll') return end(one, all, left, () => refundOrder(ctx, { orderId }));
    if (what !== 'refundAmount' || one.state !== 'paid') return;
    if (await succeeds(() => refundOrder(ctx, { orderId, amount: n }))) one.refunded += n;
    else expect(n).toBeGreaterThan(left);
  }

  async function take(one: Step) {
    if (one.do === 'place') return place(one.quantity, one.code);
    if (one.do === 'wait') clock.now = new Date(clock.now.getTime() + QUARTER / 2);
    if (one.do === 'payOut') await processRefunds(ctx);
    if (one.do === 'sweep') {
      await expireOrders(ctx, { eventId: event.id });
      lapse();
    }
    const target = 'which' in one ? entries[one.which % Math.max(1, entries.length)] : undefined;
    if (target && 'n' in one) await change(one.do, target, one.n);
  }

  async function check() {
    for (const one of entries) {
      const order = await getOrderBySecret(ctx, one.secret);
      const states = { held: 'pending', lapsed: 'expired', paid: 'paid', ended: 'cancelled' };
      expect(order.status).toBe(states[one.state]);
      expect(order.paid.amount).toBe(one.captured);
      expect(order.refunded.amount).toBe(one.refunded);
      const valid = order.tickets.filter(({ status }) => status === 'valid').map(({ id }) => id);
      expect(valid.toSorted()).toEqual([...one.tickets.keys()].toSorted());
    }
    await processRefunds(ctx);
    const stored = await db.event.findUniqueOrThrow({
      where: { id: event.id },
      include: { ticketTypes: true },
    });
    expect(stored.reservedCount).toBe(taken());
    expect(stored.ticketTypes[0]?.reservedCount).toBe(taken());
    const { uses: counted } = await db.discountCode.findUniqueOrThrow({ where: { id: codeId } });
    expect(counted).toBe(uses());
    const money = await db.refund.findMany({ where: { order: { eventId: event.id } } });
    expect(money.every(({ status }) => status === 'succeeded')).toBe(true);
    const refunded = money.reduce((sum, { amount }) => sum + amount, 0);
    expect(refunded).toBe(entries.reduce((sum, one) => sum + one.refunded, 0));
    expect(await reconcileStock(ctx)).toEqual([]);
  }

  return { take, check };
}
