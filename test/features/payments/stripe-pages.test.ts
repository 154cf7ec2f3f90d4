import { closeEndedCheckouts } from '../../../src/features/payments/service/checkout.ts';
import { fetchPage, MINUTE } from '../../support/factories/payments.ts';
import { NOW } from '../../support/factories/seed.ts';
import type { TestStripe } from '../../support/fakes/stripe.ts';
import type { TestApp } from '../../support/harness/app.ts';
import { waitUntil } from '../../support/harness/wait-until.ts';
import { setUpStripe, toPortal } from '../../support/payments/stripe-app.ts';

const { getApp, getStripe, lines, order, getState } = setUpStripe();
let app: TestApp;
let stripe: TestStripe;
beforeAll(() => {
  app = getApp();
  stripe = getStripe();
});

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
        to: toPortal(secret),
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
