import { v7 } from 'uuid';
import { type Credential, STAFF, startApp, type TestApp } from '../../support/app.ts';
import {
  at,
  BUYER,
  bought,
  makeEvent,
  order,
  orderByGraphql,
  pay,
  placed,
  portal,
  refusal,
  stockOf,
} from '../../support/events.ts';
import { makeMember } from '../../support/space.ts';

let app: TestApp;
let ben: Awaited<ReturnType<typeof makeMember>>;
let member: Credential;
let staff: Credential;
beforeAll(async () => {
  app = await startApp();
  ben = await makeMember(app);
  member = await ben.signedIn();
  staff = { cookie: await app.signIn(STAFF.front_desk) };
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

async function placedBy(event: { id: string; type: string }, as: Credential) {
  const { data } = await orderByGraphql(app, event.id, one(event.type), { as });
  return data?.placeOrder ?? null;
}

describe('an order', () => {
  it('that costs something holds its tickets, is confirmed by its payment, and shows them in the portal', async () => {
    const event = await makeEvent(app);
    const made = await placed(app, event.slug, one(event.type, 2));
    expect(made).toMatchObject({
      status: 'pending',
      total: { amount: 2_000, currency: 'EUR' },
      tickets: [],
      items: [{ quantity: 2, unit_price: { amount: 1_000 } }],
      payment: { status: 'pending', url: `http://foyer.test/pay/${made.secret}` },
      expires_at: '2026-03-18T09:45:00.000Z',
    });
    expect(await stockOf(app, event.id)).toEqual({ event: 2, types: [2], tickets: 2 });
    expect(await pay(app, made, 2_000)).toBe('confirmed');
    expect(await pay(app, made, 2_000)).toBe('known');
    expect(await portal(app, made.secret)).toMatchObject({
      status: 'paid',
      payment: { status: 'paid' },
      tickets: [
        { status: 'valid', attendee: { name: BUYER.name }, event: { id: event.id } },
        { status: 'valid' },
      ],
      may: { cancel: true, pay: false },
    });
  });

  it('that is free is confirmed at once and its mail is written with it', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    const made = await placed(app, event.id, [
      { ticketTypeId: event.type, quantity: 2, attendees: [{ name: 'Ole' }] },
    ]);
    expect(made).toMatchObject({
      status: 'paid',
      payment: null,
      expires_at: null,
      tickets: [
        { attendee: { name: 'Ole', email: null } },
        { attendee: { name: BUYER.name, email: BUYER.email } },
      ],
    });
    const mail = await app.ctx.db.mail.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(mail.recipient).toBe(BUYER.email);
    for (const { code } of made.tickets) expect(mail.text).toContain(code);
  });

  it('of free and paid types together is held until it is paid', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 0 }, { priceAmount: 700 }] });
    const [free = '', dear = ''] = event.types;
    const made = await placed(app, event.id, [...one(free, 2), ...one(dear)]);
    expect(made).toMatchObject({ status: 'pending', total: { amount: 700 }, tickets: [] });
    expect(await stockOf(app, event.id)).toEqual({ event: 3, types: [2, 1], tickets: 3 });
  });

  it('says the same through both doors', async () => {
    const event = await makeEvent(app);
    const { data } = await orderByGraphql(app, event.slug, one(event.type, 2));
    const rest = await placed(app, event.slug, one(event.type, 2));
    expect(data.placeOrder).toMatchObject({
      status: 'PENDING',
      secret: expect.stringMatching(/./),
      buyer: BUYER,
      total: rest.total,
      items: [{ quantity: 2, unitPrice: { amount: 1_000 } }],
      tickets: [],
      payment: {
        status: 'PENDING',
        url: `http://foyer.test/pay/${data.placeOrder.secret}`,
      },
      expiresAt: rest.expires_at,
      allowedActions: { pay: true, cancel: true, confirm: false, changeAttendees: false },
    });
  });

  it('belongs to the member who placed it', async () => {
    const event = await makeEvent(app);
    const { data } = await orderByGraphql(app, event.id, one(event.type), { as: member });
    expect(data.placeOrder.memberId).toBe(ben.id);
    expect(await placedBy(event, {})).toMatchObject({ memberId: null });
  });
});

describe('an event that sells nothing', () => {
  it('because it is unknown or a draft is not found, in the same words', async () => {
    const draft = await makeEvent(app, { status: 'draft', publishedAt: null });
    const answers = await Promise.all(
      [draft.id, draft.slug, v7(), 'no-such-event'].map((event) =>
        order(app, event, one(draft.type)),
      ),
    );
    for (const { status, body } of answers)
      expect([status, body]).toEqual([404, { success: false, data: 'No such event.' }]);
    expect(await refusal(app, draft.id, one(draft.type))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal(app, draft.id, one(draft.type), { as: staff })).toMatchObject({
      code: 'CONFLICT',
      reason: 'EVENT_NOT_PUBLISHED',
    });
  });

  it('because it is for members is not found by others', async () => {
    const event = await makeEvent(app, { visibility: 'members' });
    expect(await refusal(app, event.id, one(event.type))).toMatchObject({ code: 'NOT_FOUND' });
    for (const as of [member, staff]) expect(await placedBy(event, as)).not.toBeNull();
  });

  it('because it is over or cancelled says so, and sells until its last moment', async () => {
    const event = await makeEvent(app);
    await at(app, '2026-03-25T20:59:59.999Z', () => placed(app, event.id, one(event.type)));
    expect(
      await at(app, '2026-03-25T21:00:00Z', () => refusal(app, event.id, one(event.type))),
    ).toMatchObject({ code: 'CONFLICT', reason: 'EVENT_OVER' });
    const cancelled = await makeEvent(app, { status: 'cancelled' });
    expect(await refusal(app, cancelled.id, one(cancelled.type))).toMatchObject({
      code: 'CONFLICT',
      reason: 'EVENT_CANCELLED',
    });
  });
});

describe('a ticket type', () => {
  it('of another event, an inactive or an unknown one is not sold here', async () => {
    const event = await makeEvent(app, { types: [{}, { active: false }] });
    const other = await makeEvent(app);
    for (const type of [other.type, event.types[1] ?? '', v7()]) {
      expect(await refusal(app, event.id, one(type))).toMatchObject({
        code: 'VALIDATION',
        reason: 'TICKET_TYPE_UNKNOWN',
      });
    }
  });

  it('for members is sold to members and by staff, and not to others', async () => {
    const event = await makeEvent(app, { types: [{ audience: 'members' }] });
    const without = { token: await app.token('events:read') };
    for (const as of [{}, without])
      expect(await refusal(app, event.id, one(event.type), { as })).toMatchObject({
        reason: 'MEMBERS_ONLY',
      });
    for (const as of [member, staff, { token: await app.token('orders:write') }])
      expect(await placedBy(event, as)).not.toBeNull();
  });

  it('is sold from the first moment of its sale to the last', async () => {
    const event = await makeEvent(app, {
      types: [
        {
          salesStartAt: new Date('2026-03-19T08:00:00Z'),
          salesEndAt: new Date('2026-03-20T08:00:00Z'),
        },
      ],
    });
    const refusedAt = (time: string) =>
      at(app, time, () => refusal(app, event.id, one(event.type)));
    expect(await refusedAt('2026-03-19T07:59:59.999Z')).toEqual({
      code: 'VALIDATION',
      reason: 'SALE_NOT_OPEN',
      salesStartAt: '2026-03-19T08:00:00.000Z',
    });
    for (const time of ['2026-03-19T08:00:00Z', '2026-03-20T07:59:59.999Z'])
      await at(app, time, () => placed(app, event.id, one(event.type)));
    for (const time of ['2026-03-20T08:00:00Z', '2026-03-20T08:00:01Z'])
      expect(await refusedAt(time)).toMatchObject({ reason: 'SALE_CLOSED' });
  });

  it('is sold so many in one order, in how many items they may come', async () => {
    const event = await makeEvent(app, { types: [{ maxPerOrder: 3 }] });
    expect(await refusal(app, event.id, [...one(event.type, 2), ...one(event.type, 2)])).toEqual({
      code: 'VALIDATION',
      reason: 'TOO_MANY',
      perOrder: 3,
    });
    const made = await placed(app, event.id, [...one(event.type, 2), ...one(event.type)]);
    expect(made.items).toMatchObject([{ quantity: 3 }]);
  });

  it('lets in no more than its tickets name', async () => {
    const event = await makeEvent(app);
    const attendees = [{ name: 'Ole' }, { name: 'Ida' }];
    expect(
      await refusal(app, event.id, [{ ticketTypeId: event.type, quantity: 1, attendees }]),
    ).toMatchObject({ reason: 'TOO_MANY_ATTENDEES' });
  });
});

describe('what is sold out', () => {
  it('says how much is left, and nothing of the order is taken', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 3 }, { quantity: null }] });
    const [few = '', many = ''] = event.types;
    await bought(app, event.id, one(few, 2));
    expect(await refusal(app, event.id, [...one(few, 2), ...one(many, 5)])).toEqual({
      code: 'CONFLICT',
      reason: 'SOLD_OUT',
      left: [
        { ticketTypeId: few, name: 'Type 0', left: 1 },
        { ticketTypeId: many, name: 'Type 1', left: null },
      ],
    });
    expect(await stockOf(app, event.id)).toEqual({ event: 2, types: [2, 0], tickets: 2 });
  });

  it('may be the event, whatever its types have', async () => {
    const event = await makeEvent(app, { capacity: 3, types: [{ priceAmount: 0 }, {}] });
    const [free = '', dear = ''] = event.types;
    await placed(app, event.id, [...one(free), ...one(dear)]);
    expect(await refusal(app, event.id, [...one(free), ...one(dear)])).toMatchObject({
      reason: 'SOLD_OUT',
      left: [{ left: 1 }, { left: 1 }],
    });
    await placed(app, event.id, one(free));
    expect(await stockOf(app, event.id)).toEqual({ event: 3, types: [2, 1], tickets: 3 });
  });
});
