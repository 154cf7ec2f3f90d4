import { v7 } from 'uuid';
import type { Credential } from '../../support/clients/api.ts';
import {
  atTime,
  BUYER,
  buyTickets,
  countStock,
  expectRejected,
  fetchOrder,
  findEmails,
  makeEvent,
  payOrder,
  placeOrder,
  placeOrderByGraphql,
  postOrder,
} from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import { SANDBOX, STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let ben: Awaited<ReturnType<typeof makeMember>>;
let member: Credential;
let staff: Credential;
beforeAll(async () => {
  app = await startApp({ config: SANDBOX });
  ben = await makeMember(app);
  member = await ben.signedIn();
  staff = { cookie: await app.signIn(STAFF.front_desk) };
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

async function placeAs(event: { id: string; type: string }, as: Credential) {
  const { data } = await placeOrderByGraphql(app, event.id, one(event.type), { as });
  return data?.placeOrder.order ?? null;
}

describe('an order', () => {
  it('with a price holds its tickets, is confirmed by payment and shows them on its page', async () => {
    const event = await makeEvent(app);
    const created = await placeOrder(app, event.slug, one(event.type, 2));
    expect(created).toMatchObject({
      status: 'pending',
      total: { amount: 2_000, currency: 'EUR' },
      tickets: [],
      items: [{ quantity: 2, unit_price: { amount: 1_000 } }],
      payment: { status: 'pending', url: `http://foyer.test/pay/${created.secret}` },
      expires_at: '2026-03-18T09:45:00.000Z',
    });
    expect(await countStock(app, event.id)).toEqual({ event: 2, types: [2], tickets: 2 });
    expect(await payOrder(app, created, 2_000)).toBe('confirmed');
    expect(await payOrder(app, created, 2_000)).toBe('known');
    expect(await fetchOrder(app, created.secret)).toMatchObject({
      status: 'paid',
      payment: { status: 'paid' },
      tickets: [
        { status: 'valid', attendee: { name: BUYER.name }, event: { id: event.id } },
        { status: 'valid' },
      ],
      may: { cancel: true, pay: false },
    });
  });

  it('without a price is confirmed immediately, with its email', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    const created = await placeOrder(app, event.id, [
      { ticketTypeId: event.type, quantity: 2, attendees: [{ name: 'Ole' }] },
    ]);
    expect(created).toMatchObject({
      status: 'paid',
      payment: null,
      expires_at: null,
      tickets: [
        { attendee: { name: 'Ole', email: null } },
        { attendee: { name: BUYER.name, email: BUYER.email } },
      ],
    });
    const mail = (await findEmails(app, BUYER.email)).at(-1);
    for (const { code } of created.tickets) expect(mail?.text).toContain(code);
  });

  it('of free and paid types is held until it is paid', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 0 }, { priceAmount: 700 }] });
    const [free = '', expensive = ''] = event.types;
    const created = await placeOrder(app, event.id, [...one(free, 2), ...one(expensive)]);
    expect(created).toMatchObject({ status: 'pending', total: { amount: 700 }, tickets: [] });
    expect(await countStock(app, event.id)).toEqual({ event: 3, types: [2, 1], tickets: 3 });
  });

  it('is the same through GraphQL and REST', async () => {
    const event = await makeEvent(app);
    const { data } = await placeOrderByGraphql(app, event.slug, one(event.type, 2));
    const rest = await placeOrder(app, event.slug, one(event.type, 2));
    expect(data.placeOrder.order).toMatchObject({
      status: 'PENDING',
      secret: expect.stringMatching(/./),
      buyer: BUYER,
      total: rest.total,
      items: [{ quantity: 2, unitPrice: { amount: 1_000 } }],
      tickets: [],
      payment: {
        status: 'PENDING',
        url: `http://foyer.test/pay/${data.placeOrder.order.secret}`,
      },
      expiresAt: rest.expires_at,
      allowedActions: { pay: true, cancel: true, confirm: false, changeAttendees: false },
    });
  });

  it('belongs to the member who places it', async () => {
    const event = await makeEvent(app);
    const { data } = await placeOrderByGraphql(app, event.id, one(event.type), { as: member });
    expect(data.placeOrder.order.memberId).toBe(ben.id);
    expect(await placeAs(event, {})).toMatchObject({ memberId: null });
  });
});

describe('an event without ticket sales', () => {
  it('returns the same NOT_FOUND for an unknown event and a draft', async () => {
    const draft = await makeEvent(app, { status: 'draft', publishedAt: null });
    const responses = await Promise.all(
      [draft.id, draft.slug, v7(), 'no-such-event'].map((event) =>
        postOrder(app, event, one(draft.type)),
      ),
    );
    for (const { status, body } of responses)
      expect([status, body]).toEqual([404, { success: false, data: 'No such event.' }]);
    expect(await expectRejected(app, draft.id, one(draft.type))).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await expectRejected(app, draft.id, one(draft.type), { as: staff })).toMatchObject({
      code: 'CONFLICT',
      reason: 'EVENT_NOT_PUBLISHED',
    });
  });

  it('returns NOT_FOUND for an event for members', async () => {
    const event = await makeEvent(app, { visibility: 'members' });
    expect(await expectRejected(app, event.id, one(event.type))).toMatchObject({
      code: 'NOT_FOUND',
    });
    for (const as of [member, staff]) expect(await placeAs(event, as)).not.toBeNull();
  });

  it('rejects orders when it is over or cancelled, and sells until it ends', async () => {
    const event = await makeEvent(app);
    await atTime(app, '2026-03-25T20:59:59.999Z', () => placeOrder(app, event.id, one(event.type)));
    expect(
      await atTime(app, '2026-03-25T21:00:00Z', () =>
        expectRejected(app, event.id, one(event.type)),
      ),
    ).toMatchObject({ code: 'CONFLICT', reason: 'EVENT_OVER' });
    const cancelled = await makeEvent(app, { status: 'cancelled' });
    expect(await expectRejected(app, cancelled.id, one(cancelled.type))).toMatchObject({
      code: 'CONFLICT',
      reason: 'EVENT_CANCELLED',
    });
  });
});

describe('a ticket type', () => {
  it('is found however its id is written', async () => {
    const event = await makeEvent(app);
    await placeOrder(app, event.id, one(event.type.toUpperCase()));
  });

  it('is rejected if it belongs to another event, is inactive or unknown', async () => {
    const event = await makeEvent(app, { types: [{}, { active: false }] });
    const other = await makeEvent(app);
    for (const type of [other.type, event.types[1] ?? '', v7()]) {
      expect(await expectRejected(app, event.id, one(type))).toMatchObject({
        code: 'VALIDATION',
        reason: 'TICKET_TYPE_UNKNOWN',
      });
    }
  });

  it('for members is sold only to members and by staff', async () => {
    const event = await makeEvent(app, { types: [{ audience: 'members' }] });
    const without = { token: await app.token('events:read') };
    for (const as of [{}, without])
      expect(await expectRejected(app, event.id, one(event.type), { as })).toMatchObject({
        reason: 'MEMBERS_ONLY',
      });
    for (const as of [member, staff, { token: await app.token('orders:write') }])
      expect(await placeAs(event, as)).not.toBeNull();
  });

  it('is sold from the start to the end of its sales window', async () => {
    const event = await makeEvent(app, {
      types: [
        {
          salesStartAt: new Date('2026-03-19T08:00:00Z'),
          salesEndAt: new Date('2026-03-20T08:00:00Z'),
        },
      ],
    });
    const rejectedAt = (time: string) =>
      atTime(app, time, () => expectRejected(app, event.id, one(event.type)));
    expect(await rejectedAt('2026-03-19T07:59:59.999Z')).toEqual({
      code: 'VALIDATION',
      reason: 'SALE_NOT_OPEN',
      salesStartAt: '2026-03-19T08:00:00.000Z',
    });
    for (const time of ['2026-03-19T08:00:00Z', '2026-03-20T07:59:59.999Z'])
      await atTime(app, time, () => placeOrder(app, event.id, one(event.type)));
    for (const time of ['2026-03-20T08:00:00Z', '2026-03-20T08:00:01Z'])
      expect(await rejectedAt(time)).toMatchObject({ reason: 'SALE_CLOSED' });
  });

  it('is limited for each order, across all items', async () => {
    const event = await makeEvent(app, { types: [{ maxPerOrder: 3 }] });
    expect(
      await expectRejected(app, event.id, [...one(event.type, 2), ...one(event.type, 2)]),
    ).toMatchObject({
      code: 'VALIDATION',
      reason: 'TOO_MANY',
      perOrder: 3,
    });
    const created = await placeOrder(app, event.id, [...one(event.type, 2), ...one(event.type)]);
    expect(created.items).toMatchObject([{ quantity: 3 }]);
  });

  it('rejects more attendees than tickets', async () => {
    const event = await makeEvent(app);
    const attendees = [{ name: 'Ole' }, { name: 'Ida' }];
    expect(
      await expectRejected(app, event.id, [{ ticketTypeId: event.type, quantity: 1, attendees }]),
    ).toMatchObject({ reason: 'TOO_MANY_ATTENDEES' });
  });
});

describe('a sold-out order', () => {
  it('returns how many are left and reserves nothing', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 3 }, { quantity: null }] });
    const [few = '', many = ''] = event.types;
    await buyTickets(app, event.id, one(few, 2));
    expect(await expectRejected(app, event.id, [...one(few, 2), ...one(many, 5)])).toEqual({
      code: 'CONFLICT',
      reason: 'SOLD_OUT',
      left: [
        { ticketTypeId: few, name: 'Type 0', left: 1 },
        { ticketTypeId: many, name: 'Type 1', left: null },
      ],
    });
    expect(await countStock(app, event.id)).toEqual({ event: 2, types: [2, 0], tickets: 2 });
  });

  it('is rejected by the capacity of the event too', async () => {
    const event = await makeEvent(app, { capacity: 3, types: [{ priceAmount: 0 }, {}] });
    const [free = '', expensive = ''] = event.types;
    await placeOrder(app, event.id, [...one(free), ...one(expensive)]);
    expect(await expectRejected(app, event.id, [...one(free), ...one(expensive)])).toMatchObject({
      reason: 'SOLD_OUT',
      left: [{ left: 1 }, { left: 1 }],
    });
    await placeOrder(app, event.id, one(free));
    expect(await countStock(app, event.id)).toEqual({ event: 3, types: [2, 1], tickets: 3 });
  });
});
