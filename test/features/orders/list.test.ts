import { setTimeout } from 'node:timers/promises';
import { v7 } from 'uuid';
import { MIN_FIND_ORDERS_RESPONSE_MS } from '../../../src/features/orders/emails/service/resend-links.ts';
import type { Credential } from '../../support/clients/api.ts';
import {
  atTime,
  buyTickets,
  cancelOrder,
  fetchOrder,
  findEmails,
  makeBuyer,
  makeEvent,
  placeOrder,
  postJson,
  postOrder,
} from '../../support/factories/events.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { countStatements } from '../../support/harness/database.ts';

let app: TestApp;
let reader: Credential;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  reader = { token: await app.token('orders:read') };
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

describe('lost order links', () => {
  const find = (email: string) => postJson(app, '/public/orders/find', { email });

  it('are sent to the email address only, with the same response if there are none', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const paid = await buyTickets(app, event.id, one(event.type), { buyer });
    const held = await placeOrder(app, event.id, one(event.type), { buyer });
    const missing = await placeOrder(app, event.id, one(event.type), { buyer });
    await cancelOrder(app, missing.secret);
    const unknownBuyer = makeBuyer();
    const [known, unknown] = [
      await find(buyer.email.toUpperCase()),
      await find(unknownBuyer.email),
    ];
    expect([known.status, known.body]).toEqual([200, { success: true, data: { sent: true } }]);
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect(await findEmails(app, unknownBuyer.email)).toEqual([]);
    const [mail, ...more] = (await findEmails(app, buyer.email)).filter(
      ({ subject }) => subject === 'Your orders',
    );
    expect(more).toEqual([]);
    const links = [...(mail?.text ?? '').matchAll(/orders#(\S+)/g)].map(([, link = '']) => link);
    const matches = await Promise.all(links.map((link) => fetchOrder(app, link)));
    expect(matches.map(({ id }) => id).sort()).toEqual([paid.id, held.id].sort());
  });

  it('are not sent for old orders, unless their day is in the future', async () => {
    const event = await makeEvent(app);
    const futureEvent = await makeEvent(app, {
      startsAt: new Date('2026-09-01T18:00:00Z'),
      endsAt: new Date('2026-09-01T21:00:00Z'),
    });
    const [past, future] = [makeBuyer(), makeBuyer()];
    await buyTickets(app, event.id, one(event.type), { buyer: past });
    await buyTickets(app, futureEvent.id, one(futureEvent.type), { buyer: future });
    await atTime(app, '2026-08-01T09:00:00Z', async () => {
      for (const { email } of [past, future]) await find(email);
    });
    expect(await findEmails(app, past.email)).toHaveLength(1);
    expect(await findEmails(app, future.email)).toHaveLength(2);
  });

  it.each<[string, (email: string) => Promise<unknown>]>([
    ['REST', find],
    [
      'GraphQL',
      (email) =>
        app.graphql(
          'mutation ($email: String!) { findOrders(input: { email: $email }) { email } }',
          { email },
        ),
    ],
  ])('take the same time through %s if they cannot be sent', async (_, find) => {
    await app.database.pool.query('ALTER TABLE orders RENAME TO unavailable');
    const ended: string[] = [];
    try {
      const shorter = setTimeout(MIN_FIND_ORDERS_RESPONSE_MS * 0.8).then(() => ended.push('timer'));
      await find(makeBuyer().email);
      ended.push('response');
      await shorter;
      expect(ended).toEqual(['timer', 'response']);
    } finally {
      await app.database.pool.query('ALTER TABLE unavailable RENAME TO orders');
    }
  });

  it('are rate-limited', async () => {
    const { email } = makeBuyer();
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await find(email)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    const { status, headers } = await find(email);
    expect([status, headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    const { codes } = await app.graphql(
      'mutation ($email: String!) { findOrders(input: { email: $email }) { email } }',
      {
        email,
      },
    );
    expect(codes).toEqual(['RATE_LIMITED']);
    expect((await find('no address')).status).toBe(422);
  });
});

describe('the order list for staff', () => {
  const list = async (filter: object, more = '') => {
    const { data, errors } = await app.graphql(
      `query ($filter: OrderFilter) { orders(filter: $filter${more}) {
        edges { node { id secret payment { url } refunds { id } } } pageInfo { hasNextPage endCursor } } }`,
      { filter },
      reader,
    );
    if (errors[0]) throw new Error(JSON.stringify(errors[0]));
    return data.orders;
  };
  const ids = ({ edges }: { edges: { node: { id: string } }[] }) =>
    edges.map(({ node }) => node.id);

  it('filters by event, status, code and buyer, newest first, without secrets', async () => {
    const event = await makeEvent(app);
    const buyer = { name: 'Zacharias 100% Zorn', email: `zorn-${v7()}@example.org` };
    const paid = await buyTickets(app, event.id, one(event.type));
    const held = await atTime(app, '2026-03-18T09:31:00Z', () =>
      placeOrder(app, event.id, one(event.type), { buyer }),
    );
    const eventId = event.id;
    const all = await list({ eventId });
    expect(ids(all)).toEqual([held.id, paid.id]);
    expect(all.edges[0].node).toMatchObject({ secret: null, payment: { url: null } });
    expect(ids(await list({ eventId, status: 'PAID' }))).toEqual([paid.id]);
    for (const q of [held.code, held.code.toLowerCase(), 'zachARIAS', buyer.email, '100%'])
      expect([q, ids(await list({ q }))]).toEqual([q, [held.id]]);
    expect(ids(await list({ eventId, q: '_' }))).toEqual([]);
    const first = await list({ eventId }, ', first: 1');
    expect([ids(first), first.pageInfo.hasNextPage]).toEqual([[held.id], true]);
    const rest = await list({ eventId }, `, first: 1, after: "${first.pageInfo.endCursor}"`);
    expect([ids(rest), rest.pageInfo.hasNextPage]).toEqual([[paid.id], false]);
  });

  it('uses the same number of statements for any number of orders', async () => {
    const event = await makeEvent(app, { types: [{ quantity: null }] });
    for (let n = 0; n < 6; n += 1) await postOrder(app, event.id, one(event.type));
    const count = await countStatements(app, 'refunds', () => list({ eventId: event.id }));
    expect(count).toBe(1);
  });

  it('finds orders by id, and rejects unknown ids', async () => {
    const event = await makeEvent(app);
    const { id } = await placeOrder(app, event.id, one(event.type));
    const byId = (id: string, as: Credential = reader) =>
      app.graphql('query ($id: ID!) { orderById(id: $id) { id secret } }', { id }, as);
    expect((await byId(id)).data.orderById).toEqual({ id, secret: null });
    for (const wrong of [v7(), 'x', '']) expect((await byId(wrong)).codes).toEqual(['NOT_FOUND']);
    expect((await byId(id, {})).codes).toEqual(['UNAUTHENTICATED']);
  });
});
