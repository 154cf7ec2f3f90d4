import type { UnpaidHold } from '../../../src/db/generated/enums.ts';
import {
  cancelEvent,
  updateEvent,
} from '../../../src/features/event-management/service/edit-event.ts';
import { sendReminders } from '../../../src/features/notifications/service/reminders.ts';
import { placeDayPassOrder } from '../../../src/features/orders/place/service/place-day-pass-order.ts';
import { placeTicketOrder } from '../../../src/features/orders/place/service/place-ticket-order.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { extendOrderHold } from '../../../src/features/orders/service/extend-order-hold.ts';
import { offerAvailableTickets } from '../../../src/features/orders/waitlist/service/offer-tickets.ts';
import {
  atTime,
  findEmails,
  getReasons,
  makeBuyer,
  makeEvent,
  payOrder,
  placeOrder,
  postJson,
} from '../../support/factories/events.ts';
import { signInFrontDesk } from '../../support/factories/people.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../../support/factories/waitlist.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: { SMTP_URL: 'smtp://mail.test' } });
});
afterAll(() => app.stop());

/** The default start of events. The location is open from 09:00 to 18:00 from Monday to Friday, in Berlin. */
const START = '2026-03-25T18:00:00.000Z';
const one = (ticketTypeId: string) => [{ ticketTypeId, quantity: 1 }];

const readOrder = async (id: string) => {
  const { status, expiresAt } = await app.ctx.db.order.findUniqueOrThrow({ where: { id } });
  return { status, expiresAt: expiresAt?.toISOString() };
};

/** Orders as staff, whose orders need no confirmation. */
const orderTicket = (event: { id: string; type: string }, buyer = makeBuyer()) =>
  placeTicketOrder(app.ctx, { event: event.id, buyer, items: one(event.type) });

const CONFIRM =
  'mutation ($secret: String!) { confirmOrder(input: { secret: $secret }) { order { expiresAt confirmationRequired allowedActions { confirm } } } }';

/** The secret of the link in the last email. */
async function findMailedSecret(email: string): Promise<string> {
  const mail = (await findEmails(app, email)).at(-1);
  return mail?.text.match(/orders#(\S+)/)?.[1] ?? 'none';
}

describe('an order that is paid at the front desk', () => {
  it.each<[hold: UnpaidHold, amount: number, at: string, end: string]>([
    ['until_start', 3, '2026-03-18T02:17:00Z', START],
    ['days', 3, '2026-03-18T09:30:00Z', '2026-03-21T09:30:00.000Z'],
    ['days', 30, '2026-03-18T09:30:00Z', START],
    ['opening_hours', 2, '2026-03-18T02:17:00Z', '2026-03-18T10:00:00.000Z'],
    // Friday evening: one hour is left, the other one is on Monday.
    ['opening_hours', 2, '2026-03-20T16:00:00Z', '2026-03-23T09:00:00.000Z'],
    ['opening_hours', 300, '2026-03-18T09:30:00Z', START],
    // Everyone has 15 minutes, also during the event.
    ['until_start', 3, '2026-03-25T17:55:00Z', '2026-03-25T18:10:00.000Z'],
    ['days', 1, '2026-03-25T19:00:00Z', '2026-03-25T19:15:00.000Z'],
  ])('is held as its event says: %s %s at %s', async (unpaidHold, unpaidHoldAmount, at, end) => {
    const event = await makeEvent(app, { unpaidHold, unpaidHoldAmount });
    const order = await atTime(app, at, () => orderTicket(event));
    expect(order.expiresAt).toBe(end);
  });

  it('is held for whole days and opening hours when clocks change', async () => {
    const times = {
      startsAt: new Date('2026-04-20T18:00:00Z'),
      endsAt: new Date('2026-04-20T21:00:00Z'),
    };
    const days = await makeEvent(app, { ...times, unpaidHold: 'days', unpaidHoldAmount: 2 });
    const hours = await makeEvent(app, {
      ...{ ...times, unpaidHold: 'opening_hours', unpaidHoldAmount: 1 },
    });
    await atTime(app, '2026-03-28T12:00:00Z', async () => {
      expect((await orderTicket(days)).expiresAt).toBe('2026-03-30T11:00:00.000Z');
      expect((await orderTicket(hours)).expiresAt).toBe('2026-03-30T08:00:00.000Z');
    });
  });

  it('is held until the location closes on the day of a pass', async () => {
    const { location } = await makeSpace(app);
    const type = await app.ctx.db.dayPassType.create({
      data: { name: 'Flex', priceAmount: 1_500, locationId: location.id },
    });
    const order = (validOn: string) =>
      placeDayPassOrder(app.ctx, { buyer: makeBuyer(), dayPassTypeId: type.id, validOn });
    expect((await order('2026-03-20')).expiresAt).toBe('2026-03-20T17:00:00.000Z');
    await app.ctx.db.openingHours.deleteMany({ where: { locationId: location.id } });
    expect((await order('2026-03-29')).expiresAt).toBe('2026-03-29T22:00:00.000Z');
  });

  it('keeps its end when the setting changes or the event moves later, but not if it moves earlier', async () => {
    const event = await makeEvent(app);
    const { id } = await orderTicket(event);
    const paid = await orderTicket(event);
    await payOrder(app, paid, 1_000);
    const update = (changes: object) => updateEvent(app.ctx, event.id, changes);
    await update({ unpaidHold: 'days', unpaidHoldAmount: 1 });
    await update({
      endsAt: new Date('2026-03-26T23:00:00Z'),
      startsAt: new Date('2026-03-26T18:00:00Z'),
    });
    expect((await readOrder(id)).expiresAt).toBe(START);
    await update({ startsAt: new Date('2026-03-20T18:00:00Z') });
    expect((await readOrder(id)).expiresAt).toBe('2026-03-20T18:00:00.000Z');
    await update({ startsAt: new Date('2026-03-18T09:31:00Z') });
    expect((await readOrder(id)).expiresAt).toBe('2026-03-18T09:45:00.000Z');
    const types = await app.ctx.db.change.findMany({
      where: { subjectId: id },
      orderBy: { sequence: 'asc' },
    });
    expect(types.map(({ type }) => type)).toEqual([
      'order.placed',
      'order.hold_shortened',
      'order.hold_shortened',
    ]);
  });

  it('is held longer by staff, at most until the event starts, and needs no confirmation then', async () => {
    const desk = await signInFrontDesk(app);
    const extend = (id: string, until: string) =>
      app.graphql(
        `mutation ($input: ExtendOrderHoldInput!) { extendOrderHold(input: $input) {
          order { expiresAt confirmationRequired confirmedHoldUntil staffActions { extendHold } } } }`,
        { input: { id, until } },
        desk,
      );
    const event = await makeEvent(app, { unpaidHold: 'days', unpaidHoldAmount: 1 });
    const buyer = makeBuyer();
    const { id } = await placeOrder(app, event.id, one(event.type), { buyer });
    // The buyer has not confirmed it, so it is held for 30 minutes.
    expect(getReasons(await extend(id, '2026-03-18T10:00:00Z'))).toEqual(['HOLD_NOT_LONGER']);
    expect(getReasons(await extend(id, '2026-03-25T18:00:01Z'))).toEqual(['HOLD_TOO_LONG']);
    await findEmails(app, buyer.email);
    await app.ctx.db.mail.deleteMany();
    const { data } = await extend(id, '2026-03-24T18:00:00Z');
    expect(data.extendOrderHold.order).toEqual({
      expiresAt: '2026-03-24T18:00:00.000Z',
      ...{ confirmationRequired: false, confirmedHoldUntil: null },
      staffActions: { extendHold: true },
    });
    expect((await extend(id, START)).data.extendOrderHold.order.staffActions.extendHold).toBe(
      false,
    );
    expect(await findEmails(app, buyer.email)).toEqual([]);
    await atTime(app, '2026-03-25T17:59:59Z', () => expireOrders(app.ctx));
    expect((await readOrder(id)).status).toBe('pending');
    await atTime(app, START, () => expireOrders(app.ctx));
    expect((await readOrder(id)).status).toBe('expired');
    expect(getReasons(await extend(id, START))).toEqual(['NOT_LIVE']);
  });

  it('with day passes is held longer until the location closes on that day', async () => {
    const { location } = await makeSpace(app);
    const type = await app.ctx.db.dayPassType.create({
      data: {
        ...{ name: 'Flex', priceAmount: 1_500, locationId: location.id },
        ...{ unpaidHold: 'days', unpaidHoldAmount: 1 },
      },
    });
    const { id } = await placeDayPassOrder(app.ctx, {
      ...{ buyer: makeBuyer(), dayPassTypeId: type.id, validOn: '2026-03-27' },
    });
    // The location closes at 18:00 in Berlin.
    const extend = (until: string) => extendOrderHold(app.ctx, { id, until: new Date(until) });
    await expect(extend('2026-03-27T17:00:01Z')).rejects.toMatchObject({
      details: { reason: 'HOLD_TOO_LONG', latest: new Date('2026-03-27T17:00:00Z') },
    });
    expect((await extend('2026-03-27T17:00:00Z')).expiresAt).toBe('2026-03-27T17:00:00.000Z');
  });

  it('is cancelled by staff with an email to the buyer, but not by the buyer', async () => {
    const event = await makeEvent(app);
    const [released, own] = [makeBuyer(), makeBuyer()];
    const desk = await signInFrontDesk(app);
    const { id } = await orderTicket(event, released);
    const { secret } = await orderTicket(event, own);
    await findEmails(app, released.email);
    await app.graphql(
      'mutation ($id: ID!) { refundOrder(input: { id: $id }) { order { id } } }',
      { id },
      desk,
    );
    await postJson(app, `/public/orders/${secret}/cancel`, {});
    const listSubjects = async ({ email }: { email: string }) =>
      (await findEmails(app, email)).map(({ subject }) => subject);
    const reserved = expect.stringContaining('Reserved until');
    expect(await listSubjects(released)).toEqual([
      reserved,
      'Your reservation was cancelled: Evening',
    ]);
    expect(await listSubjects(own)).toEqual([reserved]);
  });

  it('ends with its event', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const { id } = await orderTicket(event, buyer);
    await findEmails(app, buyer.email);
    await cancelEvent(app.ctx, event.id, null);
    expect((await readOrder(id)).status).toBe('cancelled');
    expect((await findEmails(app, buyer.email)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Reserved until'),
      'Event cancelled: Evening',
    ]);
  });
});

describe('an anonymous buyer who pays at the front desk', () => {
  it('confirms the order by email, or it is released after 30 minutes', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const { id, secret, ...placed } = await placeOrder(app, event.id, one(event.type), { buyer });
    expect(placed).toMatchObject({
      confirmation_required: true,
      expires_at: '2026-03-18T10:00:00.000Z',
      confirmed_hold_until: START,
      payment: { status: 'pending' },
    });
    const [mail] = await findEmails(app, buyer.email);
    expect(mail?.subject).toBe('Confirm your reservation: Evening');
    for (const text of [
      'Wednesday, 25 March 2026, 19:00 (Berlin time)',
      '€10.00',
      'House',
      'Monday to Friday: 09:00 to 18:00',
    ])
      expect(mail?.text).toContain(text);
    expect(mail?.text).not.toContain(buyer.name);

    expect(getReasons(await app.graphql(CONFIRM, { secret }))).toEqual(['MAIL_LINK_REQUIRED']);
    expect((await readOrder(id)).expiresAt).toBe(placed.expires_at);
    const mailed = { secret: await findMailedSecret(buyer.email) };
    for (const _ of [1, 2]) {
      const { data } = await app.graphql(CONFIRM, mailed);
      expect(data.confirmOrder.order).toEqual({
        expiresAt: START,
        confirmationRequired: false,
        allowedActions: { confirm: false },
      });
    }
    const { status, body } = await postJson(app, `/public/orders/${mailed.secret}/confirm`);
    expect([status, body.data]).toMatchObject([200, { order: { status: 'pending' } }]);
    // Its seats count as long as they are held, and for another 24 hours, or it could be placed again for ever.
    const { seatKeys } = await app.ctx.db.order.findUniqueOrThrow({ where: { id } });
    const usages = await app.ctx.db.seatUsage.findMany({ where: { key: { in: seatKeys } } });
    expect(usages.map(({ windowEndsAt }) => windowEndsAt.toISOString())).toEqual(
      seatKeys.map(() => '2026-03-26T18:00:00.000Z'),
    );
  });

  it.each(['until_start', 'days'] as const)(
    'has an order that staff hold longer before it is confirmed (%s)',
    async (unpaidHold) => {
      const desk = await signInFrontDesk(app);
      const event = await makeEvent(app, { unpaidHold, unpaidHoldAmount: 2 });
      const { id, expires_at } = await placeOrder(app, event.id, one(event.type), {
        buyer: makeBuyer(),
      });
      const until = new Date(Date.parse(expires_at) + 5 * 3_600_000).toISOString();
      const read = `order { expiresAt confirmationRequired staffActions { extendHold } }`;
      const before = await app.graphql(
        'query ($id: ID!) { orderById(id: $id) { staffActions { extendHold } } }',
        { id },
        desk,
      );
      expect(before.data.orderById.staffActions.extendHold).toBe(true);
      const { data } = await app.graphql(
        `mutation ($input: ExtendOrderHoldInput!) { extendOrderHold(input: $input) { ${read} } }`,
        { input: { id, until } },
        desk,
      );
      expect(data.extendOrderHold.order).toEqual({
        ...{ expiresAt: until, confirmationRequired: false, staffActions: { extendHold: true } },
      });
    },
  );

  it('gets no email about an order that was not confirmed, and cannot confirm it later', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const { id } = await placeOrder(app, event.id, one(event.type), { buyer });
    const secret = await findMailedSecret(buyer.email);
    await atTime(app, '2026-03-18T10:00:00Z', async () => {
      await expireOrders(app.ctx);
      expect(getReasons(await app.graphql(CONFIRM, { secret }))).toEqual(['NOT_LIVE']);
    });
    expect((await readOrder(id)).status).toBe('expired');
    expect(await findEmails(app, buyer.email)).toHaveLength(1);
  });

  it('has two opening hours if no email can be sent', async () => {
    const event = await makeEvent(app);
    const ctx = { ...app.ctx, viewer: { kind: 'anonymous' as const }, hasMailServer: false };
    const order = await atTime(app, '2026-03-20T02:17:00Z', () =>
      placeTicketOrder(ctx, { event: event.id, buyer: makeBuyer(), items: one(event.type) }),
    );
    expect(order).toMatchObject({
      expiresAt: '2026-03-20T10:00:00.000Z',
      confirmationRequired: false,
    });
  });
});

describe('emails about an unpaid order', () => {
  const listSubjects = async ({ email }: { email: string }) =>
    (await findEmails(app, email)).map(({ subject }) => subject.replace(/:.*/s, ''));
  const remindAt = (time: string) => atTime(app, time, () => sendReminders(app.ctx));

  it.each([
    ['a day before it expires', {}, '2026-03-24T18:00:00Z'],
    ['after half of two days', { unpaidHold: 'days', unpaidHoldAmount: 1 }, '2026-03-18T21:30:00Z'],
  ])('remind the buyer once, %s', async (_, setting, time) => {
    const event = await makeEvent(app, setting as object);
    const buyer = makeBuyer();
    await orderTicket(event, buyer);
    await remindAt(new Date(Date.parse(time) - 1).toISOString());
    expect(await listSubjects(buyer)).toHaveLength(1);
    await remindAt(time);
    await remindAt(time);
    expect((await listSubjects(buyer)).map((subject) => subject.slice(0, 6))).toEqual([
      'Reserv',
      'Pay by',
    ]);
  });

  it('do not remind of a short hold, and say once that it has ended', async () => {
    const event = await makeEvent(app, { unpaidHold: 'opening_hours', unpaidHoldAmount: 1 });
    const buyer = makeBuyer();
    const { id } = await orderTicket(event, buyer);
    await findEmails(app, buyer.email);
    await remindAt('2026-03-18T10:29:59Z');
    await atTime(app, '2026-03-18T10:30:00Z', async () => {
      await expireOrders(app.ctx);
      await expireOrders(app.ctx);
      expect(await listSubjects(buyer)).toEqual([
        expect.stringContaining('Reserved until'),
        'Your reservation has ended',
      ]);
    });
    expect((await readOrder(id)).status).toBe('expired');
  });

  it('say when the event was moved, and until when to pay now', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    await orderTicket(event, buyer);
    await findEmails(app, buyer.email);
    await updateEvent(app.ctx, event.id, { startsAt: new Date('2026-03-20T18:00:00Z') });
    const mail = (await findEmails(app, buyer.email)).at(-1);
    expect(mail?.subject).toBe('Changed: Evening');
    expect(mail?.text).toContain('by Friday, 20 March 2026, 19:00 (Berlin time)');
  });
});

describe('an offer of a waiting list', () => {
  it.each<[what: string, priceAmount: number, at: string, startsAt: string, end: string]>([
    ['for a day', 1_000, '2026-03-18T09:30Z', '2026-04-20T18:00Z', '2026-03-19T09:30Z'],
    ['over a weekend', 1_000, '2026-03-20T16:00Z', '2026-04-20T18:00Z', '2026-03-23T10:00Z'],
    ['while clocks change', 1_000, '2026-03-28T12:00Z', '2026-04-20T18:00Z', '2026-03-30T09:00Z'],
    ['over a closed day', 1_000, '2026-03-23T12:00Z', '2026-04-20T18:00Z', '2026-03-25T10:00Z'],
    ['at night', 1_000, '2026-03-18T22:00Z', '2026-03-19T18:00Z', '2026-03-19T10:00Z'],
    // A quarter of the time until the event is 45 minutes, and the location opens after the first ten.
    ['before it opens', 1_000, '2026-03-19T07:50Z', '2026-03-19T10:50Z', '2026-03-19T08:45Z'],
    [
      'at most until the event',
      1_000,
      '2026-03-18T22:00Z',
      '2026-03-19T09:00Z',
      '2026-03-19T09:00Z',
    ],
    [
      'that ends when it closes',
      1_000,
      '2026-03-19T17:00Z',
      '2026-04-20T18:00Z',
      '2026-03-20T17:00Z',
    ],
    ['that is free', 0, '2026-03-20T16:00Z', '2026-04-20T18:00Z', '2026-03-21T16:00Z'],
  ])('%s leaves time to pay at the front desk', async (_, priceAmount, at, startsAt, end) => {
    const event = await makeSoldOutEvent(app, 1, { priceAmount });
    const { locationId } = await app.ctx.db.event.update({
      where: { id: event.id },
      data: { startsAt: new Date(startsAt), endsAt: new Date('2026-04-20T21:00Z') },
    });
    const day = new Date('2026-03-24');
    await app.ctx.db.closure.create({ data: { locationId, startsOn: day, endsOn: day } });
    const { email } = await createWaitlistActions(app).addPerson(event.type);
    await app.ctx.db.ticketType.update({ where: { id: event.type }, data: { quantity: 2 } });
    await atTime(app, at, () => offerAvailableTickets(app.ctx));
    const offer = await app.ctx.db.order.findFirstOrThrow({ where: { buyerEmail: email } });
    expect(offer.expiresAt).toEqual(new Date(end));
  });
});
