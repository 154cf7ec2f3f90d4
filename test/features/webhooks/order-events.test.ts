import { runInTransaction } from '../../../src/context.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import {
  publishRecordedChanges,
  webhookReader,
} from '../../../src/features/webhooks/service/publish-changes.ts';
import type { ChangeType } from '../../../src/journal/catalog.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import { PAYLOAD_SCHEMAS } from '../../../src/objects/payloads.ts';
import type { Credential } from '../../support/clients/api.ts';
import { createDayPassActions, makeHolders, THURSDAY } from '../../support/factories/day-passes.ts';
import {
  BUYER,
  buyTickets,
  cancelOrder,
  makeBuyer,
  makeEvent,
  payOrder,
  placeOrder,
} from '../../support/factories/events.ts';
import { NOW } from '../../support/factories/seed.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../../support/factories/waitlist.ts';
import { createEventListener } from '../../support/factories/webhooks.ts';
import { type Receiver, startReceiver } from '../../support/fakes/webhook-receiver.ts';
import { SANDBOX, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let receiver: Receiver;
let staff: Credential;
let listener: ReturnType<typeof createEventListener>;

beforeAll(async () => {
  app = await startApp({ content: 'empty', config: SANDBOX });
  receiver = await startReceiver();
  listener = createEventListener(app, receiver);
  staff = { token: await app.token('*') };
});
beforeEach(async () => {
  await listener.subscribe('order.*', 'ticket.*', 'day_pass.*', 'refund.succeeded');
});
afterEach(() => listener.reset());
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

const run = async (query: string, variables: object = {}) => {
  const { data, errors } = await app.graphql(query, variables, staff);
  if (errors[0]) throw new Error(errors[0].message);
  return data;
};
const advanceClock = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};

describe('events of orders, tickets and day passes', () => {
  const secrets: string[] = [];
  /** Publishes events twice concurrently and delivers them. Expects valid payloads without secrets or codes. */
  async function publishAndDeliver() {
    await Promise.all([publishRecordedChanges(app.ctx), publishRecordedChanges(app.ctx)]);
    const delivered = await listener.deliverAll();
    for (const [type, data] of delivered)
      expect(PAYLOAD_SCHEMAS[type as ChangeType].parse(data)).toEqual(data);
    const messages = delivered.map(([type, { change: _change, ...data }]) => [type, data] as const);
    const text = JSON.stringify(messages);
    for (const hidden of [...secrets, ...(await codes())]) expect(text).not.toContain(hidden);
    return messages;
  }
  const codes = async () => {
    const { db } = app.ctx;
    const rows = await Promise.all([
      db.order.findMany(),
      db.ticket.findMany(),
      db.dayPass.findMany(),
    ]);
    return rows.flat().map(({ code }) => code);
  };
  const types = async () => (await publishAndDeliver()).map(([type]) => type).sort();
  /** The data of the only message of this type. */
  const findOnly = (messages: Awaited<ReturnType<typeof publishAndDeliver>>, type: string) => {
    const [found, ...others] = messages.filter(([name]) => name === type);
    expect(others).toEqual([]);
    // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of any shape
    return found?.[1] as any;
  };
  const at = NOW.toISOString();
  const euros = (amount: number) => ({ amount, currency: 'EUR' });
  const tickets = (ticketTypeId: string, quantity: number) => [{ ticketTypeId, quantity }];
  const changeTicket = (field: string, args: string, variables: object) =>
    run(
      `mutation ($secret: String!, $id: ID!) { ${field}(input: { secret: $secret, ${args} }) { order { id } } }`,
      variables,
    );

  it('are published for placing, paying, transferring, cancelling and refunding', async () => {
    const event = await makeEvent(app);
    const { id, secret, ...order } = await placeOrder(app, event.id, tickets(event.type, 2));
    secrets.push(secret);
    const expected = {
      ...{
        id,
        status: 'pending',
        buyer: BUYER,
        total: euros(2_000),
        discount: { amount: euros(0) },
      },
      ...{ paid: euros(0), refunded_amount: euros(0), expires_at: order.expires_at },
      ...{ paid_at: null, cancelled_at: null, created_at: at, tickets: [], day_passes: [] },
      event: {
        ...{ id: event.id, slug: event.slug, title: 'Evening', time_zone: 'Europe/Berlin' },
        ...{ starts_at: '2026-03-25T18:00:00.000Z', ends_at: '2026-03-25T21:00:00.000Z' },
      },
      items: order.items,
      payment: { status: 'pending', provider: 'sandbox' },
    };
    expect(await publishAndDeliver()).toMatchObject([['order.placed', { order: expected }]]);

    await payOrder(app, { id }, 2_000);
    const confirmed = await publishAndDeliver();
    expect(confirmed.map(([type]) => type).sort()).toEqual([
      'order.confirmed',
      'ticket.issued',
      'ticket.issued',
    ]);
    const { order: paid } = findOnly(confirmed, 'order.confirmed');
    expect(paid).toMatchObject({ status: 'paid', payment: { status: 'paid' }, paid_at: at });
    const [first, second] = paid.tickets;
    const ticket = { ...first, order_id: id };
    expect(confirmed).toContainEqual([
      'ticket.issued',
      { ticket: expect.objectContaining(ticket) },
    ]);

    const attendee = { name: 'Ida', email: 'ida@example.org' };
    const args = 'ticketId: $id, attendee: { name: "Ida", email: "ida@example.org" }';
    await changeTicket('transferTicket', args, { secret, id: first.id });
    expect(await publishAndDeliver()).toEqual([
      ['ticket.transferred', { ticket: { ...ticket, attendee } }],
    ]);
    const name = 'ticketId: $id, name: "Nora Lund"';
    for (const _ of [1, 2]) await changeTicket('changeAttendee', name, { secret, id: second.id });
    expect(findOnly(await publishAndDeliver(), 'ticket.updated').ticket).toMatchObject({
      id: second.id,
      attendee: { name: 'Nora Lund', email: null },
    });

    await cancelOrder(app, secret, [first.id]);
    expect(await publishAndDeliver()).toEqual([
      ['ticket.cancelled', { ticket: { ...ticket, attendee, status: 'cancelled' } }],
    ]);
    await cancelOrder(app, secret);
    expect(await types()).toEqual(['order.cancelled', 'ticket.cancelled']);
    for (const refund of await app.ctx.db.refund.findMany({ where: { orderId: id } })) {
      await run('mutation ($id: ID!) { settleRefund(input: { id: $id }) { refund { id } } }', {
        id: refund.id,
      });
      expect(findOnly(await publishAndDeliver(), 'refund.succeeded')).toMatchObject({
        refund: {
          id: refund.id,
          order_id: id,
          amount: euros(1_000),
          reason: 'Cancelled by the buyer.',
        },
      });
    }
    expect(await publishAndDeliver()).toEqual([]);
  });

  it('are published for a free order and for a late payment of an expired one', async () => {
    const free = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    await placeOrder(app, free.id, tickets(free.type, 1));
    expect(await types()).toEqual(['order.confirmed', 'ticket.issued']);
    const event = await makeEvent(app);
    const held = await placeOrder(app, event.id, tickets(event.type, 1));
    await publishAndDeliver();
    advanceClock(3_600);
    await expireOrders(app.ctx);
    expect(findOnly(await publishAndDeliver(), 'order.expired')).toMatchObject({
      order: { status: 'expired' },
    });
    await payOrder(app, held, 1_000);
    expect(await types()).toEqual(['order.confirmed', 'ticket.issued']);
  });

  it('are published for an offer of the waiting list and its payment', async () => {
    const event = await makeSoldOutEvent(app);
    await createWaitlistActions(app).addPerson(event.type);
    await publishAndDeliver();
    await cancelOrder(app, event.secret);
    const messages = await publishAndDeliver();
    expect(messages.map(([type]) => type).sort()).toEqual([
      ...['order.cancelled', 'order.offered', 'ticket.cancelled'],
    ]);
    const { order } = findOnly(messages, 'order.offered');
    await payOrder(app, order, 1_000);
    expect(await types()).toEqual(['order.confirmed', 'ticket.issued']);
  });

  it('are published for each day pass', async () => {
    const passes = createDayPassActions(app);
    const type = await passes.makeType();
    const { id, secret, day_passes } = await passes.buy(type.id, { holders: makeHolders(2) });
    secrets.push(secret);
    expect(await types()).toEqual([
      ...['day_pass.issued', 'day_pass.issued', 'order.confirmed', 'order.placed'],
    ]);
    const args = 'ticketId: $id, attendee: { name: "Ida", email: "ida@example.org" }';
    await changeTicket('transferTicket', args, { secret, id: day_passes[0].id });
    const { location } = type;
    expect(findOnly(await publishAndDeliver(), 'day_pass.transferred').day_pass).toMatchObject({
      ...{ id: day_passes[0].id, status: 'valid', valid_on: THURSDAY, price: euros(1_500) },
      holder: { name: 'Ida', email: 'ida@example.org' },
      day_pass_type: { id: type.id, name: 'Flex' },
      location: { id: location.id, name: location.name, time_zone: 'Europe/Berlin' },
      order_id: id,
    });
    await cancelOrder(app, secret);
    expect(await types()).toEqual(['day_pass.cancelled', 'day_pass.cancelled', 'order.cancelled']);
  });

  it('are not published after a rollback, and are published after a failed attempt', async () => {
    const event = await makeEvent(app);
    const { secret } = await buyTickets(app, event.id, tickets(event.type, 1), {
      buyer: makeBuyer(),
    });
    await publishAndDeliver();
    const failing = runInTransaction(app.ctx, async (ctx) => {
      await ctx.db.ticket.updateMany({
        where: { eventId: event.id },
        data: { status: 'cancelled' },
      });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await publishAndDeliver()).toEqual([]);
    await cancelOrder(app, secret);
    const killed = () => {
      throw new Error('killed between reading and publishing');
    };
    await expect(catchUp({ ...app.ctx, now: killed }, webhookReader)).rejects.toThrow(
      'killed between',
    );
    expect(await types()).toEqual(['order.cancelled', 'ticket.cancelled']);
  });

  it('from before a webhook was disabled are delivered, those from meanwhile are not', async () => {
    const { id } = await app.ctx.db.webhookEndpoint.findFirstOrThrow();
    const event = await makeEvent(app);
    const before = await placeOrder(app, event.id, tickets(event.type, 1));
    await run('mutation ($id: ID!) { disableWebhook(input: { id: $id }) { webhook { id } } }', {
      id,
    });
    const during = await placeOrder(app, event.id, tickets(event.type, 1));
    await run('mutation ($id: ID!) { enableWebhook(input: { id: $id }) { webhook { id } } }', {
      id,
    });
    secrets.push(before.secret, during.secret);
    const placed = (await publishAndDeliver()).filter(([type]) => type === 'order.placed');
    expect(placed).toMatchObject([['order.placed', { order: { id: before.id } }]]);
  });
});
