import { v7 } from 'uuid';
import { formatLongTime } from '../../../src/core/time/format.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { offerAvailableTickets } from '../../../src/features/orders/waitlist/service/offer-tickets.ts';
import {
  atTime,
  buyTickets,
  cancelOrder,
  countStock,
  fetchOrder,
  findEmails,
  makeBuyer,
  makeEvent,
  payOrder,
  placeOrder,
  postJson,
  postOrder,
} from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../../support/factories/waitlist.ts';
import { SANDBOX, STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let list: ReturnType<typeof createWaitlistActions>;
beforeAll(async () => {
  app = await startApp({ config: SANDBOX });
  list = createWaitlistActions(app);
});
afterAll(() => app.stop());

const findOfferKey = async ({ email }: { email: string }) => ({
  id: (await app.ctx.db.order.findFirstOrThrow({ where: { buyerEmail: email } })).id,
});

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

const OFFERS_QUERY = `query ($offer: String!, $order: String!) {
  offer: order(secret: $offer) { isOffer } order(secret: $order) { isOffer } }`;

describe('released tickets', () => {
  const manager = async () => ({ cookie: await app.signIn(STAFF.manager) });
  const change = async (field: string, id: string, input: object) => {
    const { errors } = await app.graphql(
      `mutation { ${field}(input: { id: "${id}", ${JSON.stringify(input).replace(/["{}]/g, '')} }) { __typename } }`,
      {},
      await manager(),
    );
    if (errors[0]) throw new Error(JSON.stringify(errors[0]));
  };

  it.each<[string, (event: Awaited<ReturnType<typeof makeSoldOutEvent>>) => Promise<unknown>]>([
    ['its buyer cancels', ({ secret }) => cancelOrder(app, secret)],
    ['staff adds tickets', ({ type }) => change('updateTicketType', type, { quantity: 2 })],
  ])('are held for the first person on the list when %s', async (_, free) => {
    const event = await makeSoldOutEvent(app);
    const [first, second] = [await list.addPerson(event.type), await list.addPerson(event.type)];
    await free(event);
    expect(await list.getStatuses([first, second])).toEqual(['offered', 'waiting']);
    expect((await postOrder(app, event.id, one(event.type))).status).toBe(422);
    const secret = (await list.findOfferSecret(first)) ?? '';
    const offer = await fetchOrder(app, secret);
    expect(offer).toMatchObject({
      status: 'pending',
      buyer: first,
      expires_at: new Date(app.clock.now.getTime() + 24 * 3_600_000).toISOString(),
      may: { pay: true, confirm: false },
    });
    const { data } = await app.graphql(OFFERS_QUERY, { offer: secret, order: event.secret });
    expect(data).toEqual({ offer: { isOffer: true }, order: { isOffer: false } });
    expect(await payOrder(app, offer, 1_000)).toBe('confirmed');
    expect(await list.getStatuses([first, second])).toEqual(['accepted', 'waiting']);
    expect(await list.findOfferSecret(second)).toBeUndefined();
  });

  it.each([
    [1_000, 'sandbox', 'Pay €10.00 by then: open the offer with the link below.'],
    [1_000, 'on_site', 'Pay €10.00 at the front desk by then.'],
    [0, null, 'Confirm by then: open the offer with the link below. It is free.'],
  ] as const)(
    'are offered for %i, to be paid by %s, with what to do',
    async (price, provider, todo) => {
      const event = await makeSoldOutEvent(app, 1, { priceAmount: price });
      const person = await list.addPerson(event.type);
      await cancelOrder(app, event.secret);
      const { expiresAt } = await app.ctx.db.order.update({
        where: await findOfferKey(person),
        data: { provider },
      });
      const until = formatLongTime(expiresAt ?? NOW, 'Europe/Berlin');
      const text = (await findEmails(app, person.email)).at(-1)?.text ?? '';
      expect(text).toMatch(/^Hello,/);
      expect(text).toContain(`until ${until} (Berlin time).`);
      expect(text).toContain(todo);
      expect(text).not.toMatch(/accept/);
    },
  );

  it('are offered to a member by name, but not to others who use the address', async () => {
    const event = await makeSoldOutEvent(app, 2);
    const [member, other] = [await makeMember(app, { name: 'Nora Lind' }), await makeMember(app)];
    const as = await member.signedIn();
    await list.join(event.type, { name: 'X', email: member.email }, 1, as);
    await list.join(event.type, { name: 'Other', email: other.email });
    for (const { secret } of event.orders) await cancelOrder(app, secret);
    const readOffer = async (email: string) => (await findEmails(app, email)).at(-1)?.text;
    expect(await readOffer(member.email)).toMatch(/^Hello Nora Lind,/);
    expect(await readOffer(other.email)).toMatch(/^Hello,/);
  });

  it('are offered after the capacity of the event grows', async () => {
    const event = await makeEvent(app, { capacity: 1, types: [{ quantity: null }] });
    await buyTickets(app, event.id, one(event.type));
    const person = await list.addPerson(event.type);
    await change('updateEvent', event.id, { capacity: 2 });
    expect(await list.getStatus(person)).toBe('offered');
    expect(await countStock(app, event.id)).toEqual({ event: 2, types: [2], tickets: 2 });
  });

  it('are offered when an expired hold is found', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 1 }] });
    await placeOrder(app, event.id, one(event.type));
    const person = await list.addPerson(event.type);
    const afterExpiry = new Date(app.clock.now.getTime() + 16 * 60_000);
    expect(
      await atTime(app, afterExpiry, () => postOrder(app, event.id, one(event.type))),
    ).toMatchObject({
      status: 422,
    });
    expect(await list.getStatus(person)).toBe('offered');
  });

  it('are offered to the next person if the first needs all or none', async () => {
    const event = await makeSoldOutEvent(app, 3);
    const [big, small, last] = [
      await list.addPerson(event.type, 2, { acceptsFewer: false }),
      await list.addPerson(event.type),
      await list.addPerson(event.type),
    ];
    await cancelOrder(app, event.orders[0].secret);
    expect(await list.getStatuses([big, small, last])).toEqual(['waiting', 'offered', 'waiting']);
    await cancelOrder(app, (await list.findOfferSecret(small)) ?? '');
    expect(await list.getStatuses([big, small, last])).toEqual(['waiting', 'expired', 'offered']);
  });

  it('reach people behind hundreds of entries that cannot be served', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 1 }, { quantity: 1 }] });
    const [full = '', released = ''] = event.types;
    await buyTickets(app, event.id, one(full));
    const { secret } = await buyTickets(app, event.id, one(released));
    const wait = (ticketTypeId: string, count: number) =>
      app.ctx.db.waitlistEntry.createMany({
        data: Array.from({ length: count }, () => {
          const { name, email } = makeBuyer();
          const hash = Buffer.from(v7());
          return { ticketTypeId, name, email, hash, createdAt: app.clock.now };
        }),
      });
    await wait(full, 120);
    const person = await list.addPerson(released);
    await cancelOrder(app, secret);
    expect(await list.getStatus(person)).toBe('offered');
    await change('updateTicketType', full, { quantity: 200 });
    await offerAvailableTickets(app.ctx);
    expect(await countStock(app, event.id)).toEqual({ event: 122, types: [121, 1], tickets: 122 });
  });

  it('are not offered after the sale ends, and for a shorter time close to it', async () => {
    const event = await makeSoldOutEvent(app, 2, { salesEndAt: new Date('2026-03-18T20:00:00Z') });
    const person = await list.addPerson(event.type);
    await cancelOrder(app, event.secret);
    expect(await fetchOrder(app, (await list.findOfferSecret(person)) ?? '')).toMatchObject({
      expires_at: expect.stringMatching(/^2026-03-18T12:07:30/), // a quarter of the time
    });
    const late = await list.addPerson(event.type);
    await atTime(app, '2026-03-18T20:00:00Z', () => cancelOrder(app, event.orders[1].secret));
    expect(await list.getStatus(late)).toBe('waiting');
  });
});

describe('an offer from the waiting list', () => {
  it('goes to the next person after a day', async () => {
    const event = await makeSoldOutEvent(app);
    const [first, second] = [await list.addPerson(event.type), await list.addPerson(event.type)];
    await cancelOrder(app, event.secret);
    const secret = (await list.findOfferSecret(first)) ?? '';
    const until = new Date(app.clock.now.getTime() + 24 * 3_600_000);
    await atTime(app, new Date(until.getTime() - 1), () => expireOrders(app.ctx));
    expect(await list.getStatuses([first, second])).toEqual(['offered', 'waiting']);
    await atTime(app, until, () => expireOrders(app.ctx));
    expect(await list.getStatuses([first, second])).toEqual(['expired', 'offered']);
    expect(await fetchOrder(app, secret)).toMatchObject({ status: 'expired' });
  });

  it('of free tickets is accepted by confirming it before it expires', async () => {
    const event = await makeSoldOutEvent(app, 2, { priceAmount: 0 });
    const [first, second] = [await list.addPerson(event.type), await list.addPerson(event.type)];
    for (const { secret } of event.orders) await cancelOrder(app, secret);
    const [firstOffer = '', secondOffer = ''] = [
      await list.findOfferSecret(first),
      await list.findOfferSecret(second),
    ];
    expect(await fetchOrder(app, firstOffer)).toMatchObject({
      status: 'pending',
      tickets: [],
      may: { confirm: true, pay: false },
    });
    const confirm = (secret: string) =>
      app.graphql(
        'mutation ($secret: String!) { confirmOrder(input: { secret: $secret }) { order { status secret } } }',
        { secret },
      );
    expect(await postJson(app, `/public/orders/${firstOffer}/confirm`)).toMatchObject({
      status: 200,
      body: { data: { order: { status: 'paid', tickets: [{ status: 'valid' }] } } },
    });
    expect((await confirm(firstOffer)).data.confirmOrder.order).toEqual({
      status: 'PAID',
      secret: firstOffer,
    });
    expect((await findEmails(app, first.email)).at(-1)?.subject).toBe('Your tickets: Evening');
    expect(await list.getStatus(first)).toBe('accepted');
    const late = new Date(app.clock.now.getTime() + 24 * 3_600_000);
    const { errors } = await atTime(app, late, () => confirm(secondOffer));
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(/order expired/),
      extensions: { reason: 'NOT_LIVE' },
    });
    expect((await confirm('x')).codes).toEqual(['NOT_FOUND']);
  });

  it('of paid tickets cannot be accepted without payment', async () => {
    const event = await makeSoldOutEvent(app);
    const person = await list.addPerson(event.type);
    await cancelOrder(app, event.secret);
    const { status, body } = await postJson(
      app,
      `/public/orders/${await list.findOfferSecret(person)}/confirm`,
    );
    expect([status, body.data]).toEqual([422, expect.stringMatching(/has a price/)]);
  });

  it('belongs to the person on the list, not to the member who released the tickets', async () => {
    const event = await makeSoldOutEvent(app);
    const person = await list.addPerson(event.type);
    const member = await (await makeMember(app)).signedIn();
    await app.graphql(
      'mutation ($secret: String!) { cancelOrder(input: { secret: $secret }) { order { id } } }',
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
