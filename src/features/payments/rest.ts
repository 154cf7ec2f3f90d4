import type { ServerResponse } from 'node:http';
import type { Express, Request } from 'express';
import { countGuess, toSecretGuess } from '../../auth/guesses.ts';
import { anonymous, system } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { findClientAddress } from '../../core/client-ip.ts';
import { html, renderHtmlPage, toHtmlPageHeaders } from '../../core/html-page.ts';
import { formatMoney, type Money } from '../../core/money.ts';
import { readBytes } from '../../core/request-body.ts';
import { toDomainError } from '../../errors.ts';
import { sendResponse, toSuccessBody } from '../../rest/envelope.ts';
import type { Dependencies } from '../../server/dependencies.ts';
import { paymentUrl, portalUrl } from '../orders/service/links.ts';
import { findOpenSandboxOrder, getCheckoutUrl, payInSandbox } from './service/checkout.ts';
import { receiveProviderEvent } from './service/process-provider-event.ts';

const RETRY_AFTER_SECONDS = 30;

/** Registers the payment pages and the provider's webhook. They are not part of the REST API, so not in the route table. */
export function registerPaymentRoutes(app: Express, deps: Dependencies): void {
  const page = createPageHandler(deps);

  app.get('/pay/:secret', (req, res) =>
    page(req, res, async (ctx) => ({ to: await getCheckoutUrl(ctx, req.params.secret) })),
  );

  app.get('/pay/:secret/sandbox', (req, res) =>
    page(req, res, async (ctx) => {
      const { secret } = req.params;
      const order = await findOpenSandboxOrder(ctx, secret);
      if (order === null) return { to: portalUrl(ctx, secret) };
      return { page: renderSandboxPage(order, { failed: req.url.endsWith('?failed') }) };
    }),
  );

  app.post('/pay/:secret/sandbox/pay', (req, res) =>
    page(req, res, async (ctx) => {
      const { secret } = req.params;
      await payInSandbox(ctx, secret);
      return { to: portalUrl(ctx, secret) };
    }),
  );

  app.post('/pay/:secret/sandbox/fail', (req, res) =>
    page(req, res, async (ctx) => {
      const { secret } = req.params;
      await findOpenSandboxOrder(ctx, secret);
      return { to: `${paymentUrl(ctx, secret)}/sandbox?failed` };
    }),
  );

  const ctx = deps.createContext(system);
  const { name, verifyEvent } = ctx.payments;
  if (!verifyEvent) return;
  app.post(`/webhooks/${name}`, async (req, res) => {
    const body = readBytes(req);
    const { headers } = req;
    await receiveProviderEvent(ctx, name, await verifyEvent({ body, headers, now: ctx.now() }));
    sendResponse(res, 200, toSuccessBody({ received: true }));
  });
}

type PageResult = { to: string } | { page: string };

/** Renders errors as pages too, because people read them. Counts guesses of secrets itself, as the route table would. */
function createPageHandler({ config, log, createContext, rateLimits }: Dependencies) {
  // A submitted form may redirect to the order portal at BASE_URL.
  const headers = toHtmlPageHeaders([new URL(config.baseUrl).origin]);
  const write = (res: ServerResponse, status: number, page: string, more: object = {}) => {
    res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(page), ...more });
    res.end(page);
  };
  return async (
    req: Request<{ secret: string }>,
    res: ServerResponse,
    handle: (ctx: Context) => Promise<PageResult>,
  ): Promise<void> => {
    try {
      const address = findClientAddress(req, config.trustProxy);
      const guess = toSecretGuess(rateLimits, address, 'orderLink', req.params.secret);
      const result = await countGuess(guess, () => handle(createContext(anonymous)));
      if ('page' in result) write(res, 200, result.page);
      else write(res, 303, '', { location: result.to });
    } catch (error) {
      const { code, details } = toDomainError(error);
      if (code === 'NOT_FOUND') return write(res, 404, renderNotFoundPage());
      if (code === 'RATE_LIMITED')
        return write(res, 429, renderTryLaterPage(), { 'retry-after': details.retryAfterSeconds });
      // Another attempt would fail in the same way.
      if (details.reason === 'PROVIDER_REJECTED') {
        log.warn({ err: error }, 'the payment provider refuses a payment');
        return write(res, 409, renderRejectedPage());
      }
      log.error({ err: error }, 'could not open a payment page');
      write(res, 503, renderTryLaterPage(), { 'retry-after': RETRY_AFTER_SECONDS });
    }
  };
}

/** Renders the checkout of the sandbox provider. */
function renderSandboxPage(
  order: { code: string; description: string; price: Money },
  { failed }: { failed: boolean },
): string {
  const explanation = 'This is a test checkout. No real money is charged.';
  return renderHtmlPage(
    'Test payment',
    html`${
      failed
        ? html`<p class="note" role="alert">The payment failed. You have not been charged, and your order is still reserved. Try again.</p>
<p>${explanation}</p>`
        : html`<p class="note">${explanation}</p>`
    }
<dl>
<dt>Order</dt><dd>${order.code}</dd>
<dt>For</dt><dd>${order.description}</dd>
<dt>Amount</dt><dd><strong>${formatMoney(order.price)}</strong></dd>
</dl>
<form method="post" action="sandbox/pay"><button class="main" type="submit">Pay ${formatMoney(order.price)}</button></form>
<form method="post" action="sandbox/fail"><button type="submit">Simulate a failed payment</button></form>`,
  );
}

const renderNotFoundPage = () =>
  renderHtmlPage(
    'Page not found',
    html`<p>The link is incomplete, or the order no longer exists. Open the latest email about your order and use the link in it.</p>`,
  );

const renderRejectedPage = () =>
  renderHtmlPage(
    'This order cannot be paid online',
    html`<p>The payment provider does not accept this payment, and another attempt will not change that. You have not been charged. Ask the people who run the space how else to pay, before the reservation ends.</p>`,
  );

const renderTryLaterPage = () =>
  renderHtmlPage(
    'Payment is unavailable right now',
    html`<p>The payment provider is not responding. You have not been charged. Reload this page in a moment.</p>`,
  );
