import { v7 } from 'uuid';
import {
  atTime,
  buyTickets,
  cancelOrder,
  cancelOrderByGraphql,
  countStock,
  fetchOrder,
  findEmails,
  getReasons,
  makeBuyer,
  makeEvent,
  placeOrder,
  postJson,
} from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

/** Expects the same rejection from GraphQL and REST. */
async function getCancelError(secret: string, ticketIds?: string[]) {
  const response = await cancelOrderByGraphql(app, secret, ticketIds);
  const { status, body } = await cancelOrder(app, secret, ticketIds);
  expect([status, body.data]).toEqual([
    response.codes[0] === 'NOT_FOUND' ? 404 : 422,
    response.errors[0]?.message,
  ]);
  return getReasons(response)[0];
}

/** Reads the state of the order afterwards. */
async function checkIn(eventId: string, code: string): Promise<string> {
  const { locationId } = await app.ctx.db.event.findUniqueOrThrow({ where: { id: eventId } });
  const { body } = await postJson(app, '/public/check-ins', { location_id: locationId, code });
  return (body.data as { check_in: { result: string } }).check_in.result;
}

describe('a buyer who cancels an order', () => {
  it('releases an unpaid hold', async () => {
    const event = await makeEvent(app);
    const { secret } = await placeOrder(app, event.id, one(event.type, 2));
    const { data } = await cancelOrderByGraphql(app, secret);
    expect(data.cancelOrder.order).toMatchObject({ secret, status: 'CANCELLED', tickets: [] });
    expect(await countStock(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
    expect(await getCancelError(secret)).toBe('NOT_LIVE');
  });

  it.each(['member { name email }', 'member { team { name } }', 'discountCode { code }'])(
    'gets the response with null, or cancels nothing, if a signed-in member selects %s',
    async (selection) => {
      const event = await makeEvent(app);
      const { secret } = await placeOrder(app, event.id, one(event.type));
      const other = await (await makeMember(app)).signedIn();
      await app.ctx.db.order.updateMany({ data: { memberId: (await makeMember(app)).id } });
      const { data, codes } = await app.graphql(
        `mutation ($secret: String!) { cancelOrder(input: { secret: $secret }) { order { status ${selection} } } }`,
        { secret },
        other,
      );
      const status = (await fetchOrder(app, secret)).status;
      if (codes.length > 0) expect([codes, data, status]).toEqual([['FORBIDDEN'], null, 'pending']);
      else expect(data.cancelOrder.order).toEqual({ status: 'CANCELLED', member: null });
    },
  );

  it('cannot select tickets of a hold, which has none yet', async () => {
    const event = await makeEvent(app);
    const { id, secret } = await placeOrder(app, event.id, one(event.type, 2));
    const ticket = await app.ctx.db.ticket.findFirstOrThrow({ where: { orderId: id } });
    expect(await getCancelError(secret, [ticket.id])).toBe('TICKET_UNKNOWN');
    expect(await fetchOrder(app, secret)).toMatchObject({ status: 'pending' });
  });

  it('can cancel a free order until the event begins', async () => {
    const event = await makeEvent(app, { refundHours: null, types: [{ priceAmount: 0 }] });
    const [first, second] = [
      await buyTickets(app, event.id, one(event.type)),
      await buyTickets(app, event.id, one(event.type)),
    ];
    expect(first.may).toMatchObject({ cancel: true, refund_until: null });
    await atTime(app, '2026-03-25T17:59:59.999Z', () => cancelOrder(app, first.secret));
    expect(await fetchOrder(app, first.secret)).toMatchObject({
      status: 'cancelled',
      tickets: [{ status: 'cancelled' }],
    });
    await atTime(app, '2026-03-25T18:00:00Z', async () => {
      expect((await fetchOrder(app, second.secret)).may.cancel).toBe(false);
      expect(await getCancelError(second.secret)).toBe('STARTED');
    });
  });

  it('gets a refund until the refund deadline of the event, and none after it', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const [first, second] = [
      await buyTickets(app, event.id, one(event.type, 2), { buyer }),
      await buyTickets(app, event.id, one(event.type), { buyer }),
    ];
    expect(first.may).toMatchObject({ cancel: true, refund_until: '2026-03-24T18:00:00.000Z' });
    await atTime(app, '2026-03-24T17:59:59.999Z', () => cancelOrder(app, first.secret));
    expect(await fetchOrder(app, first.secret)).toMatchObject({
      status: 'cancelled',
      payment: { status: 'refunded' },
      refunded_amount: { amount: 2_000 },
    });
    expect((await findEmails(app, buyer.email)).at(-1)).toMatchObject({
      subject: '2 tickets cancelled: Evening',
      text: expect.stringMatching(/2 tickets in your order[\s\S]*€20\.00/),
    });
    for (const time of ['2026-03-24T18:00:00Z', '2026-03-25T17:59:59Z']) {
      await atTime(app, time, async () => {
        expect((await fetchOrder(app, second.secret)).may.cancel).toBe(false);
        expect(await getCancelError(second.secret)).toBe('REFUND_CLOSED');
      });
    }
    await atTime(app, '2026-03-25T18:00:00Z', async () =>
      expect(await getCancelError(second.secret)).toBe('STARTED'),
    );
    expect(await countStock(app, event.id)).toEqual({ event: 1, types: [1], tickets: 1 });
  });

  it('gets no refund for an event without refunds', async () => {
    const event = await makeEvent(app, { refundHours: null });
    const { secret, may } = await buyTickets(app, event.id, one(event.type));
    expect(may).toMatchObject({ cancel: false, refund_until: null });
    expect(await getCancelError(secret)).toBe('REFUND_CLOSED');
  });

  it('gets the price of the cancelled tickets, and the others stay valid', async () => {
    const event = await makeEvent(app, { types: [{}, { priceAmount: 1_499 }] });
    const [plain = '', expensive = ''] = event.types;
    await app.ctx.db.discountCode.create({ data: { code: 'PART', percent: 15 } });
    const created = await buyTickets(app, event.id, [...one(plain, 2), ...one(expensive)], {
      discount_code: 'PART',
    });
    const [first, second, third] = created.tickets;
    // A repeated id counts once.
    await cancelOrder(app, created.secret, [third.id, third.id]);
    expect(await fetchOrder(app, created.secret)).toMatchObject({
      status: 'paid',
      refunded_amount: { amount: 1_274 },
      payment: { status: 'partially_refunded' },
      tickets: [{ status: 'valid' }, { status: 'valid' }, { status: 'cancelled' }],
    });
    expect(await countStock(app, event.id)).toEqual({ event: 2, types: [2, 0], tickets: 2 });
    expect(await getCancelError(created.secret, [first.id, third.id])).toBe('TICKET_UNKNOWN');
    const { data } = await cancelOrderByGraphql(app, created.secret, [first.id, second.id]);
    expect(data.cancelOrder.order).toMatchObject({
      status: 'CANCELLED',
      refundedAmount: { amount: 2_974 },
      refunds: [{ amount: { amount: 1_274 } }, { amount: { amount: 1_700 } }],
    });
    expect(await getCancelError(created.secret)).toBe('NOT_LIVE');
  });

  it('keeps used tickets and cancels the others', async () => {
    const event = await makeEvent(app, { refundHours: 0 });
    const created = await buyTickets(app, event.id, one(event.type, 3));
    const [first, second] = created.tickets;
    await atTime(app, '2026-03-25T17:30:00Z', async () => {
      await checkIn(event.id, first.code);
      expect((await fetchOrder(app, created.secret)).may.cancel).toBe(true);
      expect(await getCancelError(created.secret, [first.id])).toBe('ALREADY_USED');
      expect((await cancelOrder(app, created.secret)).status).toBe(200);
    });
    expect(await fetchOrder(app, created.secret)).toMatchObject({
      status: 'paid',
      refunded_amount: { amount: 2_000 },
      tickets: [{ status: 'valid' }, { status: 'cancelled' }, { status: 'cancelled' }],
    });
    expect(second.status).toBe('valid');
    await atTime(app, '2026-03-25T17:31:00Z', async () => {
      expect((await fetchOrder(app, created.secret)).may.cancel).toBe(false);
      expect(await getCancelError(created.secret)).toBe('ALREADY_USED');
    });
    // Staff can.
    const { errors } = await app.graphql(
      'mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { order { id } } }',
      { input: { id: created.id } },
      { token: await app.token('orders:read', 'orders:write') },
    );
    expect(errors).toEqual([]);
    expect(await fetchOrder(app, created.secret)).toMatchObject({ status: 'cancelled' });
  });

  it('never cancels a ticket that is checked in at the same moment', async () => {
    const event = await makeEvent(app, { refundHours: 0 });
    for (let round = 0; round < 8; round += 1) {
      const created = await buyTickets(app, event.id, one(event.type));
      await atTime(app, '2026-03-25T17:30:00Z', async () => {
        const [missing, checkedIn] = await Promise.all([
          cancelOrder(app, created.secret),
          checkIn(event.id, created.tickets[0].code),
        ]);
        expect([missing.status === 200, checkedIn].toSorted()).toEqual(
          missing.status === 200 ? ['cancelled', true] : ['admitted', false],
        );
      });
    }
  });

  it('cannot select tickets of another order or invalid ids', async () => {
    const event = await makeEvent(app);
    const [own, other] = [
      await buyTickets(app, event.id, one(event.type)),
      await buyTickets(app, event.id, one(event.type)),
    ];
    for (const id of [other.tickets[0].id, v7()])
      expect(await getCancelError(own.secret, [id])).toBe('TICKET_UNKNOWN');
    for (const ids of [['x'], []]) {
      expect((await cancelOrder(app, own.secret, ids)).status).toBe(422);
      expect(getReasons(await cancelOrderByGraphql(app, own.secret, ids))).toEqual([
        'INVALID_INPUT',
      ]);
    }
    expect(await countStock(app, event.id)).toEqual({ event: 2, types: [2], tickets: 2 });
  });

  it('gets the same NOT_FOUND for every invalid secret', async () => {
    const event = await makeEvent(app);
    const { id, code, secret } = await buyTickets(app, event.id, one(event.type));
    const changed = `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`;
    for (const wrong of [changed, id, code, 'x', '%00', `${secret} `]) {
      const { status, body } = await cancelOrder(app, encodeURIComponent(wrong));
      expect([status, body.data]).toEqual([404, 'No such order.']);
      const { errors } = await cancelOrderByGraphql(app, wrong);
      expect(errors).toMatchObject([
        { message: 'No such order.', extensions: { code: 'NOT_FOUND', reason: 'NOT_FOUND' } },
      ]);
      expect((await app.rest(`/public/orders/${encodeURIComponent(wrong)}`)).body.data).toBe(
        'No such order.',
      );
    }
  });

  it('is refunded once by concurrent cancellations', async () => {
    const event = await makeEvent(app);
    const { secret } = await buyTickets(app, event.id, one(event.type, 2));
    const responses = await Promise.all([1, 2, 3, 4].map(() => cancelOrder(app, secret)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    expect(await fetchOrder(app, secret)).toMatchObject({ refunded_amount: { amount: 2_000 } });
    expect(await countStock(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
  });
});
