import { v7 } from 'uuid';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { cancelEventOrders } from '../../../src/features/orders/service/event-changes.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { Credential } from '../../support/clients/api.ts';
import { copyOrder } from '../../support/factories/copied-orders.ts';
import {
  atTime,
  buyTickets,
  cancelOrder,
  countStock,
  fetchOrder,
  findEmails,
  getReasons,
  makeBuyer,
  makeEvent,
  payOrder,
  placeOrder,
} from '../../support/factories/events.ts';
import { SANDBOX, STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let manager: Credential;
beforeAll(async () => {
  app = await startApp({ config: SANDBOX });
  manager = { cookie: await app.signIn(STAFF.manager) };
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

const callOff = async (id: string, reason?: string) => {
  const { data, errors } = await app.graphql(
    'mutation ($id: ID!, $reason: String) { cancelEvent(input: { id: $id, reason: $reason }) { event { status } } }',
    { id, reason },
    manager,
  );
  if (errors[0]) throw new Error(JSON.stringify(errors[0]));
  return data.cancelEvent.event;
};
const update = (id: string, input: object) =>
  app.graphql(
    'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { event { id } } }',
    { input: { id, ...input } },
    manager,
  );
const subjects = async (email: string) =>
  (await findEmails(app, email)).map(({ subject }) => subject);

describe('cancelling an event', () => {
  it('cancels and refunds its orders and emails the reason', async () => {
    const event = await makeEvent(app, { refundHours: null, types: [{}, { priceAmount: 0 }] });
    const [expensive = '', free = ''] = event.types;
    const people = [makeBuyer(), makeBuyer(), makeBuyer(), makeBuyer()] as const;
    const [paid, freeOrder, held, transferred] = people;
    const orders = {
      paid: await buyTickets(app, event.id, one(expensive, 2), { buyer: paid }),
      gratis: await buyTickets(app, event.id, one(free), { buyer: freeOrder }),
      held: await placeOrder(app, event.id, one(expensive), { buyer: held }),
      given: await buyTickets(app, event.id, one(expensive), { buyer: transferred }),
    };
    await cancelOrder(app, orders.given.secret).then(({ status }) => expect(status).toBe(422));
    await app.graphql(
      `mutation { refundOrder(input: { id: "${orders.paid.id}", amount: 300 }) { order { id } } }`,
      {},
      manager,
    );
    expect(await callOff(event.id, 'The band is ill')).toEqual({ status: 'CANCELLED' });
    for (const { secret } of Object.values(orders)) {
      expect(await fetchOrder(app, secret)).toMatchObject({
        status: 'cancelled',
        event: { status: 'cancelled' },
        may: { pay: false, cancel: false, change_attendees: false },
      });
    }
    expect(await fetchOrder(app, orders.paid.secret)).toMatchObject({
      refunded_amount: { amount: 2_000 },
      tickets: [{ status: 'cancelled' }, { status: 'cancelled' }],
    });
    expect(await countStock(app, event.id)).toEqual({ event: 0, types: [0, 0], tickets: 0 });
    for (const { email } of people)
      expect((await subjects(email)).at(-1)).toBe('Event cancelled: Evening');
    const mail = (await findEmails(app, paid.email)).at(-1);
    expect(mail?.text).toMatch(/The band is ill[\s\S]*€17\.00/);
    const heldText = (await findEmails(app, held.email)).at(-1)?.text;
    expect(heldText).toMatch(/The band is ill/);
    expect(heldText).not.toMatch(/refund/);
    const response = await cancelOrder(app, orders.paid.secret);
    expect([response.status, response.body.data]).toEqual([422, 'The order is already cancelled.']);
  });

  it('refunds payments that arrive later', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const [held, expired] = [
      await placeOrder(app, event.id, one(event.type), { buyer }),
      await placeOrder(app, event.id, one(event.type), { buyer }),
    ];
    await app.ctx.db.order.update({
      where: { id: expired.id },
      data: { expiresAt: app.clock.now },
    });
    await expireOrders(app.ctx);
    await callOff(event.id);
    expect(await payOrder(app, held, 1_000)).toBe('returned');
    expect(await payOrder(app, expired, 1_000)).toBe('returned');
    expect(await subjects(buyer.email)).toEqual([
      'Event cancelled: Evening',
      `Refund for order ${held.code}`,
      'Your payment arrived too late: Evening',
    ]);
    expect(await countStock(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
  });

  it('emails the waiting list and people with offers, and offers no released tickets', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 2 }] });
    const [first, second] = [
      await buyTickets(app, event.id, one(event.type)),
      await buyTickets(app, event.id, one(event.type)),
    ];
    const people = [makeBuyer(), makeBuyer()] as const;
    for (const person of people) {
      app.clock.now = new Date(app.clock.now.getTime() + 1);
      await app.graphql(
        'mutation ($input: JoinWaitlistInput!) { joinWaitlist(input: $input) { quantity } }',
        { input: { ticketTypeId: event.type, ...person } },
      );
    }
    await cancelOrder(app, first.secret);
    await subjects(people[0].email);
    await callOff(event.id);
    await cancelEventOrders(app.ctx);
    expect(await subjects(people[0].email)).toEqual([
      expect.stringMatching(/waiting list/),
      expect.stringMatching(/^Tickets available/),
      'Event cancelled: Evening',
    ]);
    expect(await subjects(people[1].email)).toEqual([
      expect.stringMatching(/waiting list/),
      'Waiting list closed: Evening',
    ]);
    const entries = await app.ctx.db.waitlistEntry.findMany({
      where: { ticketTypeId: event.type },
    });
    expect(entries.map(({ status }) => status)).toEqual(['expired', 'expired']);
    expect(await fetchOrder(app, second.secret)).toMatchObject({ status: 'cancelled' });
  });

  it('refunds and emails only once if repeated', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const { secret } = await buyTickets(app, event.id, one(event.type), { buyer });
    expect(await subjects(buyer.email)).toEqual(['Your tickets: Evening']);
    await callOff(event.id);
    await callOff(event.id);
    expect(await cancelEventOrders(app.ctx)).toBe(0);
    expect(await subjects(buyer.email)).toHaveLength(2);
    expect(await fetchOrder(app, secret)).toMatchObject({ refunded_amount: { amount: 1_000 } });
  });

  it('cancels more orders and entries than are read at once, and resumes after an interruption', async () => {
    const event = await makeEvent(app, { types: [{ quantity: null, priceAmount: 0 }] });
    const [many, batchSize] = [23, 10];
    await copyOrder(app, (await placeOrder(app, event.id, one(event.type))).id, many - 1);
    expect((await countStock(app, event.id)).tickets).toBe(many);
    await app.ctx.db.waitlistEntry.createMany({
      data: Array.from({ length: many }, () => ({
        ticketTypeId: event.type,
        hash: Buffer.from(v7()),
        ...makeBuyer(),
      })),
    });
    const { id } = event;
    await app.ctx.db.event.update({ where: { id }, data: { status: 'cancelled' } });
    // Interrupted in the middle, and then run twice concurrently.
    const failing = { ...app.ctx, now: failingAfter(15) };
    await expect(cancelEventOrders(failing, { eventId: id, batchSize })).rejects.toThrow(
      'interrupted',
    );
    const left = () =>
      app.ctx.db.order.count({ where: { eventId: id, status: { not: 'cancelled' } } });
    expect(await left()).toBeGreaterThan(0);
    expect(await left()).toBeLessThan(many);
    await Promise.all([
      cancelEventOrders(app.ctx, { eventId: id, batchSize }),
      cancelEventOrders(app.ctx, { eventId: id, batchSize }),
    ]);
    expect(await left()).toBe(0);
    expect(await countStock(app, id)).toEqual({ event: 0, types: [0], tickets: 0 });
    await catchUp(app.ctx, mailReader);
    const mails = await app.ctx.db.mail.groupBy({
      by: ['recipient'],
      where: { subject: 'Waiting list closed: Evening', text: { contains: 'waiting list' } },
      _count: true,
    });
    expect(mails).toHaveLength(many + 1);
    expect(mails.every(({ _count }) => _count === 1)).toBe(true);
  });
});

function failingAfter(calls: number) {
  let count = 0;
  return () => {
    count += 1;
    if (count > calls) throw new Error('interrupted');
    return app.clock.now;
  };
}

describe('changing an event', () => {
  it('emails ticket holders about another time, with a link to their order', async () => {
    const event = await makeEvent(app);
    const [paid, held, missing] = [makeBuyer(), makeBuyer(), makeBuyer()];
    const { id } = await buyTickets(app, event.id, one(event.type), { buyer: paid });
    await placeOrder(app, event.id, one(event.type), { buyer: held });
    await cancelOrder(
      app,
      (await buyTickets(app, event.id, one(event.type), { buyer: missing })).secret,
    );
    await update(event.id, {
      startsAt: '2026-03-26T18:00:00Z',
      endsAt: '2026-03-26T21:00:00Z',
    });
    const mail = (await findEmails(app, paid.email)).at(-1);
    expect(mail?.subject).toBe('Changed: Evening');
    const secret = /orders#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(await fetchOrder(app, secret)).toMatchObject({
      id,
      event: { starts_at: '2026-03-26T18:00:00.000Z' },
      may: { refund_until: '2026-03-25T18:00:00.000Z' },
    });
    for (const { email } of [held, missing])
      expect(await subjects(email)).not.toContain('Changed: Evening');
  });

  it('sends no email about another title', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    await buyTickets(app, event.id, one(event.type), { buyer });
    await subjects(buyer.email);
    await update(event.id, { title: 'Night', startsAt: '2026-03-25T18:00:00Z' });
    expect(await subjects(buyer.email)).toEqual(['Your tickets: Evening']);
  });

  it('cannot delete an event with orders', async () => {
    const event = await makeEvent(app);
    await atTime(app, '2026-03-18T10:00:00Z', () => placeOrder(app, event.id, one(event.type)));
    await app.ctx.db.event.update({ where: { id: event.id }, data: { status: 'draft' } });
    const response = await app.graphql(
      `mutation { deleteEvent(input: { id: "${event.id}" }) { deletedEventId } }`,
      {},
      manager,
    );
    expect(getReasons(response)).toEqual(['EVENT_HAS_ORDERS']);
  });
});
