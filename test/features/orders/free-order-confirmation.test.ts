import { cancelEvent } from '../../../src/features/event-management/service/edit-event.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { createDayPassActions, FRIDAY } from '../../support/factories/day-passes.ts';
import {
  atTime,
  countStock,
  fetchOrder,
  findEmails,
  getReasons,
  makeBuyer,
  makeEvent,
  placeOrder,
  placeOrderByGraphql,
  postJson,
} from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

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
  const mails = await findEmails(app, email);
  return /orders#(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

describe('a free order of an anonymous buyer', () => {
  it('causes no other email if it was not confirmed before the event was cancelled', async () => {
    const event = await free();
    const buyer = makeBuyer();
    await placeOrder(app, event.id, two(event), { buyer });
    await findEmails(app, buyer.email);
    await cancelEvent(app.ctx, event.id, 'The band is ill');
    expect((await findEmails(app, buyer.email)).map(({ subject }) => subject)).toEqual([
      'Confirm your registration: Evening',
    ]);
  });

  it('is held for a short time until the link in the email confirms it', async () => {
    const event = await free();
    const buyer = makeBuyer('Eve Elsewhere');
    const order = await placeOrder(app, event.id, two(event), { buyer });
    expect(order).toMatchObject({
      status: 'pending',
      payment: null,
      confirmation_required: true,
      may: { confirm: false, pay: false },
      tickets: [],
      expires_at: new Date(app.clock.now.getTime() + 30 * MINUTE_MS).toISOString(),
    });
    const [mail] = await findEmails(app, buyer.email);
    expect(mail?.subject).toBe('Confirm your registration: Evening');
    expect(mail?.text).not.toContain(buyer.name);
    const secret = await mailedSecret(buyer.email);
    expect(await fetchOrder(app, secret)).toMatchObject({
      status: 'pending',
      may: { confirm: true },
    });
    const { status, body } = await postJson(app, `/public/orders/${secret}/confirm`);
    expect([status, body.data]).toMatchObject([
      200,
      { order: { status: 'paid', confirmation_required: false, tickets: [{}, {}] } },
    ]);
    expect((await findEmails(app, buyer.email)).at(-1)?.subject).toBe('Your tickets: Evening');
  });

  it('cannot be confirmed with the secret returned to the client', async () => {
    const event = await free();
    const { secret } = await placeOrder(app, event.id, two(event), { buyer: makeBuyer() });
    const rest = await postJson(app, `/public/orders/${secret}/confirm`);
    const graphql = await app.graphql(
      'mutation ($secret: String!) { confirmOrder(input: { secret: $secret }) { order { id } } }',
      { secret },
    );
    expect([rest.status, getReasons(graphql)]).toEqual([422, ['MAIL_LINK_REQUIRED']]);
    expect(
      (await postJson(app, '/public/orders/find', { email: 'nobody@example.org' })).status,
    ).toBe(200);
    expect(await fetchOrder(app, secret)).toMatchObject({ status: 'pending' });
  });

  it('releases its seats after 30 minutes', async () => {
    const event = await free();
    const buyer = makeBuyer();
    await placeOrder(app, event.id, two(event), { buyer });
    const secret = await mailedSecret(buyer.email);
    await atTime(app, new Date(app.clock.now.getTime() + 30 * MINUTE_MS), async () => {
      await expireOrders(app.ctx);
      expect(await countStock(app, event.id)).toMatchObject({ event: 0, tickets: 0 });
      const late = await postJson(app, `/public/orders/${secret}/confirm`);
      expect([late.status, late.body.data]).toEqual([
        422,
        expect.stringContaining('Place a new order'),
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
    ['not if staff disables it', { confirmFreeOrders: false }, false],
    [
      'in a large event if staff enables it',
      { confirmFreeOrders: true, types: [{ priceAmount: 0, quantity: 500 }] },
      true,
    ],
  ])('needs confirmation %s', async (_, more, expected) => {
    const event = await free(more);
    const order = await placeOrder(app, event.id, two(event), { buyer: makeBuyer() });
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
    const order = await placeOrder(app, event.id, items, { buyer: makeBuyer() });
    expect(order.status).toBe('pending');
  });

  it('emails no names that a stranger entered', async () => {
    const event = await free({ confirmFreeOrders: false });
    const buyer = makeBuyer('Ring This Number');
    const { secret, tickets } = await placeOrder(app, event.id, two(event), { buyer });
    const friend = makeBuyer('Claim Your Prize');
    await app.graphql(
      `mutation ($secret: String!, $id: ID!, $to: PersonInput!) {
        transferTicket(input: { secret: $secret, ticketId: $id, attendee: $to }) { order { id } } }`,
      { secret, id: tickets[0].id, to: friend },
    );
    const mails = [
      ...(await findEmails(app, buyer.email)),
      ...(await findEmails(app, friend.email)),
    ];
    expect(mails).toHaveLength(2);
    for (const { text } of mails) expect(text).not.toMatch(/Ring This Number|Claim Your Prize/);
  });

  it('is confirmed immediately for members and staff', async () => {
    const event = await free();
    const member = await (await makeMember(app)).signedIn();
    const staff = { cookie: await app.signIn(STAFF.front_desk) };
    for (const as of [member, staff]) {
      const { data } = await placeOrderByGraphql(app, event.id, two(event), { as });
      expect(data.placeOrder.order.status).toBe('PAID');
    }
  });

  it('is also held for day passes', async () => {
    const { makeType, order } = createDayPassActions(app);
    const { id } = await makeType({ priceAmount: 0, confirmFreeOrders: null });
    const buyer = makeBuyer();
    const { status, body } = await order(id, { validOn: FRIDAY, buyer });
    expect([status, body.data]).toMatchObject([
      201,
      { order: { confirmation_required: true, day_passes: [] } },
    ]);
    const confirmed = await postJson(
      app,
      `/public/orders/${await mailedSecret(buyer.email)}/confirm`,
    );
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
      `mutation ($id: ID!) { updateEvent(input: { id: $id, maxSeatsPerEmail: 4, maxSeatsPerAddress: 8,
        maxSeatsPerNetwork: null, limitWindowHours: 12, confirmFreeOrders: true }) { event { slug ${limits} } } }`,
      { id },
      as,
    );
    expect(written.data.updateEvent.event.orderLimits).toEqual({
      maxSeatsPerEmail: 4,
      maxSeatsPerAddress: 8,
      maxSeatsPerNetwork: null,
      limitWindowHours: 12,
      confirmFreeOrders: true,
    });
    const { data } = await app.graphql(
      `{ event(slug: "${written.data.updateEvent.event.slug}") { ${limits} } }`,
    );
    expect(data.event.orderLimits).toBeNull();
    const wrong = await app.graphql(
      'mutation ($id: ID!) { updateEvent(input: { id: $id, limitWindowHours: 169 }) { event { id } } }',
      { id },
      as,
    );
    expect(wrong.codes).toEqual(['VALIDATION']);
  });
});
