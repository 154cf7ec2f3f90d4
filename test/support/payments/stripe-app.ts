import { makeOrder, postStripeEvent } from '../factories/payments.ts';
import { NOW } from '../factories/seed.ts';
import {
  createStripeEvent,
  SECRET_KEY,
  startStripe,
  type TestStripe,
  WEBHOOK_SECRET,
} from '../fakes/stripe.ts';
import { STAFF, startApp, type TestApp } from '../harness/app.ts';

/** Starts an app and a fake of Stripe for the tests of a file. No line that the app logs may contain a secret. */
export function setUpStripe() {
  const opened: { app?: TestApp; stripe?: TestStripe } = {};
  const lines: string[] = [];
  const secrets = new Set([SECRET_KEY, WEBHOOK_SECRET]);
  const getApp = (): TestApp => {
    if (opened.app === undefined) throw new Error('The app starts before the first test.');
    return opened.app;
  };
  const getStripe = (): TestStripe => {
    if (opened.stripe === undefined) throw new Error('Stripe starts before the first test.');
    return opened.stripe;
  };
  beforeAll(async () => {
    opened.stripe = await startStripe();
    opened.app = await startApp({
      config: opened.stripe.config,
      logTo: (line) => lines.push(line),
    });
  });
  afterEach(() => {
    getStripe().reset();
    getApp().clock.now = NOW;
    for (const secret of secrets) expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  });
  afterAll(async () => {
    await opened.app?.stop();
    await opened.stripe?.stop();
  });

  /** An order to be paid by Stripe. */
  async function order(more: Parameters<typeof makeOrder>[2] = {}) {
    const created = await makeOrder(getApp(), 'stripe', more);
    secrets.add(created.secret);
    return created;
  }
  const pay = (orderId: string) =>
    postStripeEvent(getApp(), createStripeEvent('checkout.session.completed', toSession(orderId)));
  const listPayments = (orderId: string) =>
    getApp().ctx.db.payment.findMany({ where: { orderId } });
  const findEvent = (id: string) =>
    getApp().ctx.db.providerEvent.findUnique({
      where: { provider_id: { provider: 'stripe', id } },
    });
  const getState = async (id: string) =>
    (await getApp().ctx.db.order.findUniqueOrThrow({ where: { id } })).status;
  return { getApp, getStripe, lines, order, pay, getState, listPayments, findEvent };
}

/** The Checkout Session of an order that was paid. */
export const toSession = (orderId: string, more: object = {}) => ({
  id: 'cs_test',
  object: 'checkout.session',
  client_reference_id: orderId,
  metadata: { order_id: orderId },
  payment_status: 'paid',
  payment_intent: `pi_${orderId}`,
  amount_total: 5_000,
  currency: 'eur',
  ...more,
});

/** The page of an order. */
export const toPortal = (secret: string) => `http://foyer.test/orders#${secret}`;

/** Functions that report disputes about the payment of an order, and read the order. */
export function createDisputeActions(getApp: () => TestApp) {
  const report = (type: string, orderId: string, status: string, more: object = {}) => {
    const dispute = {
      id: `dp_${orderId}`,
      object: 'dispute',
      payment_intent: `pi_${orderId}`,
      status,
      amount: 5_000,
      currency: 'eur',
      reason: 'fraudulent',
      ...more,
    };
    return postStripeEvent(getApp(), createStripeEvent(`charge.dispute.${type}`, dispute));
  };
  const read = async (id: string) => {
    const app = getApp();
    const { data } = await app.graphql(
      `query ($id: ID!) { orderById(id: $id) {
        status disputedAt refundedAmount { amount } tickets { status isDisputed }
        disputes { status reason amount { amount currency } } allowedActions { cancel } refunds { id amount { amount } status } } }`,
      { id },
      { cookie: await app.signIn(STAFF.front_desk) },
    );
    return data.orderById;
  };
  return { report, read };
}
