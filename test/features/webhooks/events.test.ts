import { runInTransaction } from '../../../src/context.ts';
import { markSilentDisplays } from '../../../src/features/displays/heartbeats.ts';
import { expireOrders } from '../../../src/features/orders/stock.ts';
import {
  publishOrderEvents,
  publishStatusChanges,
} from '../../../src/features/webhooks/drain-outbox.ts';
import { deliverWebhooks } from '../../../src/integrations/webhooks/delivery-worker.ts';
import { EVENTS } from '../../../src/integrations/webhooks/event-catalog.ts';
import { createSigningSecret } from '../../../src/integrations/webhooks/signing.ts';
import { createWebhookTransport } from '../../../src/integrations/webhooks/transport.ts';
import { type Credential, startApp, type TestApp } from '../../support/app.ts';
import { checkOutByGraphql, graphqlDoor, presentablesOf } from '../../support/check-ins.ts';
import { dayPassesOf, holders, THURSDAY } from '../../support/day-passes.ts';
import { BUYER, bought, cancel, makeEvent, pay, placed, somebody } from '../../support/events.ts';
import { type Receiver, startReceiver, verified } from '../../support/receiver.ts';
import { NOW } from '../../support/seed.ts';
import { bookingCalls, makeMember, makeSpace, march } from '../../support/space.ts';
import { soldOut, waitlistOf } from '../../support/waitlist.ts';

const secret = createSigningSecret();
const transport = createWebhookTransport({ allowPrivate: true });

let app: TestApp;
let receiver: Receiver;
let staff: Credential;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  receiver = await startReceiver();
  staff = { token: await app.token('*') };
});
beforeEach(async () => {
  await listen('*');
});
afterEach(async () => {
  app.clock.now = NOW;
  receiver.reset();
  await app.ctx.db.webhookEndpoint.deleteMany();
});
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

const listen = (...events: string[]) =>
  app.ctx.db.webhookEndpoint.create({
    data: { url: receiver.url, events, secret, ownerKind: 'system' },
  });
/** What was told since the last time, in its order. */
async function told() {
  await deliverWebhooks(app.app.systemContext, transport);
  const messages = receiver.received
    .map((one) => verified(one, secret, app.clock.now))
    .map(({ type, data }) => [type, data] as const);
  receiver.received.length = 0;
  return messages;
}
const ask = async (query: string, variables: object = {}) => {
  const { data, errors } = await app.graphql(query, variables, staff);
  if (errors[0]) throw new Error(errors[0].message);
  return data;
};
const later = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};
const look = async () => {
  await app.app.close(); // writes what is waiting
  await markSilentDisplays(app.ctx.lockingSql, app.clock.now);
  await publishStatusChanges(app.ctx);
};

describe('of displays', () => {
  const paired = async () => {
    const { location } = await makeSpace(app);
    const made = await app.display({ name: 'Hall', kind: 'welcome', locationId: location.id });
    return { ...made, location };
  };
  const passed = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString();

  it('is told that they came, fell silent and went, once each', async () => {
    const { deviceToken, display, location } = await paired();
    const { id, name, kind } = display;
    const shown = { id, name, kind, location: { id: location.id, name: location.name } };
    await app.rest(`/displays/heartbeat/${deviceToken}`);
    await look();
    expect(await told()).toEqual([
      ['display.online', { display: shown, was: 'offline', at: passed(0) }],
    ]);
    later(200);
    await Promise.all([look(), look()]);
    expect(await told()).toEqual([
      ['display.stale', { display: shown, was: 'online', at: passed(150) }],
    ]);
    later(310);
    await look();
    await look();
    expect(await told()).toEqual([
      ['display.offline', { display: shown, was: 'stale', at: passed(300) }],
    ]);
  });

  it('is kept for the next look what could not be told, and nothing of before is told to who comes later', async () => {
    const { deviceToken } = await paired();
    await app.rest(`/displays/heartbeat/${deviceToken}`);
    await app.app.close();
    let asked = 0;
    const now = () => {
      asked += 1;
      if (asked === 2) throw new Error('killed between taking and telling');
      return NOW;
    };
    await expect(publishStatusChanges({ ...app.ctx, now })).rejects.toThrow('killed between');
    await look();
    expect((await told()).map(([type]) => type)).toEqual(['display.online']);
    await app.ctx.db.webhookEndpoint.deleteMany();
    later(310);
    await look();
    await listen('*');
    await look();
    expect(await told()).toEqual([]);
  });

  it('is told of one that was revoked that it was, and not that it fell silent', async () => {
    const { deviceToken, display } = await paired();
    await app.rest(`/displays/heartbeat/${deviceToken}`);
    await look();
    await told();
    await ask('mutation ($id: ID!) { revokeDisplay(id: $id) { id } }', { id: display.id });
    later(310);
    await look();
    expect((await told()).map(([type]) => type)).toEqual(['display.revoked']);
  });

  it('is told of a display that came and was revoked at one moment in this order', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { deviceToken, display } = await paired();
      await app.rest(`/displays/heartbeat/${deviceToken}`);
      await app.app.close();
      await ask('mutation ($id: ID!) { revokeDisplay(id: $id) { id } }', { id: display.id });
    }
    await look();
    const messages = await app.ctx.db.webhookMessage.findMany({
      orderBy: { id: 'desc' },
      take: 10,
    });
    expect(messages.map(({ type }) => type).reverse()).toEqual(
      Array(5).fill(['display.online', 'display.revoked']).flat(),
    );
  });
});

describe('of check-ins', () => {
  it('is told who came in, who did not, and who left', async () => {
    const make = presentablesOf(app);
    const { location } = await make.makeHouse();
    const { code, name } = await make.makeMember();
    const scan = graphqlDoor(app);
    const { told: admitted } = await scan({ locationId: location.id, code });
    await scan({ locationId: location.id, code });
    await checkOutByGraphql(app, admitted.checkOutToken as string);
    await checkOutByGraphql(app, admitted.checkOutToken as string);
    await scan({ locationId: location.id, code: 'NOBODY', leaving: true });
    const place = { id: location.id, name: location.name };
    const shown = {
      ...{ label: name, checked_in_at: NOW.toISOString(), checked_out_at: null, location: place },
      subject: { type: 'member', title: null },
    };
    expect(await told()).toEqual([
      ['check_in.admitted', { check_in: { ...shown, id: admitted.id, result: 'admitted' } }],
      [
        'check_in.refused',
        { check_in: { ...shown, id: expect.any(String), result: 'already_in' } },
      ],
      [
        'check_in.checked_out',
        {
          check_in: {
            ...{ ...shown, id: admitted.id, result: 'checked_out' },
            checked_out_at: NOW.toISOString(),
          },
        },
      ],
    ]);
  });
});

describe('of members', () => {
  it('is told who was added and changed, without the code that lets them in', async () => {
    const { createMember } = await ask(
      'mutation { createMember(input: { name: "Nora Lind", email: "Nora@example.org" }) { id } }',
    );
    const { id } = createMember;
    await ask(
      'mutation ($id: ID!) { updateMember(id: $id, input: { company: "Lind & Co" }) { id } }',
      { id },
    );
    const shown = {
      ...{ id, name: 'Nora Lind', email: 'nora@example.org', phone: null, status: 'active' },
      created_at: expect.any(String),
    };
    expect(await told()).toEqual([
      ['member.created', { member: { ...shown, company: null } }],
      ['member.updated', { member: { ...shown, company: 'Lind & Co' } }],
    ]);
  });

  it('is told nothing where the address was taken', async () => {
    const { email } = await makeMember(app);
    await expect(
      ask(
        'mutation ($email: String!) { createMember(input: { name: "Eve", email: $email }) { id } }',
        { email },
      ),
    ).rejects.toThrow('e-mail address');
    expect(await told()).toEqual([]);
  });
});

describe('of bookings', () => {
  it('is told what was booked and cancelled, by a guest and by the plan of a member', async () => {
    const { room, location } = await makeSpace(app);
    const calls = bookingCalls(app, staff);
    const holders = [{ guest: { name: 'Greta Guest' } }, { memberId: (await makeMember(app)).id }];
    for (const [day, holder] of holders.entries()) {
      const wish = { resourceId: room.id, ...march(19 + day, '10:00', '11:00'), ...holder };
      const { data } = await calls.create(wish);
      const { id } = data.createBooking;
      expect((await calls.create(wish)).codes).toEqual(['CONFLICT']);
      await calls.cancel(id, { reason: 'rain' });
      const [created, cancelled, ...others] = await told();
      expect(others).toEqual([]);
      expect(created).toEqual([
        'booking.created',
        {
          booking: expect.objectContaining({
            ...{ id, status: 'confirmed', cancellation: null, series_id: null },
            starts_at: `2026-03-${19 + day}T09:00:00.000Z`,
            resource: { id: room.id, name: room.name },
            location: { id: location.id, name: location.name, time_zone: 'Europe/Berlin' },
          }),
        },
      ]);
      expect(cancelled).toEqual([
        'booking.cancelled',
        {
          booking: expect.objectContaining({
            ...{ id, status: 'cancelled' },
            cancellation: expect.objectContaining({ reason: 'rain' }),
          }),
        },
      ]);
    }
  });

  it('is told each of a series', async () => {
    const { room } = await makeSpace(app);
    const calls = bookingCalls(app, staff);
    const { data } = await calls.series({
      ...{ resourceId: room.id, guest: { name: 'Greta Guest' }, rule: 'FREQ=WEEKLY;COUNT=3' },
      ...march(19, '10:00', '11:00'),
    });
    const [first] = data.createBookingSeries.bookings;
    await calls.cancel(first.id, { scope: 'ALL' });
    const types = (await told()).map(([type]) => type).sort();
    expect(types).toEqual([
      ...Array(3).fill('booking.cancelled'),
      ...Array(3).fill('booking.created'),
    ]);
  });
});

describe('of events', () => {
  it('is told that they were published and cancelled, once each', async () => {
    const { id, slug } = await makeEvent(app, { status: 'draft', publishedAt: null });
    for (const field of ['publishEvent', 'publishEvent', 'cancelEvent', 'cancelEvent'])
      await ask(`mutation ($id: ID!) { ${field}(id: $id) { id } }`, { id });
    expect(await told()).toEqual([
      ['event.published', { event: expect.objectContaining({ id, slug, status: 'published' }) }],
      ['event.cancelled', { event: expect.objectContaining({ id, slug, status: 'cancelled' }) }],
    ]);
  });
});

describe('of orders and what they are for', () => {
  const secrets: string[] = [];
  /** What was told since the last time, by two that look at once; nothing of it opens a door. */
  async function news() {
    await Promise.all([publishOrderEvents(app.ctx), publishOrderEvents(app.ctx)]);
    const messages = await told();
    for (const [type, data] of messages)
      expect(EVENTS[type as keyof typeof EVENTS].payload.parse(data)).toEqual(data);
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
  const types = async () => (await news()).map(([type]) => type).sort();
  /** The only one of this type among them. */
  const the = (messages: Awaited<ReturnType<typeof news>>, type: string) => {
    const [found, ...others] = messages.filter(([told]) => told === type);
    expect(others).toEqual([]);
    // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of any shape
    return found?.[1] as any;
  };
  const at = NOW.toISOString();
  const euros = (amount: number) => ({ amount, currency: 'EUR' });
  const tickets = (ticketTypeId: string, quantity: number) => [{ ticketTypeId, quantity }];
  const change = (field: string, args: string, variables: object) =>
    ask(
      `mutation ($secret: String!, $id: ID!) { ${field}(secret: $secret, ${args}) { id } }`,
      variables,
    );

  it('is told what became of an order that was paid, handed over and given back in parts', async () => {
    const event = await makeEvent(app);
    const { id, secret, ...order } = await placed(app, event.id, tickets(event.type, 2));
    secrets.push(secret);
    const shown = {
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
      payment: { status: 'pending', provider: 'on_site' },
    };
    expect(await news()).toEqual([['order.placed', { order: shown, at }]]);

    await pay(app, { id }, 2_000);
    const confirmed = await news();
    expect(confirmed.map(([type]) => type).sort()).toEqual([
      'order.confirmed',
      'ticket.issued',
      'ticket.issued',
    ]);
    const { order: paid } = the(confirmed, 'order.confirmed');
    expect(paid).toMatchObject({ status: 'paid', payment: { status: 'paid' }, paid_at: at });
    const [first, second] = paid.tickets;
    const ticket = { ...first, event: shown.event, order_id: id };
    expect(confirmed).toContainEqual(['ticket.issued', { ticket, at }]);

    const attendee = { name: 'Ida', email: 'ida@example.org' };
    const args = 'ticketId: $id, attendee: { name: "Ida", email: "ida@example.org" }';
    await change('transferTicket', args, { secret, id: first.id });
    expect(await news()).toEqual([['ticket.transferred', { ticket: { ...ticket, attendee }, at }]]);
    const name = 'ticketId: $id, name: "Nora Lund"';
    for (const _ of [1, 2]) await change('changeAttendee', name, { secret, id: second.id });
    expect(the(await news(), 'ticket.updated').ticket).toMatchObject({
      id: second.id,
      attendee: { name: 'Nora Lund', email: null },
    });

    await cancel(app, secret, [first.id]);
    expect(await news()).toEqual([
      ['ticket.cancelled', { ticket: { ...ticket, attendee, status: 'cancelled' }, at }],
    ]);
    await cancel(app, secret);
    expect(await types()).toEqual(['order.cancelled', 'ticket.cancelled']);
    for (const refund of await app.ctx.db.refund.findMany({ where: { orderId: id } })) {
      await ask('mutation ($id: ID!) { settleRefund(id: $id) { id } }', { id: refund.id });
      expect(the(await news(), 'order.refunded')).toMatchObject({
        order: { id, status: 'cancelled', refunded_amount: euros(2_000) },
        refund: { id: refund.id, amount: euros(1_000), reason: 'Cancelled by the buyer.' },
      });
    }
    expect(await news()).toEqual([]);
  });

  it('is told that one for nothing was confirmed, and that one whose time was up came to life again', async () => {
    const free = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    await placed(app, free.id, tickets(free.type, 1));
    expect(await types()).toEqual(['order.confirmed', 'ticket.issued']);
    const event = await makeEvent(app);
    const held = await placed(app, event.id, tickets(event.type, 1));
    await news();
    later(3_600);
    await expireOrders(app.ctx);
    expect(the(await news(), 'order.expired')).toMatchObject({ order: { status: 'expired' } });
    await pay(app, held, 1_000);
    expect(await types()).toEqual(['order.confirmed', 'ticket.issued']);
  });

  it('is told of an offer from the waiting list that it is one, and that it was taken', async () => {
    const event = await soldOut(app);
    await waitlistOf(app).waiting(event.type);
    await news();
    await cancel(app, event.secret);
    const freed = await news();
    expect(freed.map(([type]) => type).sort()).toEqual([
      ...['order.cancelled', 'order.offered', 'ticket.cancelled'],
    ]);
    const { order } = the(freed, 'order.offered');
    await pay(app, order, 1_000);
    expect(await types()).toEqual(['order.confirmed', 'ticket.issued']);
  });

  it('is told of day passes, each by itself', async () => {
    const passes = dayPassesOf(app);
    const type = await passes.makeType();
    const { id, secret, day_passes } = await passes.bought(type.id, { holders: holders(2) });
    secrets.push(secret);
    expect(await types()).toEqual([
      ...['day_pass.issued', 'day_pass.issued', 'order.confirmed', 'order.placed'],
    ]);
    const args = 'ticketId: $id, attendee: { name: "Ida", email: "ida@example.org" }';
    await change('transferTicket', args, { secret, id: day_passes[0].id });
    const { location } = type;
    expect(the(await news(), 'day_pass.transferred').day_pass).toEqual({
      ...{ id: day_passes[0].id, status: 'valid', valid_on: THURSDAY, price: euros(1_500) },
      holder: { name: 'Ida', email: 'ida@example.org' },
      day_pass_type: { id: type.id, name: 'Flex' },
      location: { id: location.id, name: location.name, time_zone: 'Europe/Berlin' },
      order_id: id,
    });
    await cancel(app, secret);
    expect(await types()).toEqual(['day_pass.cancelled', 'day_pass.cancelled', 'order.cancelled']);
  });

  it('is told nothing of what was taken back, and keeps for the next look what could not be told', async () => {
    const event = await makeEvent(app);
    const { secret } = await bought(app, event.id, tickets(event.type, 1), { buyer: somebody() });
    await news();
    const failing = runInTransaction(app.ctx, async (ctx) => {
      await ctx.db.ticket.updateMany({
        where: { eventId: event.id },
        data: { status: 'cancelled' },
      });
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await news()).toEqual([]);
    await cancel(app, secret);
    const killed = () => {
      throw new Error('killed between taking and telling');
    };
    await expect(publishOrderEvents({ ...app.ctx, now: killed })).rejects.toThrow('killed between');
    expect(await types()).toEqual(['order.cancelled', 'ticket.cancelled']);
  });

  it('is told what happened before it was disabled, and nothing of what happened while it was', async () => {
    const { id } = await app.ctx.db.webhookEndpoint.findFirstOrThrow();
    const event = await makeEvent(app);
    const before = await placed(app, event.id, tickets(event.type, 1));
    await ask('mutation ($id: ID!) { disableWebhook(id: $id) { id } }', { id });
    const meanwhile = await placed(app, event.id, tickets(event.type, 1));
    await ask('mutation ($id: ID!) { enableWebhook(id: $id) { id } }', { id });
    secrets.push(before.secret, meanwhile.secret);
    const placings = (await news()).filter(([type]) => type === 'order.placed');
    expect(placings).toMatchObject([['order.placed', { order: { id: before.id } }]]);
  });

  it('notes what somebody awaits and nothing else', async () => {
    const { db } = app.ctx;
    const noted = async () => {
      const event = await makeEvent(app);
      await bought(app, event.id, tickets(event.type, 1));
      const rows = await db.outboxEvent.findMany();
      await db.outboxEvent.deleteMany();
      return rows.map(({ type }) => type).sort();
    };
    expect(await noted()).toEqual(['order.confirmed', 'order.placed', 'ticket.issued']);
    const gone = { disabledAt: NOW, disabledReason: 'It is gone.' };
    await db.webhookEndpoint.updateMany({ data: gone });
    await listen('member.*', 'order.expired');
    expect(await noted()).toEqual([]);
    await listen('ticket.issued');
    expect(await noted()).toEqual(['ticket.issued']);
  });
});
