import { expireOrders } from '../../../src/features/orders/stock.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  at,
  BUYER,
  bought,
  cancel,
  mailsTo,
  makeEvent,
  order,
  pay,
  placed,
  portal,
  refusal,
  somebody,
  stockOf,
} from '../../support/events.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];
const BEFORE_EXPIRY = '2026-03-18T09:44:59.999Z';
const EXPIRY = '2026-03-18T09:45:00Z';
const LATER = '2026-03-18T10:45:00Z';

const lastMail = async (email = BUYER.email) => (await mailsTo(app, email)).at(-1);

describe('a hold', () => {
  it('is nobody else’s until its time is up, and then is whoever’s comes first', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 1 }] });
    const first = await placed(app, event.id, one(event.type));
    expect(
      await at(app, BEFORE_EXPIRY, () => refusal(app, event.id, one(event.type))),
    ).toMatchObject({ reason: 'SOLD_OUT' });
    const second = await at(app, EXPIRY, () => placed(app, event.id, one(event.type)));
    expect(second.status).toBe('pending');
    expect(await portal(app, first.secret)).toMatchObject({
      status: 'expired',
      tickets: [],
      payment: { status: 'none' },
      may: { pay: false, confirm: false, cancel: false, change_attendees: false },
    });
    expect(await stockOf(app, event.id)).toEqual({ event: 1, types: [1], tickets: 1 });
  });

  it('may no longer be paid once its time is up, whether it was given back or not', async () => {
    const event = await makeEvent(app);
    const { secret } = await placed(app, event.id, one(event.type));
    const may = (time: string) => at(app, time, async () => (await portal(app, secret)).may.pay);
    expect([await may(BEFORE_EXPIRY), await may(EXPIRY)]).toEqual([true, false]);
  });

  it('is given back by timed work, once, and no other one with it', async () => {
    const event = await makeEvent(app, { types: [{}, {}] });
    const [some = '', more = ''] = event.types;
    await placed(app, event.id, [...one(some, 2), ...one(more)]);
    await bought(app, event.id, one(some));
    await at(app, BEFORE_EXPIRY, async () => {
      expect(await expireOrders(app.ctx, { eventId: event.id })).toBe(0);
      await placed(app, event.id, one(more));
    });
    await at(app, EXPIRY, async () => {
      expect(await expireOrders(app.ctx, { eventId: event.id })).toBe(1);
      expect(await expireOrders(app.ctx, { eventId: event.id })).toBe(0);
    });
    expect(await stockOf(app, event.id)).toEqual({ event: 2, types: [1, 1], tickets: 2 });
  });

  it('is given back when hundreds have run out', async () => {
    const event = await makeEvent(app, { types: [{ quantity: null }] });
    const made = await Promise.all(
      Array.from({ length: 205 }, () => placed(app, event.id, one(event.type))),
    );
    expect(await at(app, LATER, () => expireOrders(app.ctx, { eventId: event.id }))).toBe(
      made.length,
    );
    expect(await stockOf(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
  });
});

describe('a payment', () => {
  it.each([BEFORE_EXPIRY, EXPIRY, LATER])('at %s is good while the stock is held', async (time) => {
    const event = await makeEvent(app);
    const made = await placed(app, event.id, one(event.type, 2));
    expect(await at(app, time, () => pay(app, made, 2_000))).toBe('confirmed');
    await at(app, LATER, () => expireOrders(app.ctx));
    expect(await portal(app, made.secret)).toMatchObject({ status: 'paid' });
    expect(await stockOf(app, event.id)).toEqual({ event: 2, types: [2], tickets: 2 });
  });

  it('that comes too late takes the stock again, and the discount', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 2 }] });
    const { code } = await app.ctx.db.discountCode.create({
      data: { code: 'AGAIN', percent: 50, maxUses: 1 },
    });
    const buyer = somebody();
    const made = await placed(app, event.id, one(event.type, 2), { discount_code: code, buyer });
    await at(app, LATER, async () => {
      expect(await expireOrders(app.ctx)).toBeGreaterThan(0);
      expect(await stockOf(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
      expect(await pay(app, made, 1_000)).toBe('confirmed');
    });
    expect(await portal(app, made.secret)).toMatchObject({
      status: 'paid',
      tickets: [{ status: 'valid' }, { status: 'valid' }],
      payment: { status: 'paid' },
    });
    expect(await stockOf(app, event.id)).toEqual({ event: 2, types: [2], tickets: 2 });
    expect(await app.ctx.db.discountCode.findUniqueOrThrow({ where: { code } })).toMatchObject({
      uses: 1,
    });
    expect((await mailsTo(app, buyer.email)).map(({ subject }) => subject)).toEqual([
      'Your tickets: Evening',
    ]);
  });

  it.each<[string, (event: Awaited<ReturnType<typeof makeEvent>>) => Promise<unknown>]>([
    ['the tickets are somebody else’s', ({ id, type }) => bought(app, id, one(type))],
    [
      'the event is full',
      ({ id }) => app.ctx.db.event.update({ where: { id }, data: { capacity: 0 } }),
    ],
    [
      'the event is cancelled',
      ({ id }) => app.ctx.db.event.update({ where: { id }, data: { status: 'cancelled' } }),
    ],
    [
      'the event is over',
      ({ id }) =>
        app.ctx.db.event.update({
          where: { id },
          data: { endsAt: new Date(LATER), startsAt: new Date(EXPIRY) },
        }),
    ],
  ])('that comes too late goes back when %s', async (_, change) => {
    const event = await makeEvent(app, { types: [{ quantity: 1 }] });
    const buyer = somebody();
    const made = await placed(app, event.id, one(event.type), { buyer });
    await at(app, LATER, async () => {
      await expireOrders(app.ctx);
      await change(event);
      expect(await pay(app, made, 1_000)).toBe('returned');
      expect(await pay(app, made, 1_000)).toBe('known');
    });
    expect(await portal(app, made.secret)).toMatchObject({
      status: 'expired',
      tickets: [],
      payment: { status: 'refunded' },
      refunded_amount: { amount: 1_000 },
    });
    expect(await lastMail(buyer.email)).toMatchObject({
      subject: 'Your payment arrived too late: Evening',
      text: expect.stringContaining('€10.00'),
    });
    const refunds = await app.ctx.db.refund.findMany({ where: { orderId: made.id } });
    expect(refunds).toMatchObject([{ amount: 1_000, status: 'pending' }]);
  });

  it('that comes twice is good once, and the other one goes back', async () => {
    const event = await makeEvent(app);
    const buyer = somebody();
    const made = await placed(app, event.id, one(event.type), { buyer });
    expect(await pay(app, made, 1_000)).toBe('confirmed');
    expect(await pay(app, made, 1_000, { ref: `second-${made.id}` })).toBe('returned');
    expect(await portal(app, made.secret)).toMatchObject({
      status: 'paid',
      paid: { amount: 2_000 },
      refunded_amount: { amount: 1_000 },
      tickets: [{ status: 'valid' }],
    });
    expect((await lastMail(buyer.email))?.subject).toBe(`Refund for order ${made.code}`);
    // What is left is what the ticket cost: cancelling gives just that back.
    await cancel(app, made.secret);
    expect(await portal(app, made.secret)).toMatchObject({ refunded_amount: { amount: 2_000 } });
  });

  it('of more than the price is good, and the rest goes back', async () => {
    const event = await makeEvent(app);
    const made = await placed(app, event.id, one(event.type));
    expect(await pay(app, made, 1_250)).toBe('confirmed');
    expect(await portal(app, made.secret)).toMatchObject({
      status: 'paid',
      paid: { amount: 1_250 },
      refunded_amount: { amount: 250 },
    });
  });

  it.each([
    [999, 'EUR'],
    [1_000, 'CHF'],
  ])('of %d %s for ten euros goes back, and the order can still be paid', async (sum, currency) => {
    const event = await makeEvent(app);
    const buyer = somebody();
    const made = await placed(app, event.id, one(event.type), { buyer });
    expect(await pay(app, made, sum, { ref: `wrong-${made.id}`, currency })).toBe('returned');
    expect(await portal(app, made.secret)).toMatchObject({ status: 'pending', may: { pay: true } });
    expect((await lastMail(buyer.email))?.text).toContain('which costs €10.00');
    expect(await pay(app, made, 1_000)).toBe('confirmed');
    expect(await stockOf(app, event.id)).toEqual({ event: 1, types: [1], tickets: 1 });
  });

  it('for an order that was given up goes back', async () => {
    const event = await makeEvent(app);
    const made = await placed(app, event.id, one(event.type));
    await cancel(app, made.secret);
    expect(await pay(app, made, 1_000)).toBe('returned');
    expect(await portal(app, made.secret)).toMatchObject({
      status: 'cancelled',
      refunded_amount: { amount: 1_000 },
    });
    expect(await stockOf(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
    expect((await order(app, event.id, one(event.type))).status).toBe(201);
  });
});
