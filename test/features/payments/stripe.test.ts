import { updateEvent } from '../../../src/features/event-management/service/edit-event.ts';
import { refundOrder } from '../../../src/features/orders/service/cancel-order.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { closeEndedCheckouts } from '../../../src/features/payments/service/checkout.ts';
import { processRefunds } from '../../../src/features/payments/service/refund-worker.ts';
import { updateSettings } from '../../../src/features/settings/service.ts';
import type { Credential } from '../../support/clients/api.ts';
import { findEmails } from '../../support/factories/events.ts';
import { fetchPage, MINUTE, makeOrder, postStripeEvent } from '../../support/factories/payments.ts';
import { NOW } from '../../support/factories/seed.ts';
import {
  createStripeEvent,
  SECRET_KEY,
  startStripe,
  type TestStripe,
  WEBHOOK_SECRET,
} from '../../support/fakes/stripe.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { waitUntil } from '../../support/harness/wait-until.ts';

let app: TestApp;
let stripe: TestStripe;
const lines: string[] = [];
const secrets = new Set([SECRET_KEY, WEBHOOK_SECRET]);

beforeAll(async () => {
  stripe = await startStripe();
  app = await startApp({ config: stripe.config, logTo: (line) => lines.push(line) });
});
afterEach(() => {
  stripe.reset();
  app.clock.now = NOW;
  for (const secret of secrets) expect(lines.filter((line) => line.includes(secret))).toEqual([]);
});
afterAll(async () => {
  await app.stop();
  await stripe.stop();
});

async function order(more: Parameters<typeof makeOrder>[2] = {}) {
  const created = await makeOrder(app, 'stripe', more);
  secrets.add(created.secret);
  return created;
}

const paid = (orderId: string, more: object = {}) => ({
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
const payments = (orderId: string) => app.ctx.db.payment.findMany({ where: { orderId } });
const getState = async (id: string) =>
  (await app.ctx.db.order.findUniqueOrThrow({ where: { id } })).status;
const stored = (id: string) =>
  app.ctx.db.providerEvent.findUnique({ where: { provider_id: { provider: 'stripe', id } } });
const portal = (secret: string) => `http://foyer.test/orders#${secret}`;

describe('the payment link', () => {
  it('redirects to the same Stripe session each time', async () => {
    const { id, code, secret } = await order();
    const first = await fetchPage(app, `/pay/${secret}`);
    expect(first.status).toBe(303);
    expect(first.to).toMatch(/^https:\/\/checkout\.stripe\.test\/cs_test_/);
    expect((await fetchPage(app, `/pay/${secret}`)).to).toBe(first.to);
    expect((await fetchPage(app, `/pay/${secret}`, 'HEAD')).to).toBe(first.to);
    expect(stripe.requests).toEqual([
      {
        method: 'POST',
        path: '/v1/checkout/sessions',
        key: expect.stringContaining(id),
        params: {
          mode: 'payment',
          'line_items[0][quantity]': '1',
          'line_items[0][price_data][currency]': 'eur',
          'line_items[0][price_data][unit_amount]': '5000',
          'line_items[0][price_data][product_data][name]': '2 tickets for Jazz & Soup',
          'line_items[0][price_data][product_data][description]': `Order ${code}`,
          customer_email: 'zoe@example.org',
          client_reference_id: id,
          'metadata[order_id]': id,
          'payment_intent_data[metadata][order_id]': id,
          success_url: `http://foyer.test/orders?paid=${id}`,
          cancel_url: `http://foyer.test/orders?unpaid=${id}`,
          expires_at: expect.any(String),
        },
      },
    ]);
    expect(JSON.stringify(stripe.requests)).not.toContain('foyero_');
    const minutes =
      (Number(stripe.requests[0]?.params.expires_at) * 1_000 - NOW.getTime()) / MINUTE;
    expect(minutes).toBeGreaterThan(30);
    expect(minutes).toBeLessThanOrEqual(40);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('gives concurrent visits the same session', async () => {
    const { secret } = await order();
    const release = stripe.hold();
    const pages = [1, 2, 3].map(() => fetchPage(app, `/pay/${secret}`));
    await waitUntil(() => stripe.requests.length === pages.length);
    release();
    const visits = await Promise.all(pages);
    expect(new Set(visits.map(({ to }) => to)).size).toBe(1);
    expect(visits[0]?.to).toContain('checkout.stripe.test');
    expect(stripe.calls()).not.toContainEqual(expect.stringContaining('expire'));
  });

  it('closes the second of two concurrent sessions', async () => {
    const created = await order();
    const release = stripe.hold();
    const late = fetchPage(app, `/pay/${created.secret}`);
    await waitUntil(() => stripe.requests.length === 1);
    await app.ctx.db.order.update({
      where: { id: created.id },
      data: { checkoutRef: 'cs_first', checkoutUrl: 'https://checkout.stripe.test/cs_first' },
    });
    release();
    expect((await late).to).toBe('https://checkout.stripe.test/cs_first');
    expect(stripe.calls()).toContainEqual(expect.stringMatching(/cs_test_\d+\/expire$/));
  });

  it("keeps a session open for a long hold, within Stripe's limit of a day", async () => {
    const until = async (minutes: number) => {
      const { secret } = await order({ expiresAt: new Date(NOW.getTime() + minutes * MINUTE) });
      stripe.reset();
      await fetchPage(app, `/pay/${secret}`);
      return (Number(stripe.requests[0]?.params.expires_at) * 1_000 - NOW.getTime()) / MINUTE;
    };
    expect(await until(120)).toBe(120);
    const day = await until(3 * 24 * 60);
    expect(day).toBeLessThan(24 * 60);
    expect(day).toBeGreaterThan(23 * 60);
  });

  it('creates a new session for a long hold after the first ends', async () => {
    const { secret } = await order({ expiresAt: new Date(NOW.getTime() + 48 * 60 * MINUTE) });
    const { to } = await fetchPage(app, `/pay/${secret}`);
    app.clock.now = new Date(NOW.getTime() + 24 * 60 * MINUTE);
    const next = await fetchPage(app, `/pay/${secret}`);
    expect(next.to).toMatch(/^https:\/\/checkout\.stripe\.test\/cs_test_/);
    expect(next.to).not.toBe(to);
  });

  it('redirects to the order page if there is nothing to pay', async () => {
    const paid = await order({ status: 'paid', paidAt: NOW });
    const over = await order({ expiresAt: NOW });
    const cancelled = await order({ status: 'cancelled', cancelledAt: NOW });
    const free = await order({ totalAmount: 0 });
    for (const { secret } of [paid, over, cancelled, free]) {
      expect(await fetchPage(app, `/pay/${secret}`)).toMatchObject({
        status: 303,
        to: portal(secret),
      });
    }
    expect(stripe.requests).toEqual([]);
  });

  it('returns 404 for an unknown secret', async () => {
    const { secret } = await order();
    const typo = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
    for (const path of [`/pay/${typo}`, '/pay/x', '/pay/%66oo', `/pay/${secret}/sandbox`]) {
      const { status, text, headers } = await fetchPage(app, path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain('<h1>Page not found</h1>');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect((await fetchPage(app, `/pay/${secret}`, 'POST')).status).toBe(404);
    expect((await fetchPage(app, `/pay/${secret}/sandbox/pay`, 'POST')).status).toBe(404);
    expect(await getState((await order()).id)).toBe('pending');
  });

  it('shows an error page while the provider is down, and recovers', async () => {
    const { secret } = await order();
    stripe.state.failures = 2; // the library retries once by itself
    const { status, text, headers } = await fetchPage(app, `/pay/${secret}`);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(headers.get('content-type')).toContain('text/html');
    expect(text).toContain('Payment is unavailable right now');
    expect(text).not.toMatch(/stripe|sk_|500|Error/i);
    expect(lines.join()).toContain('Stripe: We are down, ***.');
    expect((await fetchPage(app, `/pay/${secret}`)).status).toBe(303);
  });
});

describe('the Stripe webhook', () => {
  it('confirms the order once for repeated and different events of its payment', async () => {
    const { id } = await order();
    const event = createStripeEvent('checkout.session.completed', paid(id));
    const response = await postStripeEvent(app, event);
    expect(response).toMatchObject({
      status: 200,
      body: { success: true, data: { received: true } },
    });
    expect(await getState(id)).toBe('paid');
    const reports = [
      event,
      createStripeEvent('checkout.session.async_payment_succeeded', paid(id)),
      createStripeEvent('payment_intent.succeeded', {
        id: `pi_${id}`,
        metadata: { order_id: id },
        amount_received: 5_000,
        currency: 'eur',
      }),
    ];
    const responses = await Promise.all(reports.map((it) => postStripeEvent(app, it)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await payments(id)).toMatchObject([
      { provider: 'stripe', ref: `pi_${id}`, amount: 5_000, currency: 'EUR', refunded: 0 },
    ]);
    expect(await stored(event.id)).toMatchObject({
      processedAt: NOW,
      lastError: null,
      attempts: 0,
    });
  });

  it('holds an order for two weeks while a payment takes days, and ends it if that fails', async () => {
    const DAY = 24 * 60 * MINUTE;
    const report = async (type: string, id: string) => {
      const session = paid(id, { payment_status: type.endsWith('succeeded') ? 'paid' : 'unpaid' });
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
    expect((await fetchPage(app, `/pay/${slow.secret}`)).to).toBe(portal(slow.secret));

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
    const unpaid = paid(id, { payment_status: 'unpaid' });
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
    const event = createStripeEvent('checkout.session.completed', paid(id));
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
    expect(await stored(event.id)).toBeNull();
    expect(await getState(id)).toBe('pending');
  });

  it('accepts and stores events that it does not need', async () => {
    const odd = createStripeEvent('customer.created', { id: 'cus_1' });
    const foreign = createStripeEvent('checkout.session.completed', {
      ...paid(''),
      client_reference_id: null,
      metadata: {},
    });
    for (const event of [odd, foreign]) {
      expect((await postStripeEvent(app, event)).status).toBe(200);
      expect(await stored(event.id)).toMatchObject({ processedAt: NOW, lastError: null });
    }
    expect((await stored(odd.id))?.payload).toEqual(odd);
  });

  it('stores no secrets of events', async () => {
    const { id, secret } = await order();
    const event = createStripeEvent(
      'checkout.session.completed',
      paid(id, { success_url: portal(secret) }),
    );
    await postStripeEvent(app, event);
    expect((await stored(event.id))?.payload).toMatchObject({
      data: { object: { client_reference_id: id, success_url: portal('foyero_***') } },
    });
  });

  it('records payments for unknown orders or with wrong amounts', async () => {
    lines.length = 0;
    for (const unknown of ['0199c2f4-7d1e-7a3b-9c55-2f6d8e1b4a70', 'cart no. 7']) {
      const event = createStripeEvent('checkout.session.completed', paid(unknown));
      expect((await postStripeEvent(app, event)).status).toBe(200);
      expect(await stored(event.id)).toMatchObject({
        processedAt: NOW,
        lastError: `There is no order ${unknown}.`,
      });
    }
    const { id, code } = await order();
    const little = createStripeEvent('checkout.session.completed', paid(id, { amount_total: 100 }));
    expect((await postStripeEvent(app, little)).status).toBe(200);
    expect((await stored(little.id))?.lastError).toBe(
      `100 EUR arrived for order ${code}, which costs 5000 EUR.`,
    );
    expect(await payments(id)).toMatchObject([{ amount: 100, refunded: 100 }]);
    expect(await getState(id)).toBe('pending');
    expect(lines.filter((line) => line.includes('"level":40'))).toHaveLength(3);
  });
});

/** Refunds of an order of 5000, what is lost in a dispute, and how the attempt of the first refund ends later. */
interface Settled {
  refunds: { amount: number; status?: 'failed'; ref?: string; attempts?: number }[];
  lost: number;
  later?: ('succeeded' | 'failed' | 'rejected')[];
  problem?: string;
}

describe('a dispute', () => {
  const dispute = (orderId: string, status: string, more: object = {}) => ({
    ...{ id: `dp_${orderId}`, object: 'dispute', payment_intent: `pi_${orderId}`, status },
    ...{ amount: 5_000, currency: 'eur', reason: 'fraudulent', ...more },
  });
  const report = (type: string, orderId: string, status: string, more: object = {}) =>
    postStripeEvent(
      app,
      createStripeEvent(`charge.dispute.${type}`, dispute(orderId, status, more)),
    );
  const pay = (orderId: string) =>
    postStripeEvent(app, createStripeEvent('checkout.session.completed', paid(orderId)));
  const read = async (id: string) => {
    const { data } = await app.graphql(
      `query ($id: ID!) { orderById(id: $id) {
        status disputedAt refundedAmount { amount } tickets { status isDisputed }
        disputes { status reason amount { amount currency } } allowedActions { cancel } refunds { amount { amount } status } } }`,
      { id },
      { cookie: await app.signIn(STAFF.front_desk) },
    );
    return data.orderById;
  };

  it('ends in the same way whatever is repeated, late or out of order', async () => {
    const permute = <Item>(items: Item[]): Item[][] =>
      items.length < 2
        ? [items]
        : items.flatMap((item, index) =>
            permute(items.toSpliced(index, 1)).map((others) => [item, ...others]),
          );
    // A buyer can appeal after a dispute was won. Its events can arrive in the opposite order.
    const OUTCOMES = [['won'], ['lost'], ['warning_closed'], ['won', 'lost'], ['lost', 'won']];
    for (const [index, steps] of permute(['pay', 'created', 'closed']).entries()) {
      const outcomes = OUTCOMES[index % OUTCOMES.length] as string[];
      const isLost = outcomes.includes('lost');
      const { id } = await order();
      for (const step of [...steps, 'updated', ...steps])
        if (step === 'pay') await pay(id);
        else
          for (const status of step === 'closed' ? outcomes : ['needs_response'])
            await report(step, id, status);
      const expected = {
        status: isLost ? 'CANCELLED' : 'PAID',
        disputedAt: null,
        refundedAmount: { amount: isLost ? 5_000 : 0 },
        disputes: [
          { status: isLost ? 'LOST' : 'WON', reason: 'fraudulent', amount: { amount: 5_000 } },
        ],
      };
      expect([steps, await read(id)]).toMatchObject([steps, expected]);
      const types = (await app.ctx.db.change.findMany({ where: { subjectId: id } })).map(
        ({ type }) => type,
      );
      for (const type of ['order.disputed', 'order.dispute_won', 'order.dispute_lost'])
        expect(types.filter((one) => one === type).length).toBeLessThan(2);
    }
  });

  it('marks the order and its tickets, which staff can list and admit', async () => {
    const created = await order();
    await pay(created.id);
    await report('created', created.id, 'needs_response');
    const marked = {
      disputedAt: NOW.toISOString(),
      tickets: [{ isDisputed: true }, { isDisputed: true }],
      allowedActions: { cancel: false },
    };
    expect(await read(created.id)).toMatchObject(marked);
    const staff = { cookie: await app.signIn(STAFF.front_desk) };
    const list = `query ($disputed: Boolean) { orders(filter: { disputed: $disputed }) { nodes { id } } }`;
    const ids = async (disputed: boolean) =>
      (await app.graphql(list, { disputed }, staff)).data.orders.nodes.map(
        ({ id }: { id: string }) => id,
      );
    expect(await ids(true)).toEqual([created.id]);
    expect(await ids(false)).not.toContain(created.id);

    const { locationId } = await app.ctx.db.event.update({
      where: { id: created.eventId ?? '' },
      data: { startsAt: new Date(NOW.getTime() + MINUTE) },
    });
    const [ticket] = await app.ctx.db.ticket.findMany({ where: { orderId: created.id } });
    const scan = async (input: object, as: Credential = staff) => {
      const { data, errors } = await app.graphql(
        'mutation ($input: CheckInInput!) { checkIn(input: $input) { checkIn { result disputed } } }',
        { input: { locationId, code: ticket?.code, ...input } },
        as,
      );
      return errors?.[0]?.extensions.code ?? data.checkIn.checkIn;
    };
    expect(await scan({}, {})).toEqual({ result: 'UNPAID', disputed: false });
    expect(await scan({ admitDisputed: true }, {})).toBe('FORBIDDEN');
    expect(await scan({ scanId: 'a' })).toEqual({ result: 'UNPAID', disputed: true });
    const set = (disputedAdmission: 'ask' | 'admit' | 'reject') =>
      updateSettings(app.app.systemContext, { disputedAdmission });
    await set('reject');
    expect(await scan({ admitDisputed: true })).toEqual({ result: 'UNPAID', disputed: true });
    await set('ask');
    expect(await scan({ admitDisputed: true })).toEqual({ result: 'ADMITTED', disputed: true });
    expect(await scan({ scanId: 'a' })).toEqual({ result: 'UNPAID', disputed: true });
    await set('admit');
    expect(await scan({})).toEqual({ result: 'ALREADY_IN', disputed: true });
    await set('ask');
  });

  it('counts the last amount, and shows one in another currency without counting it', async () => {
    const [changed, foreign] = [await order(), await order()];
    for (const { id } of [changed, foreign]) {
      await pay(id);
      await report('created', id, 'needs_response');
    }
    await report('updated', changed.id, 'needs_response', { amount: 1_000, reason: 'general' });
    expect(await read(changed.id)).toMatchObject({
      disputes: [{ status: 'OPEN', amount: { amount: 1_000 }, reason: 'general' }],
    });
    await report('closed', changed.id, 'lost', { amount: 2_000 });
    await report('updated', foreign.id, 'needs_response', { currency: 'usd', amount: 5_000 });
    const usd = (amount: number) => ({ amount: { amount, currency: 'USD' } });
    expect(await read(foreign.id)).toMatchObject({ disputes: [{ status: 'OPEN', ...usd(5_000) }] });
    await report('closed', foreign.id, 'lost', { currency: 'usd', amount: 5_400 });
    expect(await read(changed.id)).toMatchObject({
      ...{ refundedAmount: { amount: 2_000 }, disputes: [{ amount: { amount: 2_000 } }] },
    });
    expect(await read(foreign.id)).toMatchObject({
      ...{ status: 'PAID', disputedAt: null, refundedAmount: { amount: 0 } },
      disputes: [{ status: 'LOST', ...usd(5_400) }],
    });
    const dispute = await app.ctx.db.dispute.findFirst({ where: { orderId: foreign.id } });
    expect(dispute).toMatchObject({ uncoveredAmount: 0 });
    // Staff are asked to check it when it is reported and when it ends.
    expect(
      await app.ctx.db.providerEvent.count({ where: { lastError: { contains: foreign.id } } }),
    ).toBe(2);
  });

  it.each([
    ['block', 'WON', 0],
    ['resolution', 'LOST', 5_000],
    ['inquiry', 'OPEN', 0],
  ])('that was prevented by %s is %s', async (case_type, status, amount) => {
    const { id } = await order();
    await pay(id);
    await report('closed', id, 'prevented', {
      payment_method_details: { type: 'card', card: { case_type } },
    });
    expect(await read(id)).toMatchObject({ disputes: [{ status }], refundedAmount: { amount } });
  });

  it.each([
    ['at once', null],
    ['later', 're_failed'],
  ])('returns money once, also after a refund that failed %s', async (_, ref) => {
    const created = await order();
    await pay(created.id);
    const cancel = () =>
      app.graphql(
        'mutation ($secret: String!) { cancelOrder(input: { secret: $secret }) { order { status } } }',
        { secret: created.secret },
      );
    await app.ctx.db.event.update({
      where: { id: created.eventId ?? '' },
      data: { refundHours: 1 },
    });
    await report('created', created.id, 'needs_response');
    expect((await cancel()).errors[0]?.extensions.reason).toBe('DISPUTED');
    // Staff refund it nevertheless. The provider refuses that, and the bank returns the money.
    await refundOrder(app.app.systemContext, { orderId: created.id });
    await app.ctx.db.refund.updateMany({
      where: { orderId: created.id },
      data: { status: 'failed', lastError: 'The charge is disputed.', ref },
    });
    await report('closed', created.id, 'lost');
    const failure = {
      ...{ id: 're_failed', object: 'refund', payment_intent: `pi_${created.id}` },
      ...{ amount: 5_000, currency: 'eur', metadata: {}, status: 'failed' },
    };
    await postStripeEvent(app, createStripeEvent('refund.failed', failure));
    expect(await read(created.id)).toMatchObject({
      status: 'CANCELLED',
      refundedAmount: { amount: 5_000 },
      refunds: [{ amount: { amount: 5_000 }, status: 'SUCCEEDED' }],
    });
  });

  it.each<[string, Settled, string[]]>([
    [
      'a failed refund before its own',
      { refunds: [{ amount: 2_000, status: 'failed' }], lost: 2_000 },
      ['2000 SUCCEEDED'],
    ],
    [
      'one that was not begun before its own',
      { refunds: [{ amount: 2_000 }], lost: 3_000 },
      ['2000 SUCCEEDED', '1000 SUCCEEDED'],
    ],
    [
      'a part of one that is larger',
      { refunds: [{ amount: 5_000, status: 'failed' }], lost: 2_000 },
      ['2000 SUCCEEDED', '3000 FAILED'],
    ],
    [
      'one under way that fails later',
      { refunds: [{ amount: 5_000, ref: 're_late' }], lost: 5_000, later: ['failed', 'failed'] },
      ['5000 SUCCEEDED'],
    ],
    [
      'one whose next attempt the provider refuses',
      { refunds: [{ amount: 5_000, attempts: 1 }], lost: 5_000, later: ['rejected'] },
      ['5000 SUCCEEDED'],
    ],
    [
      'what one under way did not need, once it has succeeded',
      { refunds: [{ amount: 2_000, ref: 're_late' }], lost: 3_000, later: ['succeeded'] },
      ['2000 SUCCEEDED', '1000 SUCCEEDED', '2000 SUCCEEDED'],
    ],
    [
      'nothing of one under way that succeeds, which staff should check',
      {
        ...{ refunds: [{ amount: 5_000, attempts: 1 }], lost: 5_000, later: ['succeeded'] },
        problem: 'returned 5000 of dispute',
      },
      ['5000 SUCCEEDED'],
    ],
    [
      'one that the provider had made nevertheless, which staff should check',
      {
        refunds: [{ amount: 5_000, status: 'failed' }],
        ...{
          lost: 5_000,
          later: ['succeeded', 'succeeded', 'failed'],
          problem: 'refund re_late of',
        },
      },
      ['5000 SUCCEEDED'],
    ],
  ])('that is lost covers %s', async (_, { refunds, lost, later = [], problem }, expected) => {
    const { id } = await order();
    await pay(id);
    for (const { amount, ...more } of refunds) {
      await refundOrder(app.app.systemContext, { orderId: id, amount });
      const data = more.status === 'failed' ? { ...more, lastError: 'Refused.' } : more;
      await app.ctx.db.refund.updateMany({ where: { orderId: id }, data });
    }
    const { id: refundId, amount } = await app.ctx.db.refund.findFirstOrThrow({
      where: { orderId: id },
    });
    await report('closed', id, 'lost', { amount: lost });
    const events = [];
    for (const status of later)
      if (status === 'rejected') {
        stripe.state.rejection = { message: 'The charge is disputed.' };
        await processRefunds(app.app.systemContext);
      } else {
        const refund = { id: 're_late', object: 'refund', payment_intent: `pi_${id}`, status };
        const more = { amount, currency: 'eur', metadata: { refund_id: refundId } };
        events.push(createStripeEvent('refund.updated', { ...refund, ...more }));
        await postStripeEvent(app, events.at(-1) ?? {});
      }
    const rows: { amount: { amount: number }; status: string }[] = (await read(id)).refunds;
    expect(rows.map((row) => `${row.amount.amount} ${row.status}`)).toEqual(expected);
    const counted = rows.reduce((sum, row) => sum + row.amount.amount, 0);
    expect(await payments(id)).toMatchObject([{ refunded: counted }]);
    const problems = await Promise.all(
      events.map(async (event) => (await stored(event.id))?.lastError),
    );
    expect(problems.filter(Boolean)).toEqual(
      problem === undefined ? [] : [expect.stringContaining(problem)],
    );
  });

  it('of a part of the money leaves the tickets valid, and foreign ones are ignored', async () => {
    const { id } = await order();
    await pay(id);
    await report('closed', id, 'lost', { amount: 2_000 });
    expect(await read(id)).toMatchObject({
      status: 'PAID',
      refundedAmount: { amount: 2_000 },
      tickets: [{ status: 'VALID' }, { status: 'VALID' }],
    });
    const { status } = await report('created', id, 'needs_response', {
      ...{ id: 'dp_foreign', payment_intent: null },
    });
    expect(status).toBe(200);
    expect(await app.ctx.db.dispute.count({ where: { orderId: id } })).toBe(1);
  });
});

describe('the Stripe session of an ended order', () => {
  it('is closed once', async () => {
    const { id, secret } = await order();
    await fetchPage(app, `/pay/${secret}`);
    const { checkoutRef } = await app.ctx.db.order.findUniqueOrThrow({ where: { id } });
    expect(await closeEndedCheckouts(app.app.systemContext)).toBe(0);
    await app.ctx.db.order.update({ where: { id }, data: { status: 'expired' } });
    stripe.reset();
    const counts = await Promise.all([
      closeEndedCheckouts(app.app.systemContext),
      closeEndedCheckouts(app.app.systemContext),
    ]);
    expect(counts.sort()).toEqual([0, 1]);
    expect(stripe.calls()).toEqual([`POST /v1/checkout/sessions/${checkoutRef}/expire`]);
  });

  it('is ignored if closing fails', async () => {
    const { id, secret } = await order();
    await fetchPage(app, `/pay/${secret}`);
    await app.ctx.db.order.update({ where: { id }, data: { status: 'expired' } });
    stripe.state.failures = 2;
    expect(await closeEndedCheckouts(app.app.systemContext)).toBe(0);
    expect(lines.join()).toContain('could not close a checkout page');
    expect(await closeEndedCheckouts(app.app.systemContext)).toBe(0);
  });
});
