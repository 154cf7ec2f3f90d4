import { getMaxAttempts, RETRY_SCHEDULES } from '../../../src/core/retry-schedule.ts';
import { processRefunds } from '../../../src/features/payments/service/refund-worker.ts';
import type { Credential } from '../../support/clients/api.ts';
import { findEmails } from '../../support/factories/events.ts';
import { MINUTE, makeRefund, postStripeEvent } from '../../support/factories/payments.ts';
import { NOW } from '../../support/factories/seed.ts';
import { createStripeEvent, startStripe, type TestStripe } from '../../support/fakes/stripe.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { waitUntil } from '../../support/harness/wait-until.ts';

const MAX_REFUND_ATTEMPTS = getMaxAttempts(RETRY_SCHEDULES.refunds);
const [FIRST_DELAY_MS = 0, SECOND_DELAY_MS = 0] = RETRY_SCHEDULES.refunds.delaysMs;

let app: TestApp;
let stripe: TestStripe;
let staff: Credential;

beforeAll(async () => {
  stripe = await startStripe();
  app = await startApp({ config: stripe.config });
  staff = { cookie: await app.signIn(STAFF.front_desk) };
});
afterEach(async () => {
  app.clock.now = NOW;
  stripe.reset();
  await app.ctx.db.refund.updateMany({
    where: { status: 'pending' },
    data: { status: 'succeeded', completedAt: NOW, method: 'card_online' },
  });
});
afterAll(async () => {
  await app.stop();
  await stripe.stop();
});

const pay = () => processRefunds(app.app.systemContext);
const row = (id: string) => app.ctx.db.refund.findUniqueOrThrow({ where: { id } });
const minutesLater = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * MINUTE);
};
const keys = () => stripe.requests.filter(({ method }) => method === 'POST').map(({ key }) => key);
const getRefunded = async (id: string) =>
  (await app.ctx.db.payment.findUniqueOrThrow({ where: { id } })).refunded;

const FIELDS =
  'id amount { amount currency } reason status lastError provider orderCode completedAt';
const settle = (id: string, as = staff) =>
  app.graphql(
    `mutation ($id: ID!) { settleRefund(input: { id: $id }) { refund { ${FIELDS} } } }`,
    { id },
    as,
  );
const retry = (id: string, as = staff) =>
  app.graphql(
    `mutation ($id: ID!) { retryRefund(input: { id: $id }) { refund { ${FIELDS} } } }`,
    { id },
    as,
  );
/** A refund as Stripe reports it. */
const result = (type: string, paymentRef: string, more: object) =>
  postStripeEvent(
    app,
    createStripeEvent(type, {
      object: 'refund',
      payment_intent: paymentRef,
      amount: 5_000,
      currency: 'eur',
      metadata: {},
      failure_reason: null,
      ...more,
    }),
  );

describe('a refund through Stripe', () => {
  it('is made once with its own idempotency key under concurrency', async () => {
    const { refund, payment, order } = await makeRefund(app, 'stripe', 2_000);
    const release = stripe.hold();
    const first = pay();
    await waitUntil(() => stripe.requests.length === 1);
    expect(await Promise.all([pay(), pay()])).toEqual([0, 0]);
    release();
    expect(await first).toBe(1);
    expect(keys()).toEqual([refund.id]);
    expect(stripe.requests.at(-1)?.params).toEqual({
      payment_intent: payment.ref,
      amount: '2000',
      'metadata[refund_id]': refund.id,
      'metadata[order_id]': order.id,
    });
    expect(await row(refund.id)).toMatchObject({
      status: 'succeeded',
      completedAt: NOW,
      ref: expect.stringMatching(/^re_/),
      lastError: null,
    });
    expect(await pay()).toBe(0);
  });

  it('is retried after a failure with the same key', async () => {
    const { refund } = await makeRefund(app, 'stripe');
    Object.assign(stripe.state, { failures: 4, failingMethod: 'POST' }); // the library retries once by itself
    expect(await pay()).toBe(0);
    expect(await row(refund.id)).toMatchObject({
      status: 'pending',
      attempts: 1,
      lastError: 'Stripe: We are down, ***. (500, req_test)',
    });
    expect(await pay()).toBe(0); // not due yet
    expect(keys()).toHaveLength(2);
    minutesLater(FIRST_DELAY_MS / MINUTE);
    expect(await pay()).toBe(0);
    minutesLater(SECOND_DELAY_MS / MINUTE);
    expect(await pay()).toBe(1);
    expect(keys()).toEqual(Array(5).fill(refund.id));
    expect(await row(refund.id)).toMatchObject({
      status: 'succeeded',
      attempts: 3,
      lastError: null,
    });
  });

  it('is not repeated after a lost response, even after Stripe forgets the key', async () => {
    const { refund, payment } = await makeRefund(app, 'stripe');
    stripe.refunds.push({
      id: 're_unheard',
      object: 'refund',
      payment_intent: payment.ref,
      amount: 5_000,
      currency: 'eur',
      status: 'succeeded',
      metadata: { refund_id: refund.id },
    });
    expect(await pay()).toBe(1);
    expect(keys()).toEqual([]);
    expect(await row(refund.id)).toMatchObject({ status: 'succeeded', ref: 're_unheard' });
  });

  it('fails after a few days and is retried by staff', async () => {
    const { refund } = await makeRefund(app, 'stripe');
    for (let attempt = 1; attempt <= MAX_REFUND_ATTEMPTS; attempt += 1) {
      expect((await row(refund.id)).status).toBe('pending');
      stripe.state.failures = 2;
      await pay();
      minutesLater(24 * 60);
    }
    stripe.reset();
    expect(await row(refund.id)).toMatchObject({ status: 'failed', attempts: MAX_REFUND_ATTEMPTS });
    expect(await pay()).toBe(0);
    expect((await retry(refund.id)).data.retryRefund.refund).toMatchObject({ status: 'PENDING' });
    expect(await pay()).toBe(1);
    expect((await retry(refund.id)).errors[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'REFUND_NOT_FAILED',
    });
  });

  it('fails immediately if Stripe rejects it, and can be settled by staff', async () => {
    const { refund } = await makeRefund(app, 'stripe');
    stripe.state.rejection = {
      type: 'invalid_request_error',
      code: 'charge_already_refunded',
      message: 'Charge has already been refunded.',
    };
    await pay();
    const lastError = 'Charge has already been refunded.';
    expect(await row(refund.id)).toMatchObject({ status: 'failed', attempts: 1, lastError });
    const settled = await settle(refund.id);
    expect(settled.data.settleRefund.refund).toMatchObject({
      status: 'SUCCEEDED',
      completedAt: NOW.toISOString(),
    });
    minutesLater(5);
    expect((await settle(refund.id)).data).toEqual(settled.data);
  });

  it('cannot be settled while Stripe processes it', async () => {
    const { refund } = await makeRefund(app, 'stripe');
    expect((await settle(refund.id)).errors[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'REFUND_UNDER_WAY',
    });
    expect((await row(refund.id)).status).toBe('pending');
  });

  it('stays pending until Stripe reports success', async () => {
    const { refund, payment } = await makeRefund(app, 'stripe');
    stripe.state.refundStatus = 'pending';
    expect(await pay()).toBe(0);
    const { ref } = await row(refund.id);
    expect(await row(refund.id)).toMatchObject({ status: 'pending', lastError: null });
    minutesLater(60);
    expect(await pay()).toBe(0);
    expect(keys()).toEqual([refund.id]);
    const metadata = { refund_id: refund.id };
    await result('refund.updated', payment.ref, { id: ref, status: 'succeeded', metadata });
    expect(await row(refund.id)).toMatchObject({
      status: 'succeeded',
      completedAt: app.clock.now,
      ref,
    });
    await result('refund.created', payment.ref, { id: ref, status: 'pending', metadata });
    expect((await row(refund.id)).status).toBe('succeeded');
    expect(await getRefunded(payment.id)).toBe(5_000);
  });

  it("is checked daily in case Stripe's event is lost", async () => {
    const { refund } = await makeRefund(app, 'stripe');
    stripe.state.refundStatus = 'pending';
    await pay();
    const [created] = stripe.refunds;
    if (created) created.status = 'succeeded';
    minutesLater(24 * 60);
    expect(await pay()).toBe(1);
    expect(keys()).toEqual([refund.id]);
    expect((await row(refund.id)).status).toBe('succeeded');
  });

  it('that fails later is retried with a new key', async () => {
    const { refund, payment } = await makeRefund(app, 'stripe');
    await pay();
    const { ref } = await row(refund.id);
    const failure = { id: ref, status: 'failed', failure_reason: 'lost_or_stolen_card' };
    await result('refund.failed', payment.ref, failure);
    expect(await row(refund.id)).toMatchObject({
      status: 'failed',
      completedAt: null,
      lastError: 'Stripe could not refund the payment: lost_or_stolen_card',
    });
    for (const created of stripe.refunds) if (created.id === ref) created.status = 'failed';
    await retry(refund.id);
    await result('charge.refund.updated', payment.ref, failure); // late, about the first attempt
    expect(await pay()).toBe(1);
    expect(keys()).toEqual([refund.id, `${refund.id}-1`]);
    await result('refund.updated', payment.ref, { ...failure, metadata: { refund_id: refund.id } });
    const now = await row(refund.id);
    expect(now).toMatchObject({ status: 'succeeded', lastError: null });
    expect(now.ref).not.toBe(ref);
    expect(await getRefunded(payment.id)).toBe(5_000);
  });

  it('stays settled when Stripe reports its failure later', async () => {
    const { refund, payment } = await makeRefund(app, 'stripe');
    await pay();
    const { ref } = await row(refund.id);
    const failure = { id: ref, status: 'failed', failure_reason: 'unknown' };
    await result('refund.failed', payment.ref, failure);
    await settle(refund.id);
    await result('charge.refund.updated', payment.ref, failure);
    expect((await row(refund.id)).status).toBe('succeeded');
  });
});

describe('a refund made in the Stripe dashboard', () => {
  const foreign = (paymentRef: string, more: object = {}) =>
    result('refund.created', paymentRef, { id: 're_foreign', status: 'succeeded', ...more });

  it('is recorded once for repeated events', async () => {
    const { payment, order } = await makeRefund(app, 'stripe', 1_000);
    const more = { amount: 1_500 };
    await foreign(payment.ref, more);
    await result('refund.updated', payment.ref, { id: 're_foreign', status: 'succeeded', ...more });
    const charge = { object: 'charge', payment_intent: payment.ref, amount_refunded: 1_500 };
    stripe.refunds.push({
      id: 're_foreign',
      object: 'refund',
      payment_intent: payment.ref,
      amount: 1_500,
      currency: 'eur',
      status: 'succeeded',
      metadata: {},
    });
    const response = await postStripeEvent(app, createStripeEvent('charge.refunded', charge));
    expect(response.status).toBe(200);
    expect(await getRefunded(payment.id)).toBe(2_500);
    const rows = await app.ctx.db.refund.findMany({
      where: { orderId: order.id, ref: { not: null } },
    });
    expect(rows).toMatchObject([
      { ref: 're_foreign', amount: 1_500, status: 'succeeded', completedAt: NOW, attempts: 0 },
    ]);
  });

  it('is fetched if only the charge is reported', async () => {
    const { payment, refund } = await makeRefund(app, 'stripe', 1_000);
    stripe.refunds.push({
      id: 're_asked',
      object: 'refund',
      payment_intent: payment.ref,
      amount: 500,
      currency: 'eur',
      status: 'succeeded',
      metadata: {},
    });
    const event = createStripeEvent('charge.refunded', {
      object: 'charge',
      payment_intent: payment.ref,
    });
    stripe.state.failures = 2;
    expect((await postStripeEvent(app, event)).status).toBe(500);
    expect((await postStripeEvent(app, event)).status).toBe(200);
    expect(await getRefunded(payment.id)).toBe(1_500);
    expect((await row(refund.id)).ref).toBeNull();
  });

  it('never exceeds the payment', async () => {
    const { payment } = await makeRefund(app, 'stripe', 4_000);
    await foreign(payment.ref, { id: 're_much', amount: 5_000 });
    expect(await getRefunded(payment.id)).toBe(5_000);
  });

  it('is a problem if it returns money that was returned in another way', async () => {
    const { payment, refund } = await makeRefund(app, 'stripe', 4_000);
    const made = { object: 'refund', payment_intent: payment.ref, currency: 'eur', metadata: {} };
    const report = async (id: string, amount: number) => {
      const event = createStripeEvent('refund.created', {
        ...made,
        ...{ id: `${id}_${payment.id}`, amount, status: 'succeeded' },
      });
      await postStripeEvent(app, event);
      const where = { provider_id: { provider: 'stripe' as const, id: event.id } };
      return (await app.ctx.db.providerEvent.findUniqueOrThrow({ where })).lastError;
    };
    // It can be the money of the refund that Foyer has not begun.
    expect(await report('re_same', 5_000)).toBeNull();
    await app.ctx.db.refund.update({ where: { id: refund.id }, data: { status: 'failed' } });
    await settle(refund.id);
    expect(await report('re_more', 500)).toMatch(/returns 500 more than is left of the payment/);
    expect(await getRefunded(payment.id)).toBe(5_000);
  });

  it('ends the order and tells the buyer, once all of the money was returned', async () => {
    const { payment, order } = await makeRefund(app, 'stripe', 1_000);
    await app.ctx.db.ticket.updateMany({ where: { orderId: order.id }, data: { status: 'valid' } });
    const read = async () => {
      const { status, tickets } = await app.ctx.db.order.findUniqueOrThrow({
        where: { id: order.id },
        include: { tickets: true },
      });
      return [status, ...tickets.map((ticket) => ticket.status)];
    };
    const part = { id: `re_part_${order.id}`, amount: 1_000 };
    await foreign(payment.ref, part);
    expect(await read()).toEqual(['paid', 'valid', 'valid']);
    await foreign(payment.ref, { id: `re_rest_${order.id}`, amount: 3_000 });
    await foreign(payment.ref, { id: `re_rest_${order.id}`, amount: 3_000 });
    expect(await read()).toEqual(['cancelled', 'cancelled', 'cancelled']);
    const event = await app.ctx.db.event.findUniqueOrThrow({ where: { id: order.eventId ?? '' } });
    expect(event.reservedCount).toBe(0);
    const [email, ...others] = (await findEmails(app, 'zoe@example.org')).filter(({ text }) =>
      text.includes(order.code),
    );
    expect([email?.text, others]).toEqual([expect.stringContaining('€30.00'), []]);
  });

  it('is ignored if it failed', async () => {
    const { payment } = await makeRefund(app, 'stripe', 1_000);
    await foreign(payment.ref, { id: 're_none', status: 'failed' });
    expect(await getRefunded(payment.id)).toBe(1_000);
  });
});

it('ignores refunds of payments on site', async () => {
  const { refund } = await makeRefund(app, 'on_site');
  expect(await pay()).toBe(0);
  expect(await row(refund.id)).toMatchObject({ status: 'pending', attempts: 0 });
  expect((await settle(refund.id)).data.settleRefund.refund.status).toBe('SUCCEEDED');
});

it('lists refunds newest first, by status', async () => {
  const created: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    minutesLater(1);
    created.unshift((await makeRefund(app, 'stripe')).refund.id);
  }
  const page = async (filter: object, after: string | null = null) => {
    const { data } = await app.graphql(
      `query ($filter: RefundFilter, $after: String) { refunds(filter: $filter, first: 2, after: $after) {
        edges { node { id status } } pageInfo { endCursor } } }`,
      { filter, after },
      staff,
    );
    return {
      ids: data.refunds.edges.map(({ node }: { node: { id: string } }) => node.id),
      end: data.refunds.pageInfo.endCursor,
    };
  };
  const first = await page({ status: 'PENDING' });
  expect(first.ids).toEqual(created.slice(0, 2));
  expect((await page({ status: 'PENDING' }, first.end)).ids).toEqual(created.slice(2));
  const failed = await page({ status: 'FAILED' });
  expect(failed.ids.some((id: string) => created.includes(id))).toBe(false);
});
