import type { Credential } from '../support/clients/api.ts';
import { createDayPassActions } from '../support/factories/day-passes.ts';
import { buyTickets, makeEvent } from '../support/factories/events.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
let tickets: any;
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
let passes: any;

beforeAll(async () => {
  app = await startApp();
  const event = await makeEvent(app);
  tickets = await buyTickets(app, event.slug, [{ ticketTypeId: event.type, quantity: 1 }]);
  const dayPasses = createDayPassActions(app);
  passes = await dayPasses.buy((await dayPasses.makeType()).id);
  await app.ctx.db.refund.create({
    data: {
      orderId: tickets.id,
      paymentId: (await app.ctx.db.payment.findFirstOrThrow({ where: { orderId: tickets.id } })).id,
      amount: 1,
      status: 'succeeded',
      method: 'card_online',
      completedAt: app.clock.now,
    },
  });
});
afterAll(() => app.stop());

const ORDER = 'code tickets { code qr } dayPasses { code qr } refunds { orderCode } secret';

/** All codes that the API shows this caller for another buyer's order and for a member. */
async function readCodes(as: Credential) {
  const order = async ({ id }: { id: string }) =>
    (await app.graphql(`{ orderById(id: "${id}") { ${ORDER} } }`, {}, as)).data?.orderById;
  const { data: lists } = await app.graphql(
    `{ orders(first: 100) { edges { node { ${ORDER} } } } refunds { edges { node { orderCode } } } }`,
    {},
    as,
  );
  const { data: memberPages } = await app.graphql(
    '{ members(first: 100) { edges { node { code } } } teams(first: 20) { nodes { members(first: 50) { nodes { code } } } } }',
    {},
    as,
  );
  const rest = await app.rest('/members', as);
  return {
    orders: [await order(tickets), await order(passes), lists],
    members: [memberPages, rest.status === 200 ? rest.body.data : null],
  };
}

/** Collects the values of these fields at any depth. */
function collect(value: unknown, names = ['code', 'qr', 'orderCode', 'secret']): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    names.includes(key) ? [inner] : collect(inner, names),
  );
}

const isHidden = (value: unknown) => collect(value).every((code) => code === null);
const isShown = (value: unknown) =>
  collect(value, ['code', 'qr', 'orderCode']).every((code) => typeof code === 'string');

describe('admission codes', () => {
  it.each([
    ['orders:read', 'members:read', 'check-ins:read', 'day-passes:read', 'bookings:write'],
    ['orders:read', 'members:read', 'events:write', 'webhooks:write', 'displays:write'],
  ])('are null for a token that can only read them (%s, %s, %s, %s, %s)', async (...scopes) => {
    const { orders, members } = await readCodes({ token: await app.token(...scopes) });
    expect(collect(orders).length).toBeGreaterThan(8);
    expect(collect(members).length).toBeGreaterThan(8);
    expect([isHidden(orders), isHidden(members)]).toEqual([true, true]);
  });

  it.each([
    ['orders:write', [true, false]],
    ['members:write', [false, true]],
    ['check-ins:write', [true, true]],
  ])(
    'are shown to a token with read scopes and %s, for what that scope covers',
    async (scope, expected) => {
      const token = await app.token('orders:read', 'members:read', scope);
      const { orders, members } = await readCodes({ token });
      expect([isShown(orders), isShown(members)]).toEqual(expected);
      expect(collect(orders, ['secret']).every((secret) => secret === null)).toBe(true);
    },
  );

  it.each(Object.values(STAFF))('are shown to staff: %s', async (email) => {
    const { orders, members } = await readCodes({ cookie: await app.signIn(email) });
    expect([isShown(orders), isShown(members)]).toEqual([true, true]);
  });

  it.each([
    [['orders:read', 'webhooks:read'], false],
    [['orders:read', 'webhooks:read', 'orders:write'], true],
    [['orders:read', 'webhooks:read', 'check-ins:write'], true],
  ])(
    'are references of payments, names in the journal and a PDF, with %j: %s',
    async (scopes, isShown) => {
      const token = await app.token(...scopes);
      const { id, code } = tickets;
      await app.ctx.db.payment.updateMany({
        where: { orderId: id },
        data: { ref: `paid:${code}` },
      });
      const read = `{ orderById(id: "${id}") { payments { nodes { reference provider } } }
      changes(first: 100) { nodes { references { id kind name } } } }`;
      for (const _ of ['by resolvers', 'by plan']) {
        const { data, errors } = await app.graphql(read, {}, { token });
        expect(errors).toEqual([]);
        const reference = isShown ? `paid:${code}` : null;
        expect(data.orderById.payments.nodes).toEqual([{ reference, provider: 'ON_SITE' }]);
        const named = data.changes.nodes
          .flatMap(({ references }: { references: object[] }) => references)
          .filter(({ kind }: { kind: string }) => ['order', 'payment'].includes(kind));
        expect(named).toContainEqual({ id, kind: 'order', name: isShown ? code : null });
        expect(named.every(({ name }: { name: unknown }) => (name !== null) === isShown)).toBe(
          true,
        );
      }
      const response = await fetch(`${app.url}/orders/${id}/tickets.pdf`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(isShown ? 200 : 403);
      const missing = { success: false, data: 'This needs the scope orders:write.' };
      if (!isShown) expect(await response.json()).toEqual(missing);
    },
  );

  it('are not references of payments that Stripe took', async () => {
    const token = await app.token('orders:read');
    const where = { orderId: tickets.id };
    await app.ctx.db.payment.updateMany({
      where,
      data: { provider: 'stripe', ref: 'pi_1', method: 'card_online' },
    });
    const read = `{ orderById(id: "${tickets.id}") { payments { nodes { reference } } } }`;
    for (const _ of ['by resolvers', 'by plan']) {
      const { data } = await app.graphql(read, {}, { token });
      expect(data.orderById.payments.nodes).toEqual([{ reference: 'pi_1' }]);
    }
  });

  it('are shown to callers with the secret of the order', async () => {
    for (const { secret } of [tickets, passes]) {
      const { data } = await app.graphql(`{ order(secret: "${secret}") { ${ORDER} } }`);
      expect(isShown(data.order)).toBe(true);
      const { body } = await app.rest(`/public/orders/${secret}`);
      const { order } = body.data as { order: object };
      expect(isShown({ ...order, discount: null })).toBe(true);
    }
  });
});
