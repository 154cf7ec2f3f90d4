import { processProviderEvents } from '../../../src/features/payments/service/process-provider-event.ts';
import { makeOrder, postStripeEvent } from '../../support/factories/payments.ts';
import { createStripeEvent, startStripe, type TestStripe } from '../../support/fakes/stripe.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let stripe: TestStripe;
beforeAll(async () => {
  stripe = await startStripe();
  app = await startApp({ config: stripe.config });
});
afterAll(async () => {
  await app.stop();
  await stripe.stop();
});

const session = (orderId: string, more: object) =>
  createStripeEvent('checkout.session.completed', {
    client_reference_id: orderId,
    payment_status: 'paid',
    payment_intent: `pi_${orderId}`,
    amount_total: 5_000,
    currency: 'eur',
    ...more,
  });
const intent = (orderId: string, more: object) =>
  createStripeEvent('payment_intent.succeeded', {
    id: `pi_${orderId}`,
    metadata: { order_id: orderId },
    amount_received: 5_000,
    currency: 'eur',
    ...more,
  });
const refund = (orderId: string, more: object) => ({
  id: `re_${orderId}`,
  object: 'refund',
  payment_intent: `pi_${orderId}`,
  amount: 1_500,
  currency: 'eur',
  status: 'succeeded',
  metadata: {},
  ...more,
});

const stored = (id: string) =>
  app.ctx.db.providerEvent.findUniqueOrThrow({
    where: { provider_id: { provider: 'stripe', id } },
  });
/** Everything that a payment event can change. */
const state = async (orderId: string) => ({
  order: await app.ctx.db.order.findUniqueOrThrow({ where: { id: orderId } }),
  payments: await app.ctx.db.payment.findMany({ where: { orderId } }),
  refunds: await app.ctx.db.refund.findMany({ where: { orderId } }),
});

const AMOUNTS = [-1, -5_000, 2_000_000_001, 1e21, 0.5, '5000', true, {}, [5_000]];

describe('an absurd Stripe event', () => {
  const kinds = {
    'a paid session': (id: string, amount: unknown) => session(id, { amount_total: amount }),
    'a payment': (id: string, amount: unknown) => intent(id, { amount_received: amount }),
    'a refund': (id: string, amount: unknown) =>
      createStripeEvent('refund.created', refund(id, { amount })),
    'a refunded charge': (id: string, amount: unknown) =>
      createStripeEvent('charge.refunded', {
        payment_intent: `pi_${id}`,
        refunds: { data: [refund(id, { amount })], has_more: false },
      }),
  };
  it.each(Object.entries(kinds))(
    'is stored with its problem and changes nothing: %s',
    async (_, make) => {
      const { id } = await makeOrder(app, 'stripe');
      if (!make.toString().includes('amount_')) await postStripeEvent(app, session(id, {}));
      const before = await state(id);
      for (const amount of AMOUNTS) {
        const event = make(id, amount);
        expect((await postStripeEvent(app, event)).status).toBe(200);
        expect(await stored(event.id)).toMatchObject({
          processedAt: app.clock.now,
          lastError: expect.stringContaining('is not a valid amount'),
        });
      }
      expect(await processProviderEvents(app.ctx)).toBe(0);
      expect(await state(id)).toEqual(before);
    },
  );

  it.each([['eu'], ['euros'], [7], [null]])('is rejected for the currency %p', async (currency) => {
    const { id } = await makeOrder(app, 'stripe');
    const before = await state(id);
    const event = session(id, { currency });
    expect((await postStripeEvent(app, event)).status).toBe(200);
    expect(await stored(event.id)).toMatchObject({
      lastError: expect.stringContaining('is not a valid currency'),
    });
    expect(await state(id)).toEqual(before);
  });

  it('is stored without characters that PostgreSQL cannot store', async () => {
    const { id } = await makeOrder(app, 'stripe');
    const note = 'half \ud83d a character, a NUL \0, and a backslash \\u0000 that is none';
    const event = session(id, { metadata: { [note]: note } });
    expect((await postStripeEvent(app, event)).status).toBe(200);
    const cleaned = 'half \ufffd a character, a NUL , and a backslash \\u0000 that is none';
    expect((await stored(event.id)).payload).toMatchObject({
      data: { object: { metadata: { [cleaned]: cleaned } } },
    });
    expect((await state(id)).order.status).not.toBe('pending');
  });
});
