import type { ServerResponse } from 'node:http';
import type { Express, Request } from 'express';
import { countGuess, toSecretGuess } from '../../auth/rate-limits.ts';
import { anonymous, system } from '../../auth/viewer.ts';
import { findClientAddress } from '../../client-ip.ts';
import type { Ctx } from '../../context.ts';
import type { Deps } from '../../deps.ts';
import { toDomainError } from '../../errors.ts';
import { readBytes } from '../../rest/body.ts';
import { send, success } from '../../rest/envelope.ts';
import { paymentUrl, portalUrl } from '../orders/addresses.ts';
import { addressFor, payInSandbox, sandboxOrder } from './checkout.ts';
import { receiveEvent } from './events/process.ts';
import { headersFor } from './pages/html.ts';
import { notFoundPage, sandboxPage, tryLaterPage } from './pages/pages.ts';

const RETRY_SECONDS = 30;

/** Where buyers pay, and where the provider tells of it: neither is asked by programs, so neither is a route of the table. */
export function payments(app: Express, deps: Deps): void {
  const page = answering(deps);

  app.get('/pay/:secret', (req, res) =>
    page(req, res, async (ctx) => ({ to: await addressFor(ctx, req.params.secret) })),
  );

  app.get('/pay/:secret/sandbox', (req, res) =>
    page(req, res, async (ctx) => {
      const { secret } = req.params;
      const order = await sandboxOrder(ctx, secret);
      if (order === null) return { to: portalUrl(ctx, secret) };
      return { page: sandboxPage(order, { failed: req.url.endsWith('?failed') }) };
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
      await sandboxOrder(ctx, secret);
      return { to: `${paymentUrl(ctx, secret)}/sandbox?failed` };
    }),
  );

  const ctx = deps.ctx(system);
  const { provider, verify } = ctx.payments;
  if (!verify) return;
  app.post(`/webhooks/${provider}`, async (req, res) => {
    const body = readBytes(req);
    const signature = req.headers[`${provider}-signature`]?.toString();
    await receiveEvent(ctx, provider, await verify({ body, signature, now: ctx.now() }));
    send(res, 200, success({ received: true }));
  });
}

type Answer = { to: string } | { page: string };

/** People read these pages, so failures are told in words too. */
function answering({ config, log, ctx, rateLimits }: Deps) {
  const headers = headersFor(config.baseUrl);
  const write = (res: ServerResponse, status: number, page: string, more: object = {}) => {
    res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(page), ...more });
    res.end(page);
  };
  return async (
    req: Request<{ secret: string }>,
    res: ServerResponse,
    work: (ctx: Ctx) => Promise<Answer>,
  ): Promise<void> => {
    try {
      const address = findClientAddress(req, config.trustProxy);
      const guess = toSecretGuess(rateLimits, address, 'orderLink', req.params.secret);
      const answer = await countGuess(guess, () => work(ctx(anonymous)));
      if ('page' in answer) write(res, 200, answer.page);
      else write(res, 303, '', { location: answer.to });
    } catch (thrown) {
      const { code, details } = toDomainError(thrown);
      if (code === 'NOT_FOUND') return write(res, 404, notFoundPage());
      if (code === 'RATE_LIMITED')
        return write(res, 429, tryLaterPage(), { 'retry-after': details.retryAfterSeconds });
      log.error({ err: thrown }, 'a page to pay could not be opened');
      write(res, 503, tryLaterPage(), { 'retry-after': RETRY_SECONDS });
    }
  };
}
