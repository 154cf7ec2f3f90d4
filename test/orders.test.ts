import { receivePayment } from '../src/features/orders/payments/receive.ts';
import { giveBackExpired } from '../src/features/orders/stock/expire.ts';
import { startApp, type TestApp } from './support/app.ts';
import { BUYER, makeEvent, order, placed, stockOf } from './support/events.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const pay = (id: string, amount: number, ref = `ref-${id}`) =>
  receivePayment(app.ctx, {
    orderId: id,
    provider: 'on_site',
    ref,
    amount: { amount, currency: 'EUR' },
  });

const portal = async (secret: string) => {
  const { status, body } = await app.rest(`/public/orders/${secret}`);
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
  return { status, order: (body.data as any).order };
};

test('a paid order holds its tickets, is confirmed by its payment, and shows its tickets in the portal', async () => {
  const event = await makeEvent(app);
  const made = await placed(app, event.slug, [{ ticketTypeId: event.type, quantity: 2 }]);
  expect(made).toMatchObject({
    status: 'pending',
    total: { amount: 2_000, currency: 'EUR' },
    tickets: [],
    items: [{ quantity: 2, unit_price: { amount: 1_000 } }],
    payment: { status: 'pending', url: `http://foyer.test/pay/${made.secret}` },
    expires_at: '2026-03-18T09:45:00.000Z',
  });
  expect(await stockOf(app, event.id)).toEqual({ event: 2, types: [2], tickets: 2 });
  expect(await pay(made.id, 2_000)).toBe('confirmed');
  expect(await pay(made.id, 2_000)).toBe('known');
  const { order } = await portal(made.secret);
  expect(order).toMatchObject({
    status: 'paid',
    payment: { status: 'paid' },
    tickets: [
      { status: 'valid', attendee: { name: BUYER.name }, event: { id: event.id } },
      { status: 'valid' },
    ],
    may: { cancel: true, pay: false },
  });
});

test('a free order is confirmed at once and its mail is written with it', async () => {
  const event = await makeEvent(app, { types: [{ priceAmount: 0 }] });
  const made = await placed(app, event.id, [
    { ticketTypeId: event.type, quantity: 1, attendees: [{ name: 'Ole' }] },
  ]);
  expect(made).toMatchObject({
    status: 'paid',
    payment: null,
    tickets: [{ attendee: { name: 'Ole' } }],
  });
  const mail = await app.ctx.db.mail.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
  expect(mail.recipient).toBe(BUYER.email);
  expect(mail.text).toContain(made.tickets[0].code);
});

test('what is not paid in time is given back, and a later payment takes it again or goes back', async () => {
  const event = await makeEvent(app, { types: [{ quantity: 1 }] });
  const first = await placed(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
  expect((await order(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }])).status).toBe(
    422,
  );
  const before = app.clock.now;
  app.clock.now = new Date(before.getTime() + 16 * 60_000);
  const second = await placed(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
  expect((await portal(first.secret)).order.status).toBe('expired');
  expect(await pay(first.id, 1_000)).toBe('returned');
  expect((await portal(first.secret)).order).toMatchObject({
    status: 'expired',
    payment: { status: 'refunded' },
    refunded_amount: { amount: 1_000 },
  });
  app.clock.now = new Date(before.getTime() + 40 * 60_000);
  expect(await giveBackExpired(app.ctx)).toBe(1);
  expect(await stockOf(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
  expect(await pay(second.id, 1_000)).toBe('confirmed');
  expect(await stockOf(app, event.id)).toEqual({ event: 1, types: [1], tickets: 1 });
  app.clock.now = before;
});
