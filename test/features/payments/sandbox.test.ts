import { readConfig } from '../../../src/config.ts';
import { fetchPage, MINUTE, makeOrder } from '../../support/factories/payments.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { PAYMENTS: 'sandbox' } });
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const getStatus = async (id: string) =>
  (await app.ctx.db.order.findUniqueOrThrow({ where: { id } })).status;
const portal = (secret: string) => `http://foyer.test/orders#${secret}`;

describe('the sandbox page', () => {
  it('shows the amount without scripts, only with the secret', async () => {
    const { id, code, secret } = await makeOrder(app, 'sandbox');
    const entry = await fetchPage(app, `/pay/${secret}`);
    expect(entry).toMatchObject({ status: 303, to: `http://foyer.test/pay/${secret}/sandbox` });
    const { status, text, headers } = await fetchPage(app, `/pay/${secret}/sandbox`);
    expect(status).toBe(200);
    for (const expected of [
      code,
      '2 tickets for Jazz &amp; Soup',
      '€50.00',
      'No real money is charged',
    ])
      expect(text).toContain(expected);
    expect(text).not.toMatch(/<script|https?:\/\//);
    expect(text).not.toContain(secret);
    expect(text.match(/<button/g)).toHaveLength(2);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/foyer\.test;/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const row = await app.ctx.db.order.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ status: 'pending', checkoutUrl: null });
  });

  it('pays once for repeated clicks', async () => {
    const { id, secret } = await makeOrder(app, 'sandbox');
    const presses = await Promise.all(
      [1, 2, 3].map(() => fetchPage(app, `/pay/${secret}/sandbox/pay`, 'POST')),
    );
    for (const press of presses) expect(press).toMatchObject({ status: 303, to: portal(secret) });
    expect(await getStatus(id)).toBe('paid');
    expect(await app.ctx.db.payment.findMany({ where: { orderId: id } })).toMatchObject([
      { provider: 'sandbox', ref: `sandbox:${id}`, amount: 5_000, currency: 'EUR' },
    ]);
    expect(
      await app.ctx.db.providerEvent.findUniqueOrThrow({
        where: { provider_id: { provider: 'sandbox', id: `paid:${id}` } },
      }),
    ).toMatchObject({ processedAt: NOW, lastError: null });
    for (const path of [`/pay/${secret}`, `/pay/${secret}/sandbox`]) {
      expect(await fetchPage(app, path)).toMatchObject({ status: 303, to: portal(secret) });
    }
  });

  it('can simulate a failed payment and try again', async () => {
    const { id, secret } = await makeOrder(app, 'sandbox');
    const failed = await fetchPage(app, `/pay/${secret}/sandbox/fail`, 'POST');
    expect(failed).toMatchObject({
      status: 303,
      to: `http://foyer.test/pay/${secret}/sandbox?failed`,
    });
    const { text } = await fetchPage(app, `/pay/${secret}/sandbox?failed`);
    expect(text).toContain('The payment failed');
    expect(await getStatus(id)).toBe('pending');
    await fetchPage(app, `/pay/${secret}/sandbox/pay`, 'POST');
    expect(await getStatus(id)).toBe('paid');
  });

  it('redirects after the hold expires, and treats a late click as a late payment', async () => {
    const { id, secret } = await makeOrder(app, 'sandbox');
    app.clock.now = new Date(NOW.getTime() + 16 * MINUTE);
    expect(await fetchPage(app, `/pay/${secret}/sandbox`)).toMatchObject({ to: portal(secret) });
    await app.ctx.db.order.update({ where: { id }, data: { status: 'cancelled' } });
    await fetchPage(app, `/pay/${secret}/sandbox/pay`, 'POST');
    expect(await getStatus(id)).toBe('cancelled');
    expect(await app.ctx.db.refund.findMany({ where: { orderId: id } })).toMatchObject([
      { amount: 5_000, status: 'pending' },
    ]);
  });

  it('returns 404 for other providers and without a sandbox', async () => {
    const { id, secret } = await makeOrder(app, 'on_site');
    const onSite = await startApp();
    const otherOrder = await makeOrder(onSite, 'sandbox');
    for (const [at, path] of [
      [app, `/pay/${secret}/sandbox`],
      [onSite, `/pay/${otherOrder.secret}/sandbox`],
    ] as const) {
      expect((await fetchPage(at, path)).status).toBe(404);
      for (const button of ['pay', 'fail']) {
        expect((await fetchPage(at, `${path}/${button}`, 'POST')).status).toBe(404);
      }
    }
    expect(await getStatus(id)).toBe('pending');
    expect((await fetchPage(onSite, '/webhooks/stripe', 'POST')).status).toBe(404);
    await onSite.stop();
  });
});

describe('the payment configuration', () => {
  it('uses payment on site by default', () => {
    expect(readConfig({}).payments).toEqual({ provider: 'on_site' });
    expect(readConfig({ PAYMENTS: 'sandbox' }).payments).toEqual({ provider: 'sandbox' });
    const keys = { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
    expect(readConfig(keys).payments).toEqual({
      provider: 'stripe',
      secretKey: 'sk_live_x',
      webhookSecret: 'whsec_x',
      apiBase: undefined,
    });
  });

  it('rejects misplaced keys without repeating them', () => {
    const wrong = { STRIPE_SECRET_KEY: 'whsec_mixed_up', STRIPE_WEBHOOK_SECRET: 'sk_mixed_up' };
    expect(() => readConfig(wrong)).toThrow(
      /STRIPE_SECRET_KEY: must be a secret key.*STRIPE_WEBHOOK_SECRET: must be/,
    );
    expect(() => readConfig(wrong)).not.toThrow(/mixed_up/);
    expect(() => readConfig({ STRIPE_SECRET_KEY: 'pk_live_x' })).toThrow(/must be a secret key/);
  });
});
