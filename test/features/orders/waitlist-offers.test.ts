import { v7 } from 'uuid';
import { expireOrders } from '../../../src/features/orders/stock.ts';
import { STAFF, startApp, type TestApp } from '../../support/app.ts';
import {
  at,
  bought,
  cancel,
  mailsTo,
  makeEvent,
  order,
  pay,
  placed,
  portal,
  post,
  somebody,
  stockOf,
} from '../../support/events.ts';
import { makeMember } from '../../support/space.ts';
import { soldOut, waitlistOf } from '../../support/waitlist.ts';

let app: TestApp;
let list: ReturnType<typeof waitlistOf>;
beforeAll(async () => {
  app = await startApp();
  list = waitlistOf(app);
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

describe('released tickets', () => {
  const manager = async () => ({ cookie: await app.signIn(STAFF.manager) });
  const change = async (field: string, id: string, input: object) => {
    const { errors } = await app.graphql(
      `mutation ($id: ID!) { ${field}(id: $id, input: ${JSON.stringify(input).replace(/"/g, '')}) { id } }`,
      { id },
      await manager(),
    );
    if (errors[0]) throw new Error(JSON.stringify(errors[0]));
  };

  it.each<[string, (event: Awaited<ReturnType<typeof soldOut>>) => Promise<unknown>]>([
    ['its buyer cancels', ({ secret }) => cancel(app, secret)],
    ['there are more', ({ type }) => change('updateTicketType', type, { quantity: 2 })],
  ])('because %s is held for the first who waits, and for nobody else', async (_, free) => {
    const event = await soldOut(app);
    const [first, second] = [await list.waiting(event.type), await list.waiting(event.type)];
    await free(event);
    expect(await list.statuses([first, second])).toEqual(['offered', 'waiting']);
    expect((await order(app, event.id, one(event.type))).status).toBe(422);
    const secret = (await list.offerTo(first)) ?? '';
    const offer = await portal(app, secret);
    expect(offer).toMatchObject({
      status: 'pending',
      buyer: first,
      expires_at: new Date(app.clock.now.getTime() + 24 * 3_600_000).toISOString(),
      may: { pay: true, confirm: false },
    });
    expect(await pay(app, offer, 1_000)).toBe('confirmed');
    expect(await list.statuses([first, second])).toEqual(['accepted', 'waiting']);
    expect(await list.offerTo(second)).toBeUndefined();
  });

  it('are offered after the capacity of the event grows', async () => {
    const event = await makeEvent(app, { capacity: 1, types: [{ quantity: null }] });
    await bought(app, event.id, one(event.type));
    const person = await list.waiting(event.type);
    await change('updateEvent', event.id, { capacity: 2 });
    expect(await list.statusOf(person)).toBe('offered');
    expect(await stockOf(app, event.id)).toEqual({ event: 2, types: [2], tickets: 2 });
  });

  it('are offered when an expired hold is found', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 1 }] });
    await placed(app, event.id, one(event.type));
    const person = await list.waiting(event.type);
    const later = new Date(app.clock.now.getTime() + 16 * 60_000);
    expect(await at(app, later, () => order(app, event.id, one(event.type)))).toMatchObject({
      status: 422,
    });
    expect(await list.statusOf(person)).toBe('offered');
  });

  it('are offered to the next person if the first needs more', async () => {
    const event = await soldOut(app, 3);
    const [big, small, last] = [
      await list.waiting(event.type, 2),
      await list.waiting(event.type),
      await list.waiting(event.type),
    ];
    await cancel(app, event.orders[0].secret);
    expect(await list.statuses([big, small, last])).toEqual(['waiting', 'offered', 'waiting']);
    await cancel(app, (await list.offerTo(small)) ?? '');
    expect(await list.statuses([big, small, last])).toEqual(['waiting', 'expired', 'offered']);
  });

  it('reach people behind hundreds of entries that cannot be served', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 1 }, { quantity: 1 }] });
    const [full = '', released = ''] = event.types;
    await bought(app, event.id, one(full));
    const { secret } = await bought(app, event.id, one(released));
    const wait = (ticketTypeId: string, count: number) =>
      app.ctx.db.waitlistEntry.createMany({
        data: Array.from({ length: count }, () => {
          const { name, email } = somebody();
          const hash = Buffer.from(v7());
          return { ticketTypeId, name, email, hash, createdAt: app.clock.now };
        }),
      });
    await wait(full, 120);
    const person = await list.waiting(released);
    await cancel(app, secret);
    expect(await list.statusOf(person)).toBe('offered');
    await change('updateTicketType', full, { quantity: 200 });
    expect(await stockOf(app, event.id)).toEqual({ event: 122, types: [121, 1], tickets: 122 });
  });

  it('are not offered after the sale ends, and for a shorter time close to it', async () => {
    const event = await soldOut(app, 2, { salesEndAt: new Date('2026-03-18T20:00:00Z') });
    const person = await list.waiting(event.type);
    await cancel(app, event.secret);
    expect(await portal(app, (await list.offerTo(person)) ?? '')).toMatchObject({
      expires_at: expect.stringMatching(/^2026-03-18T12:07:30/), // a quarter of the time
    });
    const late = await list.waiting(event.type);
    await at(app, '2026-03-18T20:00:00Z', () => cancel(app, event.orders[1].secret));
    expect(await list.statusOf(late)).toBe('waiting');
  });
});

describe('an offer from the waiting list', () => {
  it('goes to the next person after a day', async () => {
    const event = await soldOut(app);
    const [first, second] = [await list.waiting(event.type), await list.waiting(event.type)];
    await cancel(app, event.secret);
    const until = new Date(app.clock.now.getTime() + 24 * 3_600_000);
    await at(app, new Date(until.getTime() - 1), () => expireOrders(app.ctx));
    expect(await list.statuses([first, second])).toEqual(['offered', 'waiting']);
    await at(app, until, () => expireOrders(app.ctx));
    expect(await list.statuses([first, second])).toEqual(['expired', 'offered']);
    expect(await portal(app, (await list.offerTo(first)) ?? '')).toMatchObject({
      status: 'expired',
    });
  });

  it('of free tickets is accepted by confirming it before it expires', async () => {
    const event = await soldOut(app, 2, { priceAmount: 0 });
    const [first, second] = [await list.waiting(event.type), await list.waiting(event.type)];
    for (const { secret } of event.orders) await cancel(app, secret);
    const [mine = '', theirs = ''] = [await list.offerTo(first), await list.offerTo(second)];
    expect(await portal(app, mine)).toMatchObject({
      status: 'pending',
      tickets: [],
      may: { confirm: true, pay: false },
    });
    const confirm = (secret: string) =>
      app.graphql(
        'mutation ($secret: String!) { confirmOrder(secret: $secret) { status secret } }',
        { secret },
      );
    expect(await post(app, `/public/orders/${mine}/confirm`)).toMatchObject({
      status: 200,
      body: { data: { order: { status: 'paid', tickets: [{ status: 'valid' }] } } },
    });
    expect((await confirm(mine)).data.confirmOrder).toEqual({ status: 'PAID', secret: mine });
    expect((await mailsTo(app, first.email)).at(-1)?.subject).toBe('Your tickets: Evening');
    expect(await list.statusOf(first)).toBe('accepted');
    const late = new Date(app.clock.now.getTime() + 24 * 3_600_000);
    const { errors } = await at(app, late, () => confirm(theirs));
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(/order expired/),
      extensions: { reason: 'NOT_LIVE' },
    });
    expect((await confirm('x')).codes).toEqual(['NOT_FOUND']);
  });

  it('of paid tickets cannot be accepted without payment', async () => {
    const event = await soldOut(app);
    const person = await list.waiting(event.type);
    await cancel(app, event.secret);
    const { status, body } = await post(
      app,
      `/public/orders/${await list.offerTo(person)}/confirm`,
    );
    expect([status, body.data]).toEqual([422, expect.stringMatching(/has a price/)]);
  });

  it('belongs to the person on the list, not to the member who released the tickets', async () => {
    const event = await soldOut(app);
    const person = await list.waiting(event.type);
    const member = await (await makeMember(app)).signedIn();
    await app.graphql(
      'mutation ($secret: String!) { cancelOrder(secret: $secret) { id } }',
      { secret: event.secret },
      member,
    );
    const { orderId } = await app.ctx.db.waitlistEntry.findFirstOrThrow({
      where: { email: person.email },
    });
    expect(
      await app.ctx.db.order.findUniqueOrThrow({ where: { id: orderId ?? '' } }),
    ).toMatchObject({ memberId: null, buyerEmail: person.email });
  });
});
