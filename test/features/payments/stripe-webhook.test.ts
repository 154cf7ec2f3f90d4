import { updateEvent } from '../../../src/features/event-management/service/edit-event.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { findEmails } from '../../support/factories/events.ts';
import { fetchPage, MINUTE, postStripeEvent } from '../../support/factories/payments.ts';
import { NOW } from '../../support/factories/seed.ts';
import { createStripeEvent } from '../../support/fakes/stripe.ts';
import type { TestApp } from '../../support/harness/app.ts';
import { setUpStripe, toPortal, toSession } from '../../support/payments/stripe-app.ts';

const { getApp, lines, order, getState, listPayments, findEvent } = setUpStripe();
let app: TestApp;
beforeAll(() => {
  app = getApp();
});

describe('the Stripe webhook', () => {
  it('confirms the order once for repeated and different events of its payment', async () => {
    const { id } = await order();
    const event = createStripeEvent('checkout.session.completed', toSession(id));
    const response = await postStripeEvent(app, event);
    expect(response).toMatchObject({
      status: 200,
      body: { success: true, data: { received: true } },
    });
    expect(await getState(id)).toBe('paid');
    const reports = [
      event,
      createStripeEvent('checkout.session.async_payment_succeeded', toSession(id)),
      createStripeEvent('payment_intent.succeeded', {
        id: `pi_${id}`,
        metadata: { order_id: id },
        amount_received: 5_000,
        currency: 'eur',
      }),
    ];
    const responses = await Promise.all(reports.map((it) => postStripeEvent(app, it)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await listPayments(id)).toMatchObject([
      { provider: 'stripe', ref: `pi_${id}`, amount: 5_000, currency: 'EUR', refunded: 0 },
    ]);
    expect(await findEvent(event.id)).toMatchObject({
      processedAt: NOW,
      lastError: null,
      attempts: 0,
    });
  });

  it('holds an order for two weeks while a payment takes days, and ends it if that fails', async () => {
    const DAY = 24 * 60 * MINUTE;
    const report = async (type: string, id: string) => {
      const session = toSession(id, {
        payment_status: type.endsWith('succeeded') ? 'paid' : 'unpaid',
      });
      expect((await postStripeEvent(app, createStripeEvent(type, session))).status).toBe(200);
    };
    const [slow, failed] = [await order(), await order()];
    for (const { id } of [slow, failed]) await report('checkout.session.completed', id);
    const { expiresAt } = await app.ctx.db.order.findUniqueOrThrow({ where: { id: slow.id } });
    expect(expiresAt).toEqual(new Date(NOW.getTime() + 14 * DAY));
    app.clock.now = new Date(NOW.getTime() + 13 * DAY);
    expect(await expireOrders(app.app.systemContext, { eventId: slow.eventId ?? '' })).toBe(0);
    // A second page would let the buyer pay twice.
    const { data } = await app.graphql(
      'query ($secret: String!) { order(secret: $secret) { status paymentInProgress allowedActions { pay cancel } } }',
      { secret: slow.secret },
    );
    expect(data.order).toEqual({
      ...{ status: 'PENDING', paymentInProgress: true },
      allowedActions: { pay: false, cancel: true },
    });
    expect((await fetchPage(app, `/pay/${slow.secret}`)).to).toBe(toPortal(slow.secret));

    await report('checkout.session.async_payment_failed', failed.id);
    await report('checkout.session.async_payment_succeeded', slow.id);
    await report('checkout.session.async_payment_failed', slow.id); // an older attempt, reported late
    expect([await getState(slow.id), await getState(failed.id)]).toEqual(['paid', 'expired']);
    const event = await app.ctx.db.event.findFirstOrThrow({ where: { id: failed.eventId ?? '' } });
    expect(event.reservedCount).toBe(0);
    const emails = (await findEmails(app, 'zoe@example.org')).filter(({ text }) =>
      text.includes(`${failed.code} was not paid in time`),
    );
    expect(emails).toHaveLength(1);
  });

  it('holds an order no longer than until its event starts', async () => {
    const { id, eventId } = await order();
    const startsAt = new Date(NOW.getTime() + 120 * MINUTE);
    await app.ctx.db.event.update({ where: { id: eventId ?? '' }, data: { startsAt } });
    const unpaid = toSession(id, { payment_status: 'unpaid' });
    await postStripeEvent(app, createStripeEvent('checkout.session.completed', unpaid));
    const { expiresAt } = await app.ctx.db.order.findUniqueOrThrow({ where: { id } });
    expect(expiresAt).toEqual(startsAt);
    const earlier = new Date(NOW.getTime() + 60 * MINUTE);
    await updateEvent(app.ctx, eventId ?? '', { startsAt: earlier });
    const moved = await app.ctx.db.order.findUniqueOrThrow({ where: { id } });
    expect(moved.expiresAt).toEqual(earlier);
  });

  it('rejects missing, old and invalid signatures', async () => {
    const { id } = await order();
    const event = createStripeEvent('checkout.session.completed', toSession(id));
    const changed = JSON.stringify(event).replace('5000', '1');
    const long = { ...event, padding: 'x'.repeat(200_000) };
    for (const [name, sent, transferred] of [
      ['another secret', event, { secret: 'whsec_forged' }],
      ['no signature', event, { signature: '' }],
      ['nonsense', event, { signature: 't=now,v1=x' }],
      ['too old', event, { at: new Date(NOW.getTime() - 6 * MINUTE) }],
      ['another body', event, { body: changed }],
      ['an empty body', event, { body: '' }],
      ['no event', { id: 7 }, {}],
      ['no JSON object', 'paid', {}],
      ['too long', long, {}],
    ] as [string, object, object][]) {
      const { status, body } = await postStripeEvent(app, sent, transferred);
      expect([name, status, body.success]).toEqual([name, 400, false]);
    }
    expect(await findEvent(event.id)).toBeNull();
    expect(await getState(id)).toBe('pending');
  });

  it('accepts and stores events that it does not need', async () => {
    const odd = createStripeEvent('customer.created', { id: 'cus_1' });
    const foreign = createStripeEvent('checkout.session.completed', {
      ...toSession(''),
      client_reference_id: null,
      metadata: {},
    });
    for (const event of [odd, foreign]) {
      expect((await postStripeEvent(app, event)).status).toBe(200);
      expect(await findEvent(event.id)).toMatchObject({ processedAt: NOW, lastError: null });
    }
    expect((await findEvent(odd.id))?.payload).toEqual(odd);
  });

  it('stores no secrets of events', async () => {
    const { id, secret } = await order();
    const event = createStripeEvent(
      'checkout.session.completed',
      toSession(id, { success_url: toPortal(secret) }),
    );
    await postStripeEvent(app, event);
    expect((await findEvent(event.id))?.payload).toMatchObject({
      data: { object: { client_reference_id: id, success_url: toPortal('foyero_***') } },
    });
  });

  it('records payments for unknown orders or with wrong amounts', async () => {
    lines.length = 0;
    for (const unknown of ['0199c2f4-7d1e-7a3b-9c55-2f6d8e1b4a70', 'cart no. 7']) {
      const event = createStripeEvent('checkout.session.completed', toSession(unknown));
      expect((await postStripeEvent(app, event)).status).toBe(200);
      expect(await findEvent(event.id)).toMatchObject({
        processedAt: NOW,
        lastError: `There is no order ${unknown}.`,
      });
    }
    const { id, code } = await order();
    const little = createStripeEvent(
      'checkout.session.completed',
      toSession(id, { amount_total: 100 }),
    );
    expect((await postStripeEvent(app, little)).status).toBe(200);
    expect((await findEvent(little.id))?.lastError).toBe(
      `100 EUR arrived for order ${code}, which costs 5000 EUR.`,
    );
    expect(await listPayments(id)).toMatchObject([{ amount: 100, refunded: 100 }]);
    expect(await getState(id)).toBe('pending');
    expect(lines.filter((line) => line.includes('"level":40'))).toHaveLength(3);
  });
});
