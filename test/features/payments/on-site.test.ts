import { v7 } from 'uuid';
import { processRefunds } from '../../../src/features/payments/service/refund-worker.ts';
import type { Credential } from '../../support/clients/api.ts';
import { findEmails } from '../../support/factories/events.ts';
import { fetchPage, makeOrder, makeRefund } from '../../support/factories/payments.ts';
import { NOW } from '../../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let desk: Credential;

beforeAll(async () => {
  app = await startApp();
  desk = { cookie: await app.signIn(STAFF.front_desk) };
});
afterAll(() => app.stop());

const markPaid = (id: string, method?: string) =>
  app.graphql(
    'mutation ($id: ID!, $method: PaymentMethod) { markOrderPaid(input: { id: $id, method: $method }) { outcome order { id status } } }',
    { id, ...(method && { method }) },
    desk,
  );
const settle = (id: string, method: string | null = null) =>
  app.graphql(
    `mutation ($id: ID!, $method: PaymentMethod) { settleRefund(input: { id: $id, method: $method }) { refund {
      id amount { amount currency } reason status lastError provider orderCode completedAt method paidBackBy } } }`,
    { id, method },
    desk,
  );

describe('payment on site', () => {
  it('is marked as received by staff once', async () => {
    const { id, secret } = await makeOrder(app, 'on_site');
    expect((await fetchPage(app, `/pay/${secret}`)).to).toBe(`http://foyer.test/orders#${secret}`);
    const marks = await Promise.all([1, 2, 3].map(() => markPaid(id)));
    for (const { data } of marks) expect(data.markOrderPaid.order.id).toBe(id);
    const outcomes = marks.map(({ data }) => data.markOrderPaid.outcome);
    expect(outcomes.sort()).toEqual(['ALREADY_RECORDED', 'ALREADY_RECORDED', 'CONFIRMED']);
    const { data } = await markPaid(id);
    expect(data.markOrderPaid.outcome).toBe('ALREADY_RECORDED');
    expect(String(data.markOrderPaid.order.status).toLowerCase()).toBe('paid');
    expect(await app.ctx.db.payment.findMany({ where: { orderId: id } })).toMatchObject([
      { provider: 'on_site', ref: `on-site:${id}`, amount: 5_000, refunded: 0, method: 'cash' },
    ]);
  });

  it.each(['cancelled', 'expired'] as const)(
    'says that the money must be returned if the order is %s without tickets',
    async (status) => {
      const { id } = await makeOrder(app, 'on_site', { status });
      const { data } = await markPaid(id);
      expect(data.markOrderPaid).toEqual({
        outcome: 'REFUND_PENDING',
        order: { id, status: status.toUpperCase() },
      });
      expect(await app.ctx.db.refund.findMany({ where: { orderId: id } })).toMatchObject([
        { amount: 5_000, status: 'pending' },
      ]);
    },
  );

  it('is rejected for orders that are paid online, free or unknown', async () => {
    const stripes = await makeOrder(app, 'stripe');
    const free = await makeOrder(app, 'on_site', { totalAmount: 0 });
    const responses = [
      await markPaid(stripes.id),
      await markPaid(free.id),
      await markPaid(v7()),
      await markPaid('x'),
    ];
    expect(responses.map(({ errors }) => errors[0]?.extensions)).toMatchObject([
      { code: 'CONFLICT', reason: 'PAID_ELSEWHERE' },
      { code: 'CONFLICT', reason: 'NOTHING_TO_PAY' },
      { code: 'NOT_FOUND', reason: 'NOT_FOUND' },
      { code: 'NOT_FOUND', reason: 'NOT_FOUND' },
    ]);
  });

  it('says how it was made and returned, and who took and returned it', async () => {
    const { id } = await makeOrder(app, 'on_site');
    expect((await markPaid(id, 'CARD_ONLINE')).codes).toEqual(['VALIDATION']);
    expect(await app.ctx.db.payment.count({ where: { orderId: id } })).toBe(0);
    await markPaid(id, 'CARD');
    await app.graphql(
      'mutation ($id: ID!) { refundOrder(input: { id: $id, amount: 500 }) { order { id } } }',
      { id },
      desk,
    );
    const refund = await app.ctx.db.refund.findFirstOrThrow({ where: { orderId: id } });
    expect((await settle(refund.id, 'OTHER')).data.settleRefund.refund).toMatchObject({
      method: 'OTHER',
      paidBackBy: 'Fred Osterkamp',
    });
    const { data } = await app.graphql(
      `query ($id: ID!) { orderById(id: $id) {
        payments { nodes { method takenBy } } refunds { method paidBackBy } } }`,
      { id },
      desk,
    );
    expect(data.orderById).toEqual({
      payments: { nodes: [{ method: 'CARD', takenBy: 'Fred Osterkamp' }] },
      refunds: [{ method: 'OTHER', paidBackBy: 'Fred Osterkamp' }],
    });
  });

  it('is by default returned as it was paid, but not by card online', async () => {
    const { refund } = await makeRefund(app, 'stripe');
    expect((await settle(refund.id)).data.settleRefund.refund.method).toBe('OTHER');
  });

  it('is refunded by staff, not by the job', async () => {
    const { refund, order } = await makeRefund(app, 'on_site');
    expect(await processRefunds(app.app.systemContext)).toBe(0);
    const settled = await settle(refund.id);
    expect(settled.data.settleRefund.refund).toEqual({
      id: refund.id,
      amount: { amount: 5_000, currency: 'EUR' },
      reason: null,
      status: 'SUCCEEDED',
      lastError: null,
      provider: 'ON_SITE',
      orderCode: order.code,
      completedAt: NOW.toISOString(),
      method: 'CASH',
      paidBackBy: 'Fred Osterkamp',
    });
    expect((await settle(refund.id)).data).toEqual(settled.data);
    expect((await settle('x')).codes).toEqual(['NOT_FOUND']);
  });
  it('says in the email that staff return the money, and not to which payment method', async () => {
    const buyerEmail = `${v7()}@example.org`;
    const { id } = await makeOrder(app, 'on_site', { buyerEmail });
    await markPaid(id);
    const refund = await app.graphql(
      'mutation ($id: ID!) { refundOrder(input: { id: $id, amount: 500 }) { order { id } } }',
      { id },
      desk,
    );
    expect(refund.errors).toEqual([]);
    const mail = (await findEmails(app, buyerEmail)).at(-1);
    expect(mail?.subject).toMatch(/^Refund for order/);
    expect(mail?.text).toContain("We're refunding €5.00 in person: our staff give it back to you");
    expect(mail?.text).not.toContain('payment method');
  });
});
