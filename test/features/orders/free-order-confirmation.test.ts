import { expireOrders } from '../../../src/features/orders/stock.ts';
import { STAFF, startApp, type TestApp } from '../../support/app.ts';
import { dayPassesOf, FRIDAY } from '../../support/day-passes.ts';
import {
  at,
  mailsTo,
  makeEvent,
  orderByGraphql,
  placed,
  portal,
  post,
  reasons,
  somebody,
  stockOf,
} from '../../support/events.ts';
import { makeMember } from '../../support/space.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const MINUTE_MS = 60_000;
const free = (more: object = {}) =>
  makeEvent(app, { confirmFreeOrders: null, types: [{ priceAmount: 0, quantity: 4 }], ...more });
const two = (event: { type: string }) => [{ ticketTypeId: event.type, quantity: 2 }];

/** The secret of the link in the latest email to this address. */
async function mailedSecret(email: string): Promise<string> {
  const mails = await mailsTo(app, email);
  return /orders#(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

describe('a free order of an anonymous buyer', () => {
  it('is held for a short time until the link in the email confirms it', async () => {
    const event = await free();
    const buyer = somebody('Eve Elsewhere');
    const order = await placed(app, event.id, two(event), { buyer });
    expect(order).toMatchObject({
      status: 'pending',
      payment: null,
      confirmation_required: true,
      may: { confirm: false, pay: false },
      tickets: [],
      expires_at: new Date(app.clock.now.getTime() + 30 * MINUTE_MS).toISOString(),
    });
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.subject).toBe('Confirm your registration: Evening');
    expect(mail?.text).not.toContain(buyer.name);
    const secret = await mailedSecret(buyer.email);
    expect(await portal(app, secret)).toMatchObject({ status: 'pending', may: { confirm: true } });
    const { status, body } = await post(app, `/public/orders/${secret}/confirm`);
    expect([status, body.data]).toMatchObject([
      200,
      { order: { status: 'paid', confirmation_required: false, tickets: [{}, {}] } },
    ]);
    expect((await mailsTo(app, buyer.email)).at(-1)?.subject).toBe('Your tickets: Evening');
  });

  it('cannot be confirmed with the secret returned to the client', async () => {
    const event = await free();
    const { secret } = await placed(app, event.id, two(event), { buyer: somebody() });
    const rest = await post(app, `/public/orders/${secret}/confirm`);
    const graphql = await app.graphql(
      'mutation ($secret: String!) { confirmOrder(secret: $secret) { id } }',
      { secret },
    );
    expect([rest.status, reasons(graphql)]).toEqual([422, ['MAIL_LINK_REQUIRED']]);
    expect((await post(app, '/public/orders/find', { email: 'nobody@example.org' })).status).toBe(
      200,
    );
    expect(await portal(app, secret)).toMatchObject({ status: 'pending' });
  });

  it('releases its places after 30 minutes', async () => {
    const event = await free();
    const buyer = somebody();
    await placed(app, event.id, two(event), { buyer });
    await at(app, new Date(app.clock.now.getTime() + 30 * MINUTE_MS), async () => {
      await expireOrders(app.ctx);
      expect(await stockOf(app, event.id)).toMatchObject({ event: 0, tickets: 0 });
      const late = await post(app, `/public/orders/${await mailedSecret(buyer.email)}/confirm`);
      expect([late.status, late.body.data]).toEqual([
        422,
        expect.stringContaining('Place a new one'),
      ]);
    });
  });

  it.each<[string, object, boolean]>([
    ['in a small event', {}, true],
    [
      'in an event with a small capacity',
      { capacity: 100, types: [{ priceAmount: 0, quantity: null }] },
      true,
    ],
    ['not in a large event', { types: [{ priceAmount: 0, quantity: 101 }] }, false],
    ['not without a limit', { types: [{ priceAmount: 0, quantity: null }] }, false],
    ['not where staff switched it off', { confirmFreeOrders: false }, false],
    [
      'in a large event where staff wants it',
      { confirmFreeOrders: true, types: [{ priceAmount: 0, quantity: 500 }] },
      true,
    ],
  ])('is to be confirmed %s', async (_, more, expected) => {
    const event = await free(more);
    const order = await placed(app, event.id, two(event), { buyer: somebody() });
    expect([order.confirmation_required, order.status]).toEqual([
      expected,
      expected ? 'pending' : 'paid',
    ]);
  });

  it('needs confirmation for a small ticket type, also together with a large one', async () => {
    const event = await free({
      types: [
        { priceAmount: 0, quantity: 4 },
        { priceAmount: 0, quantity: null },
      ],
    });
    const items = event.types.map((ticketTypeId) => ({ ticketTypeId, quantity: 1 }));
    const order = await placed(app, event.id, items, { buyer: somebody() });
    expect(order.status).toBe('pending');
  });

  it('emails no names that a stranger entered', async () => {
    const event = await free({ confirmFreeOrders: false });
    const buyer = somebody('Ring This Number');
    const { secret, tickets } = await placed(app, event.id, two(event), { buyer });
    const friend = somebody('Claim Your Prize');
    await app.graphql(
      `mutation ($secret: String!, $id: ID!, $to: PersonInput!) {
        transferTicket(secret: $secret, ticketId: $id, attendee: $to) { id } }`,
      { secret, id: tickets[0].id, to: friend },
    );
    const mails = [...(await mailsTo(app, buyer.email)), ...(await mailsTo(app, friend.email))];
    expect(mails).toHaveLength(2);
    for (const { text } of mails) expect(text).not.toMatch(/Ring This Number|Claim Your Prize/);
  });

  it('is confirmed at once for members and staff', async () => {
    const event = await free();
    const member = await (await makeMember(app)).signedIn();
    const staff = { cookie: await app.signIn(STAFF.front_desk) };
    for (const as of [member, staff]) {
      const { data } = await orderByGraphql(app, event.id, two(event), { as });
      expect(data.placeOrder.status).toBe('PAID');
    }
  });

  it('is also held for day passes', async () => {
    const { makeType, ask } = dayPassesOf(app);
    const { id } = await makeType({ priceAmount: 0, confirmFreeOrders: null });
    const buyer = somebody();
    const { status, body } = await ask(id, { validOn: FRIDAY, buyer });
    expect([status, body.data]).toMatchObject([
      201,
      { order: { confirmation_required: true, day_passes: [] } },
    ]);
    const confirmed = await post(app, `/public/orders/${await mailedSecret(buyer.email)}/confirm`);
    expect(confirmed.body.data).toMatchObject({
      order: { status: 'paid', day_passes: [{ status: 'valid' }] },
    });
  });
});

describe('the order limit settings', () => {
  it('are visible and editable only for event managers', async () => {
    const { id } = await makeEvent(app);
    const as = { cookie: await app.signIn(STAFF.manager) };
    const limits =
      'orderLimits { maxSeatsPerEmail maxSeatsPerAddress maxSeatsPerNetwork limitWindowHours confirmFreeOrders }';
    const written = await app.graphql(
      `mutation ($id: ID!) { updateEvent(id: $id, input: { maxSeatsPerEmail: 4, maxSeatsPerAddress: 8,
        maxSeatsPerNetwork: null, limitWindowHours: 12, confirmFreeOrders: true }) { slug ${limits} } }`,
      { id },
      as,
    );
    expect(written.data.updateEvent.orderLimits).toEqual({
      maxSeatsPerEmail: 4,
      maxSeatsPerAddress: 8,
      maxSeatsPerNetwork: null,
      limitWindowHours: 12,
      confirmFreeOrders: true,
    });
    const { data } = await app.graphql(
      `{ event(slug: "${written.data.updateEvent.slug}") { ${limits} } }`,
    );
    expect(data.event.orderLimits).toBeNull();
    const wrong = await app.graphql(
      'mutation ($id: ID!) { updateEvent(id: $id, input: { limitWindowHours: 169 }) { id } }',
      { id },
      as,
    );
    expect(wrong.codes).toEqual(['VALIDATION']);
  });
});
