import { type Credential, STAFF, startApp, type TestApp } from '../support/app.ts';
import { dayPassesOf } from '../support/day-passes.ts';
import { bought, makeEvent } from '../support/events.ts';

let app: TestApp;
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
let tickets: any;
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
let passes: any;

beforeAll(async () => {
  app = await startApp();
  const event = await makeEvent(app);
  tickets = await bought(app, event.slug, [{ ticketTypeId: event.type, quantity: 1 }]);
  const dayPasses = dayPassesOf(app);
  passes = await dayPasses.bought((await dayPasses.makeType()).id);
  await app.ctx.db.refund.create({
    data: {
      orderId: tickets.id,
      paymentId: (await app.ctx.db.payment.findFirstOrThrow({ where: { orderId: tickets.id } })).id,
      amount: 1,
      status: 'succeeded',
      completedAt: app.clock.now,
    },
  });
});
afterAll(() => app.stop());

const ORDER = 'code tickets { code qr } dayPasses { code qr } refunds { orderCode } secret';

/** Every code that the API shows this caller of an order that somebody else placed, and of a member. */
async function readCodes(as: Credential) {
  const order = async ({ id }: { id: string }) =>
    (await app.graphql(`{ orderById(id: "${id}") { ${ORDER} } }`, {}, as)).data?.orderById;
  const { data: lists } = await app.graphql(
    `{ orders(first: 100) { edges { node { ${ORDER} } } } refunds { edges { node { orderCode } } } }`,
    {},
    as,
  );
  const { data: people } = await app.graphql(
    '{ members(first: 100) { edges { node { code } } } teams { edges { node { members { code } } } } }',
    {},
    as,
  );
  const rest = await app.rest('/members', as);
  return {
    orders: [await order(tickets), await order(passes), lists],
    members: [people, rest.status === 200 ? rest.body.data : null],
  };
}

/** The values of these fields anywhere in it. */
function collect(value: unknown, names = ['code', 'qr', 'orderCode', 'secret']): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    names.includes(key) ? [inner] : collect(inner, names),
  );
}

const isHidden = (value: unknown) => collect(value).every((code) => code === null);
const isShown = (value: unknown) =>
  collect(value, ['code', 'qr', 'orderCode']).every((code) => typeof code === 'string');

describe('codes that admit people', () => {
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
    'are shown to a token that reads and has %s, where they belong to it',
    async (scope, shown) => {
      const token = await app.token('orders:read', 'members:read', scope);
      const { orders, members } = await readCodes({ token });
      expect([isShown(orders), isShown(members)]).toEqual(shown);
      expect(collect(orders, ['secret']).every((secret) => secret === null)).toBe(true);
    },
  );

  it.each(Object.values(STAFF))('are shown to %s of the staff', async (email) => {
    const { orders, members } = await readCodes({ cookie: await app.signIn(email) });
    expect([isShown(orders), isShown(members)]).toEqual([true, true]);
  });

  it('are shown to who holds the secret of the order', async () => {
    for (const { secret } of [tickets, passes]) {
      const { data } = await app.graphql(`{ order(secret: "${secret}") { ${ORDER} } }`);
      expect(isShown(data.order)).toBe(true);
      const { body } = await app.rest(`/public/orders/${secret}`);
      const { order } = body.data as { order: object };
      expect(isShown({ ...order, discount: null })).toBe(true);
    }
  });
});
