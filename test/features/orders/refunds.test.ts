import { v7 } from 'uuid';
import type { Credential } from '../../support/clients/api.ts';
import {
  atTime,
  buyTickets,
  cancelOrder,
  countStock,
  fetchOrder,
  findEmails,
  getReasons,
  makeBuyer,
  makeEvent,
  ORDER_FIELDS,
  placeOrder,
} from '../../support/factories/events.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let desk: Credential;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  desk = { token: await app.token('orders:write') };
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

const refund = (
  orderId: string,
  more: { ticketIds?: string[]; amount?: number; reason?: string } = {},
) =>
  app.graphql(
    `mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { order { ${ORDER_FIELDS} } } }`,
    { input: { id: orderId, ...more } },
    desk,
  );
const refunded = async (...args: Parameters<typeof refund>) => {
  const { data, errors } = await refund(...args);
  if (errors[0]) throw new Error(JSON.stringify(errors[0]));
  return data.refundOrder.order;
};
const resend = (id: string) =>
  app.graphql(
    `mutation ($id: ID!) { resendOrder(input: { id: $id }) { order { id secret } } }`,
    { id },
    desk,
  );

describe('a refund by staff', () => {
  it('of a whole order cancels it regardless of the policy and emails the buyer', async () => {
    const event = await makeEvent(app, { refundHours: null });
    const buyer = makeBuyer();
    const { id, secret } = await buyTickets(app, event.id, one(event.type, 2), { buyer });
    const after = await atTime(app, '2026-03-25T19:00:00Z', () =>
      refunded(id, { reason: 'No heating' }),
    );
    expect(after).toMatchObject({
      secret: null,
      status: 'CANCELLED',
      refundedAmount: { amount: 2_000 },
      refunds: [{ amount: { amount: 2_000 }, status: 'PENDING', reason: 'No heating' }],
    });
    expect(await countStock(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
    const mail = (await findEmails(app, buyer.email)).at(-1);
    expect(mail?.subject).toBe('2 tickets cancelled: Evening');
    expect(mail?.text).toMatch(/€20\.00[\s\S]*No heating/);
    const link = /orders#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(link).not.toBe(secret);
    expect(await fetchOrder(app, link)).toMatchObject({ id });
  });

  it('of some tickets returns their price', async () => {
    const event = await makeEvent(app, { types: [{}, { priceAmount: 2_500 }] });
    const [plain = '', expensive = ''] = event.types;
    const { id, tickets } = await buyTickets(app, event.id, [...one(plain), ...one(expensive)]);
    expect(await refunded(id, { ticketIds: [tickets[1].id] })).toMatchObject({
      status: 'PAID',
      refundedAmount: { amount: 2_500 },
      tickets: [{ status: 'VALID' }, { status: 'CANCELLED' }],
    });
    expect(getReasons(await refund(id, { ticketIds: [tickets[1].id] }))).toEqual([
      'TICKET_UNKNOWN',
    ]);
    expect(getReasons(await refund(id, { ticketIds: [tickets[0].id, v7()] }))).toEqual([
      'TICKET_UNKNOWN',
    ]);
    expect(await refunded(id)).toMatchObject({
      status: 'CANCELLED',
      refundedAmount: { amount: 3_500 },
    });
  });

  it('of some tickets can be smaller, and leaves the rest for later refunds', async () => {
    const event = await makeEvent(app);
    const { id, tickets } = await buyTickets(app, event.id, one(event.type, 2));
    const [first, second] = tickets;
    expect(await refunded(id, { ticketIds: [first.id], amount: 0 })).toMatchObject({
      status: 'PAID',
      refundedAmount: { amount: 0 },
      tickets: [{ status: 'CANCELLED' }, { status: 'VALID' }],
    });
    expect(await refunded(id, { ticketIds: [second.id] })).toMatchObject({
      status: 'CANCELLED',
      refundedAmount: { amount: 1_000 },
    });
  });

  it('of the whole order returns the price of its valid tickets, without what staff kept', async () => {
    const event = await makeEvent(app);
    const { id, tickets } = await buyTickets(app, event.id, one(event.type, 2));
    await refunded(id, { ticketIds: [tickets[0].id], amount: 0 });
    expect(await refunded(id)).toMatchObject({
      status: 'CANCELLED',
      refundedAmount: { amount: 1_000 },
    });
    // What staff kept can be returned later, as an amount.
    expect(getReasons(await refund(id, { amount: 1_001 }))).toEqual(['REFUND_TOO_LARGE']);
    expect(await refunded(id, { amount: 1_000 })).toMatchObject({
      refundedAmount: { amount: 2_000 },
    });
  });

  it('of an amount leaves the tickets valid and mentions no cancellation', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const { id } = await buyTickets(app, event.id, one(event.type, 2), { buyer });
    await findEmails(app, buyer.email);
    expect(await refunded(id, { amount: 300 })).toMatchObject({
      status: 'PAID',
      refundedAmount: { amount: 300 },
      tickets: [{ status: 'VALID' }, { status: 'VALID' }],
    });
    const mail = (await findEmails(app, buyer.email)).at(-1);
    expect(mail?.subject).toMatch(/^Refund for order /);
    expect(mail?.text).not.toMatch(/cancelled/);
    // Then only the rest is refunded.
    expect(await refunded(id)).toMatchObject({ refundedAmount: { amount: 2_000 } });
  });

  it('cannot exceed what was paid', async () => {
    const event = await makeEvent(app);
    const { id, tickets } = await buyTickets(app, event.id, one(event.type, 2));
    await refunded(id, { amount: 1_500 });
    for (const more of [{ amount: 501 }, { amount: 501, ticketIds: [tickets[0].id] }]) {
      const { errors } = await refund(id, more);
      expect(errors[0]?.extensions).toMatchObject({
        code: 'CONFLICT',
        reason: 'REFUND_TOO_LARGE',
        left: { amount: 500, currency: 'EUR' },
      });
    }
    expect(await refunded(id, { ticketIds: [tickets[0].id] })).toMatchObject({
      refundedAmount: { amount: 2_000 },
      tickets: [{ status: 'CANCELLED' }, { status: 'VALID' }],
    });
    for (const amount of [-1, 2_000_000_001])
      expect((await refund(id, { amount })).codes).not.toEqual([]);
  });

  it('of a pending order cancels all of it', async () => {
    const event = await makeEvent(app);
    const { id, secret } = await placeOrder(app, event.id, one(event.type, 2));
    const ticket = await app.ctx.db.ticket.findFirstOrThrow({ where: { orderId: id } });
    expect(getReasons(await refund(id, { amount: 100 }))).toEqual(['REFUND_TOO_LARGE']);
    expect(getReasons(await refund(id, { ticketIds: [ticket.id] }))).toEqual(['TICKET_UNKNOWN']);
    expect(getReasons(await refund(id, { amount: 0 }))).toEqual(['INVALID_INPUT']);
    expect(await fetchOrder(app, secret)).toMatchObject({ status: 'pending' });
    expect(await refunded(id)).toMatchObject({ status: 'CANCELLED', refunds: [] });
    expect(await countStock(app, event.id)).toEqual({ event: 0, types: [0], tickets: 0 });
    expect(getReasons(await refund(id))).toEqual(['NOT_LIVE']);
  });

  it('of a free order cancels it', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    const buyer = makeBuyer();
    const { id } = await buyTickets(app, event.id, one(event.type), { buyer });
    expect(getReasons(await refund(id, { amount: 1 }))).toEqual(['REFUND_TOO_LARGE']);
    expect(await refunded(id)).toMatchObject({ status: 'CANCELLED', refunds: [] });
    expect((await findEmails(app, buyer.email)).at(-1)?.text).toMatch(/One ticket .* is cancelled/);
  });

  it('of a cancelled order returns the rest, and its discount only once', async () => {
    const event = await makeEvent(app);
    const { id: codeId } = await app.ctx.db.discountCode.create({
      data: { code: 'HALF', percent: 50 },
    });
    const more = { discount_code: 'HALF' };
    const { id, tickets } = await buyTickets(app, event.id, one(event.type), more);
    await buyTickets(app, event.id, one(event.type), more);
    await refunded(id, { ticketIds: [tickets[0].id], amount: 0 });
    const before = await app.ctx.db.order.findUniqueOrThrow({ where: { id } });
    await atTime(app, '2026-03-19T09:00:00Z', () => refunded(id, { amount: 500 }));
    expect(await app.ctx.db.order.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'cancelled',
      cancelledAt: before.cancelledAt,
    });
    const { uses } = await app.ctx.db.discountCode.findUniqueOrThrow({ where: { id: codeId } });
    expect(uses).toBe(1);
    expect(getReasons(await refund(id))).toEqual(['NOT_LIVE']);
  });

  it('needs orders:write and an existing order', async () => {
    const event = await makeEvent(app);
    const { id } = await buyTickets(app, event.id, one(event.type));
    const reader = { token: await app.token('orders:read') };
    const query = (field: string) => `mutation { ${field} { __typename } }`;
    for (const field of [
      `refundOrder(input: { id: "${id}" })`,
      `resendOrder(input: { id: "${id}" })`,
    ]) {
      const { errors } = await app.graphql(query(field), {}, reader);
      expect(errors[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', scope: 'orders:write' });
      expect((await app.graphql(query(field))).codes).toEqual(['UNAUTHENTICATED']);
    }
    expect((await refund(v7())).codes).toEqual(['NOT_FOUND']);
    expect(getReasons(await refund('x'))).toEqual(['INVALID_INPUT']);
    expect((await resend('x')).codes).toEqual(['NOT_FOUND']);
  });
});

describe('the confirmation email', () => {
  it('is sent again with a new link, and the old link stays valid', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const { id, secret } = await buyTickets(app, event.id, one(event.type), { buyer });
    expect((await resend(id)).data.resendOrder.order).toEqual({ id, secret: null });
    const again = await app.graphql(
      'mutation ($secret: String!) { resendConfirmation(input: { secret: $secret }) { order { id secret } } }',
      { secret },
    );
    expect(again.data.resendConfirmation.order).toEqual({ id, secret });
    const mails = await findEmails(app, buyer.email);
    expect(mails.map(({ subject }) => subject)).toEqual(Array(3).fill('Your tickets: Evening'));
    const links = mails.map(({ text }) => /orders#(\S+)/.exec(text)?.[1] ?? '');
    expect(new Set([secret, ...links]).size).toBe(4);
    for (const link of links) expect(await fetchOrder(app, link)).toMatchObject({ id });
    const limits = await app.database.pool.query('SELECT * FROM rate_limits');
    expect(JSON.stringify(limits.rows)).not.toContain(secret);
  });

  it('is not sent for an order that is not paid or no longer valid', async () => {
    const event = await makeEvent(app);
    const { id, secret } = await placeOrder(app, event.id, one(event.type));
    const { errors } = await resend(id);
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/not confirmed yet/), extensions: { reason: 'NOT_LIVE' } },
    ]);
    await cancelOrder(app, secret);
    expect(getReasons(await resend(id))).toEqual(['NOT_LIVE']);
  });
});
