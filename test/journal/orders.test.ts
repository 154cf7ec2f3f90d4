import { anonymous } from '../../src/auth/viewer.ts';
import {
  resendOrderConfirmation,
  revokeOrderLinks,
} from '../../src/features/orders/emails/service/resend-links.ts';
import { placeTicketOrder } from '../../src/features/orders/place/service/place-ticket-order.ts';
import {
  changeAttendee,
  transferAdmission,
} from '../../src/features/orders/service/change-attendee.ts';
import { confirmOrder } from '../../src/features/orders/service/confirm-order.ts';
import { expireOrders } from '../../src/features/orders/service/expire-orders.ts';
import { processRefunds } from '../../src/features/payments/service/refund-worker.ts';
import { sandboxProvider } from '../../src/integrations/payments/sandbox.ts';
import { createDayPassActions } from '../support/factories/day-passes.ts';
import {
  BUYER,
  buyTickets,
  cancelOrder,
  fetchOrder,
  findEmails,
  makeBuyer,
  makeEvent,
  payOrder,
  placeOrder,
} from '../support/factories/events.ts';
import {
  expectRecordedStatuses,
  findChangesOf,
  findStatusesOf,
} from '../support/factories/journal.ts';
import { NOW } from '../support/factories/seed.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../support/factories/waitlist.ts';
import { SANDBOX, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let list: ReturnType<typeof createWaitlistActions>;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: SANDBOX });
  list = createWaitlistActions(app);
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const items = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];
const advanceClock = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
};

describe('an order', () => {
  it('that is free is confirmed at once, and its tickets are issued', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    const changes = await findChangesOf(app, () => placeOrder(app, event.id, items(event.type, 2)));
    expect(changes.map(({ type, before }) => [type, before])).toEqual([
      ['order.confirmed', null],
      ['ticket.issued', null],
      ['ticket.issued', null],
    ]);
    const [order, ticket] = changes;
    const { locationId } = await app.ctx.db.event.findUniqueOrThrow({ where: { id: event.id } });
    const origin = { actorKind: 'anonymous', address: '127.0.0.1', job: null, at: NOW, locationId };
    expect(order).toMatchObject({
      ...origin,
      requestId: expect.any(String),
      after: { status: 'paid', event_id: event.id, buyer_email: BUYER.email, total_amount: 0 },
    });
    expect(ticket).toMatchObject({
      ...origin,
      requestId: order?.requestId,
      after: { status: 'valid', order_id: order?.subjectId, attendee_name: BUYER.name },
    });
  });

  it('with a price is placed, and confirmed by its payment', async () => {
    const event = await makeEvent(app);
    let order = { id: '' };
    const placing = async () => {
      order = await placeOrder(app, event.id, items(event.type));
    };
    expect(await findStatusesOf(app, placing)).toEqual([['order.placed', null, 'pending']]);
    const changes = await findChangesOf(app, () => payOrder(app, order, 1_000));
    expect(changes.map(({ type, before, after }) => [type, before, after])).toEqual([
      ['payment.created', null, expect.objectContaining({ order_id: order.id, amount: 1_000 })],
      ['order.confirmed', { status: 'pending' }, { status: 'paid' }],
      ['ticket.issued', null, expect.objectContaining({ order_id: order.id, status: 'valid' })],
    ]);
  });

  it('is expired by the service, even if another buyer needs its tickets', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 1 }] });
    await placeOrder(app, event.id, items(event.type));
    advanceClock(16);
    const changes = await findChangesOf(app, () => placeOrder(app, event.id, items(event.type)));
    expect(changes).toMatchObject([
      { type: 'order.expired', actorKind: 'system', address: null, after: { status: 'expired' } },
      { type: 'order.placed', actorKind: 'anonymous', address: '127.0.0.1' },
    ]);
  });

  it('that has expired is confirmed by a late payment, with its surplus', async () => {
    const event = await makeEvent(app);
    const order = await placeOrder(app, event.id, items(event.type));
    advanceClock(16);
    await expireOrders(app.ctx);
    const changes = await findChangesOf(app, () => payOrder(app, order, 1_200));
    expect(changes.map(({ type, before }) => [type, before])).toEqual([
      ['payment.created', null],
      ['order.confirmed', { status: 'expired' }],
      ['ticket.issued', null],
      ['refund.created', null],
    ]);
    expect(changes[0]?.after).toMatchObject({ amount: 1_200 });
    expect(changes[3]?.after).toMatchObject({ amount: 200, status: 'pending' });
  });

  it('that has expired is not confirmed if its tickets are sold', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 1 }] });
    const order = await placeOrder(app, event.id, items(event.type));
    advanceClock(16);
    await buyTickets(app, event.id, items(event.type));
    expect(await findStatusesOf(app, () => payOrder(app, order, 1_000))).toEqual([
      ['payment.created', null, null],
      ['refund.created', null, 'pending'],
    ]);
  });

  it('is cancelled with its last ticket, and its price is paid out', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await buyTickets(app, event.id, items(event.type, 2));
    expect(await findStatusesOf(app, () => cancelOrder(app, secret, [tickets[0].id]))).toEqual([
      ['ticket.cancelled', 'valid', 'cancelled'],
      ['refund.created', null, 'pending'],
    ]);
    expect(await findStatusesOf(app, () => cancelOrder(app, secret))).toEqual([
      ['ticket.cancelled', 'valid', 'cancelled'],
      ['order.cancelled', 'paid', 'cancelled'],
      ['refund.created', null, 'pending'],
    ]);
    await app.ctx.db.payment.updateMany({ data: { provider: 'sandbox', method: 'card_online' } });
    const payOut = () => processRefunds({ ...app.ctx, payments: sandboxProvider });
    expect(new Set(await findStatusesOf(app, payOut))).toContainEqual([
      'refund.succeeded',
      'pending',
      'succeeded',
    ]);
  });

  it('that is unpaid is cancelled without changes of its tickets', async () => {
    const event = await makeEvent(app);
    const { secret } = await placeOrder(app, event.id, items(event.type, 2));
    expect(await findStatusesOf(app, () => cancelOrder(app, secret))).toEqual([
      ['order.cancelled', 'pending', 'cancelled'],
    ]);
  });

  it('that waits for its buyer is confirmed by the link in the email', async () => {
    const event = await makeEvent(app, {
      confirmFreeOrders: true,
      types: [{ priceAmount: 0, quantity: 3 }],
    });
    const buyer = makeBuyer();
    expect(
      await findStatusesOf(app, () => placeOrder(app, event.id, items(event.type), { buyer })),
    ).toEqual([['order.placed', null, 'pending']]);
    const [mail] = await findEmails(app, buyer.email);
    const secret = /orders#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(await findStatusesOf(app, () => confirmOrder(app.ctx, secret))).toEqual([
      ['order.confirmed', 'pending', 'paid'],
      ['ticket.issued', null, 'valid'],
    ]);
  });

  it('of a batch has its own origin', async () => {
    const event = await makeEvent(app);
    const requests = ['first', 'second', 'third'];
    const changes = await findChangesOf(app, () =>
      Promise.all(
        requests.map((requestId, n) => {
          const ctx = { ...app.ctx, viewer: anonymous, requestId, clientAddress: `192.0.2.${n}` };
          const input = { event: event.id, buyer: makeBuyer(requestId), items: items(event.type) };
          return placeTicketOrder(ctx, input);
        }),
      ),
    );
    const toOrigin = ({ requestId, address, after }: (typeof changes)[number]) =>
      [requestId, address, (after as { buyer_name: string }).buyer_name].join(' ');
    expect(changes.map(toOrigin).toSorted()).toEqual(
      requests.map((request, n) => `${request} 192.0.2.${n} ${request}`).toSorted(),
    );
  });

  it('records confirmations that are sent again, and revoked links once', async () => {
    const event = await makeEvent(app);
    const { id } = await buyTickets(app, event.id, items(event.type));
    const types = async (work: () => Promise<unknown>) =>
      (await findStatusesOf(app, work)).map(([type]) => type);
    expect(await types(() => resendOrderConfirmation(app.ctx, id))).toEqual([
      'order.confirmation_sent',
    ]);
    expect(await types(() => revokeOrderLinks(app.ctx, id))).toEqual(['order.links_revoked']);
    expect(await types(() => revokeOrderLinks(app.ctx, id))).toEqual([]);
  });
});

describe('a ticket', () => {
  it('records its new holder, and a transfer even to the same person', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await buyTickets(app, event.id, items(event.type));
    const [{ id }] = tickets;
    const grace = { name: 'Grace Hopper', email: 'grace@example.org' };
    const changes = await findChangesOf(app, async () => {
      await changeAttendee(app.ctx, secret, id, { name: 'Nora Lund', email: BUYER.email });
      await changeAttendee(app.ctx, secret, id, { name: 'Nora Lund', email: BUYER.email });
      await transferAdmission(app.ctx, secret, id, grace);
      await transferAdmission(app.ctx, secret, id, grace);
    });
    const email = { attendee_email: grace.email };
    expect(changes.map(({ type, before, after }) => [type, before, after])).toMatchObject([
      ['ticket.updated', { attendee_name: BUYER.name }, { attendee_name: 'Nora Lund' }],
      [
        'ticket.transferred',
        { attendee_name: 'Nora Lund' },
        { attendee_name: grace.name, ...email },
      ],
      ['ticket.transferred', {}, {}],
    ]);
    expect(changes[2]?.after).toEqual({});
  });
});

describe('a day pass', () => {
  it('is issued with its payment and cancelled with its order', async () => {
    const passes = createDayPassActions(app);
    const type = await passes.makeType();
    const order = await passes.place(type.id);
    const changes = await findChangesOf(app, () => payOrder(app, order, 1_500));
    expect(changes.map(({ type }) => type)).toEqual([
      'payment.created',
      'order.confirmed',
      'day_pass.issued',
    ]);
    expect(changes[2]).toMatchObject({
      locationId: type.location.id,
      after: { order_id: order.id, valid_on: '2026-03-19', status: 'valid' },
    });
    const { secret, status } = await fetchOrder(app, order.secret);
    expect(status).toBe('paid');
    expect(await findStatusesOf(app, () => cancelOrder(app, secret))).toEqual([
      ['day_pass.cancelled', 'valid', 'cancelled'],
      ['order.cancelled', 'paid', 'cancelled'],
      ['refund.created', null, 'pending'],
    ]);
  });
});

describe('an entry of a waiting list', () => {
  it('is offered released tickets, and accepted with the payment', async () => {
    const event = await makeSoldOutEvent(app);
    let person = makeBuyer();
    const join = async () => {
      person = await list.addPerson(event.type);
    };
    expect(await findStatusesOf(app, join)).toEqual([['waitlist_entry.created', null, 'waiting']]);
    expect(await findStatusesOf(app, () => cancelOrder(app, event.secret))).toEqual([
      ['ticket.cancelled', 'valid', 'cancelled'],
      ['order.cancelled', 'paid', 'cancelled'],
      ['order.offered', null, 'pending'],
      ['waitlist_entry.offered', 'waiting', 'offered'],
      ['refund.created', null, 'pending'],
    ]);
    const offer = await fetchOrder(app, (await list.findOfferSecret(person)) ?? '');
    expect(await findStatusesOf(app, () => payOrder(app, offer, 1_000))).toEqual([
      ['payment.created', null, null],
      ['order.confirmed', 'pending', 'paid'],
      ['ticket.issued', null, 'valid'],
      ['waitlist_entry.accepted', 'offered', 'accepted'],
    ]);
  });

  it('expires with its offer', async () => {
    const event = await makeSoldOutEvent(app);
    const person = await list.addPerson(event.type);
    await cancelOrder(app, event.secret);
    const offer = await fetchOrder(app, (await list.findOfferSecret(person)) ?? '');
    advanceClock(25 * 60);
    expect(await findStatusesOf(app, () => expireOrders(app.ctx, { eventId: event.id }))).toEqual([
      ['order.expired', 'pending', 'expired'],
      ['waitlist_entry.expired', 'offered', 'expired'],
    ]);
    const [, , , accepted] = await findStatusesOf(app, () => payOrder(app, offer, 1_000));
    expect(accepted).toEqual(['waitlist_entry.accepted', 'expired', 'accepted']);
  });

  it('is withdrawn while it waits, and with an open offer', async () => {
    const event = await makeSoldOutEvent(app);
    const [first, second] = [await list.addPerson(event.type), await list.addPerson(event.type)];
    expect(await findStatusesOf(app, () => list.leave(second))).toEqual([
      ['waitlist_entry.withdrawn', 'waiting', 'withdrawn'],
    ]);
    await cancelOrder(app, event.secret);
    expect(await findStatusesOf(app, () => list.leave(first))).toEqual([
      ['waitlist_entry.withdrawn', 'offered', 'withdrawn'],
      ['order.cancelled', 'pending', 'cancelled'],
    ]);
    expect(await findStatusesOf(app, () => list.leave(first))).toEqual([]);
  });
});

// Last, so that it covers everything above.
test('each status follows the one recorded before, and the last one is the current one', () =>
  expectRecordedStatuses(app));
