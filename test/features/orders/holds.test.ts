import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { copyOrder } from '../../support/factories/copied-orders.ts';
import {
  atTime,
  BUYER,
  buyTickets,
  cancelOrder,
  countStock,
  expectRejected,
  fetchOrder,
  findEmails,
  makeBuyer,
  makeEvent,
  payOrder,
  placeOrder,
  postOrder,
} from '../../support/factories/events.ts';
import { SANDBOX, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: SANDBOX });
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];
const BEFORE_EXPIRY = '2026-03-18T09:44:59.999Z';
const EXPIRY = '2026-03-18T09:45:00Z';
const LATER = '2026-03-18T10:45:00Z';

const lastMail = async (email = BUYER.email) => (await findEmails(app, email)).at(-1);

describe('a hold', () => {
  it('blocks its tickets until it expires, and then releases them to the first buyer', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 1 }] });
    const first = await placeOrder(app, event.id, one(event.type));
    expect(
      await atTime(app, BEFORE_EXPIRY, () => expectRejected(app, event.id, one(event.type))),
    ).toMatchObject({ reason: 'SOLD_OUT' });
    const second = await atTime(app, EXPIRY, () => placeOrder(app, event.id, one(event.type)));
    expect(second.status).toBe('pending');
    expect(await fetchOrder(app, first.secret)).toMatchObject({
      status: 'expired',
      tickets: [],
      payment: { status: 'none' },
      may: { pay: false, confirm: false, cancel: false, change_attendees: false },
    });
    expect(await countStock(app, event.id)).toEqual({ event: 1, types: [1], tickets: 1 });
  });

  it('has an end only as long as the order is pending', async () => {
    const event = await makeEvent(app);
    const orders = await Promise.all(
      [1, 2, 3].map(() => placeOrder(app, event.id, one(event.type))),
    );
    const [paid, cancelled, expired] = orders;
    for (const order of orders) expect(order.expires_at).toBe('2026-03-18T09:45:00.000Z');
    await payOrder(app, paid, 1_000);
    await cancelOrder(app, cancelled.secret);
    const readEnds = () =>
      Promise.all(
        orders.map(async ({ secret }) => {
          const { data } = await app.graphql(
            'query ($secret: String!) { order(secret: $secret) { expiresAt } }',
            { secret },
          );
          const rest = await fetchOrder(app, secret);
          expect(data.order.expiresAt).toBe(rest.expires_at);
          return rest.expires_at;
        }),
      );
    expect(await readEnds()).toEqual([null, null, expired.expires_at]);
    await atTime(app, EXPIRY, async () => {
      await expireOrders(app.ctx, { eventId: event.id });
      expect(await readEnds()).toEqual([null, null, null]);
    });
  });

  it('can no longer be paid after it expires, released or not', async () => {
    const event = await makeEvent(app);
    const { secret } = await placeOrder(app, event.id, one(event.type));
    const may = (time: string) =>
      atTime(app, time, async () => (await fetchOrder(app, secret)).may.pay);
    expect([await may(BEFORE_EXPIRY), await may(EXPIRY)]).toEqual([true, false]);
  });

  it('is released once by the job, without other holds', async () => {
    const event = await makeEvent(app, { types: [{}, {}] });
    const [some = '', more = ''] = event.types;
    await placeOrder(app, event.id, [...one(some, 2), ...one(more)]);
    await buyTickets(app, event.id, one(some));
    await atTime(app, BEFORE_EXPIRY, async () => {
      expect(await expireOrders(app.ctx, { eventId: event.id })).toBe(0);
      await placeOrder(app, event.id, one(more));
    });
    await atTime(app, EXPIRY, async () => {
      expect(await expireOrders(app.ctx, { eventId: event.id })).toBe(1);
      expect(await expireOrders(app.ctx, { eventId: event.id })).toBe(0);
    });
    expect(await countStock(app, event.id)).toEqual({ event: 2, types: [1, 1], tickets: 2 });
  });

  it('is released when hundreds of holds have expired', async () => {
    const event = await makeEvent(app, { types: [{ quantity: null }] });
    const count = 205; // more than expire at once
    await copyOrder(app, (await placeOrder(app, event.id, one(event.type))).id, count - 1);
    expect((await countStock(app, event.id)).tickets).toBe(count);
    expect(await atTime(app, LATER, () => expireOrders(app.ctx, { eventId: event.id }))).toBe(
      count,
    );
    expect(await countStock(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
  });
});

describe('a payment', () => {
  it.each([BEFORE_EXPIRY, EXPIRY, LATER])(
    'confirms the order at %s while the stock is held',
    async (time) => {
      const event = await makeEvent(app);
      const created = await placeOrder(app, event.id, one(event.type, 2));
      expect(await atTime(app, time, () => payOrder(app, created, 2_000))).toBe('confirmed');
      await atTime(app, LATER, () => expireOrders(app.ctx));
      expect(await fetchOrder(app, created.secret)).toMatchObject({ status: 'paid' });
      expect(await countStock(app, event.id)).toEqual({ event: 2, types: [2], tickets: 2 });
    },
  );

  it('reacquires stock and discount if it is late', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 2 }] });
    const { code } = await app.ctx.db.discountCode.create({
      data: { code: 'AGAIN', percent: 50, maxUses: 1 },
    });
    const buyer = makeBuyer();
    const created = await placeOrder(app, event.id, one(event.type, 2), {
      discount_code: code,
      buyer,
    });
    await atTime(app, LATER, async () => {
      expect(await expireOrders(app.ctx)).toBeGreaterThan(0);
      expect(await countStock(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
      expect(await payOrder(app, created, 1_000)).toBe('confirmed');
    });
    expect(await fetchOrder(app, created.secret)).toMatchObject({
      status: 'paid',
      tickets: [{ status: 'valid' }, { status: 'valid' }],
      payment: { status: 'paid' },
    });
    expect(await countStock(app, event.id)).toEqual({ event: 2, types: [2], tickets: 2 });
    expect(await app.ctx.db.discountCode.findUniqueOrThrow({ where: { code } })).toMatchObject({
      uses: 1,
    });
    expect((await findEmails(app, buyer.email)).map(({ subject }) => subject)).toEqual([
      'Your tickets: Evening',
    ]);
  });

  it('keeps its discount if it is late and the code has been used up meanwhile', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 3 }] });
    const { code } = await app.ctx.db.discountCode.create({
      data: { code: 'ONCE', percent: 50, maxUses: 1 },
    });
    const order = () =>
      postOrder(app, event.id, one(event.type), { discount_code: code, buyer: makeBuyer() });
    const readUses = async () => {
      const { uses, lateUses } = await app.ctx.db.discountCode.findUniqueOrThrow({
        where: { code },
      });
      return [uses, lateUses];
    };
    // biome-ignore lint/suspicious/noExplicitAny: the response is read as JSON
    const late = ((await order()).body.data as any).order;
    await atTime(app, LATER, async () => {
      // biome-ignore lint/suspicious/noExplicitAny: the response is read as JSON
      const other = ((await order()).body.data as any).order;
      expect(await payOrder(app, other, 500)).toBe('confirmed');
      expect(await payOrder(app, late, 500)).toBe('confirmed');
      expect(await fetchOrder(app, late.secret)).toMatchObject({
        status: 'paid',
        total: { amount: 500 },
        refunded_amount: { amount: 0 },
      });
      expect(await readUses()).toEqual([2, 1]);
      const getReason = async () => (await order()).headers.get('foyer-error-reason');
      expect(await getReason()).toBe('DISCOUNT_USED_UP');
      await cancelOrder(app, other.secret);
      expect(await readUses()).toEqual([1, 0]);
      expect(await getReason()).toBe('DISCOUNT_USED_UP');
      await cancelOrder(app, late.secret);
      expect(await readUses()).toEqual([0, 0]);
      expect((await order()).status).toBe(201);
    });
  });

  it.each<[string, (event: Awaited<ReturnType<typeof makeEvent>>) => Promise<unknown>]>([
    ['the tickets are sold', ({ id, type }) => buyTickets(app, id, one(type))],
    [
      'the event is full',
      ({ id }) => app.ctx.db.event.update({ where: { id }, data: { capacity: 0 } }),
    ],
    [
      'the event is cancelled',
      ({ id }) => app.ctx.db.event.update({ where: { id }, data: { status: 'cancelled' } }),
    ],
    [
      'the event has ended',
      ({ id }) =>
        app.ctx.db.event.update({
          where: { id },
          data: { endsAt: new Date(LATER), startsAt: new Date(EXPIRY) },
        }),
    ],
  ])('that is too late is refunded if %s', async (_, change) => {
    const event = await makeEvent(app, { types: [{ quantity: 1 }] });
    const buyer = makeBuyer();
    const created = await placeOrder(app, event.id, one(event.type), { buyer });
    await atTime(app, LATER, async () => {
      await expireOrders(app.ctx);
      await change(event);
      expect(await payOrder(app, created, 1_000)).toBe('returned');
      expect(await payOrder(app, created, 1_000)).toBe('known');
    });
    expect(await fetchOrder(app, created.secret)).toMatchObject({
      status: 'expired',
      tickets: [],
      payment: { status: 'refunded' },
      refunded_amount: { amount: 1_000 },
    });
    expect(await lastMail(buyer.email)).toMatchObject({
      subject: 'Your payment arrived too late: Evening',
      text: expect.stringContaining('€10.00'),
    });
    const refunds = await app.ctx.db.refund.findMany({ where: { orderId: created.id } });
    expect(refunds).toMatchObject([{ amount: 1_000, status: 'pending' }]);
  });

  it('confirms the order once and is refunded if it repeats', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const created = await placeOrder(app, event.id, one(event.type), { buyer });
    expect(await payOrder(app, created, 1_000)).toBe('confirmed');
    expect((await lastMail(buyer.email))?.subject).toBe('Your tickets: Evening');
    expect(await payOrder(app, created, 1_000, { ref: `second-${created.id}` })).toBe('returned');
    expect(await fetchOrder(app, created.secret)).toMatchObject({
      status: 'paid',
      paid: { amount: 2_000 },
      refunded_amount: { amount: 1_000 },
      tickets: [{ status: 'valid' }],
    });
    expect((await lastMail(buyer.email))?.subject).toBe(`Refund for order ${created.code}`);
    // Cancelling refunds exactly the remaining price of the ticket.
    await cancelOrder(app, created.secret);
    expect(await fetchOrder(app, created.secret)).toMatchObject({
      refunded_amount: { amount: 2_000 },
    });
  });

  it('confirms the order and refunds what exceeds the price', async () => {
    const event = await makeEvent(app);
    const created = await placeOrder(app, event.id, one(event.type));
    expect(await payOrder(app, created, 1_250)).toBe('confirmed');
    expect(await fetchOrder(app, created.secret)).toMatchObject({
      status: 'paid',
      paid: { amount: 1_250 },
      refunded_amount: { amount: 250 },
    });
  });

  it.each([
    [999, 'EUR'],
    [1_000, 'CHF'],
  ])(
    'of %d %s for ten euros is refunded, and the order can still be paid',
    async (sum, currency) => {
      const event = await makeEvent(app);
      const buyer = makeBuyer();
      const created = await placeOrder(app, event.id, one(event.type), { buyer });
      expect(await payOrder(app, created, sum, { ref: `wrong-${created.id}`, currency })).toBe(
        'returned',
      );
      expect(await fetchOrder(app, created.secret)).toMatchObject({
        status: 'pending',
        may: { pay: true },
      });
      expect((await lastMail(buyer.email))?.text).toContain('which costs €10.00');
      expect(await payOrder(app, created, 1_000)).toBe('confirmed');
      expect(await countStock(app, event.id)).toEqual({ event: 1, types: [1], tickets: 1 });
    },
  );

  it('is refunded for a cancelled order', async () => {
    const event = await makeEvent(app);
    const created = await placeOrder(app, event.id, one(event.type));
    await cancelOrder(app, created.secret);
    expect(await payOrder(app, created, 1_000)).toBe('returned');
    expect(await fetchOrder(app, created.secret)).toMatchObject({
      status: 'cancelled',
      refunded_amount: { amount: 1_000 },
    });
    expect(await countStock(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
    expect((await postOrder(app, event.id, one(event.type))).status).toBe(201);
  });
});
