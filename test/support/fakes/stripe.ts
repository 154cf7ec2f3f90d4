import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const SECRET_KEY = 'sk_test_51FoyerSecretKeyOfTheTests';
export const WEBHOOK_SECRET = 'whsec_FoyerWebhookSecretOfTheTests';

interface StripeRequest {
  method: string;
  path: string;
  key: string | undefined;
  params: Record<string, string>;
}

interface FakeRefund {
  id: string;
  object: 'refund';
  payment_intent: string;
  amount: number;
  currency: string;
  status: string;
  metadata: Record<string, string>;
}

/** A fake of Stripe's API on a real socket, with sessions, refunds, idempotency keys and configurable failures. */
export async function startStripe() {
  const requests: StripeRequest[] = [];
  const refunds: FakeRefund[] = [];
  const responses = new Map<string, { params: string; answer: object }>();
  const state = {
    failures: 0,
    /** Only requests with this method fail. */
    failingMethod: undefined as string | undefined,
    rejection: undefined as object | undefined,
    rejectionStatus: 400,
    /** Requests are answered after it. */
    held: undefined as Promise<void> | undefined,
    refundStatus: 'succeeded',
  };
  let count = 0;

  const server = createServer((req, res) => {
    response(req, res).catch(() => res.destroy());
  });

  async function response(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://stripe.test');
    const body = await readBody(req);
    const params = Object.fromEntries(
      new URLSearchParams(req.method === 'GET' ? url.search : body),
    );
    const key = req.headers['idempotency-key']?.toString();
    requests.push({ method: req.method ?? '', path: url.pathname, key, params });
    await state.held;
    if (req.headers.authorization !== `Bearer ${SECRET_KEY}`) {
      return respond(res, 401, toError(`Invalid API Key provided: ${req.headers.authorization}`));
    }
    if (state.failures > 0 && (state.failingMethod ?? req.method) === req.method) {
      state.failures -= 1;
      return respond(res, 500, toError(`We are down, ${SECRET_KEY}.`, 'api_error'));
    }
    const earlier = key === undefined ? undefined : responses.get(key);
    if (earlier && earlier.params !== body)
      return respond(res, 400, toError('Keys for idempotent requests…', 'idempotency_error'));
    if (earlier) return respond(res, 200, earlier.answer);
    if (state.rejection && req.method === 'POST')
      return respond(res, state.rejectionStatus, { error: state.rejection });
    const rejection = url.pathname.endsWith('/sessions') ? findRefusal(params) : null;
    if (rejection !== null) return respond(res, 400, { error: rejection });
    const created = make(`${req.method} ${url.pathname}`, params);
    if (key !== undefined) responses.set(key, { params: body, answer: created });
    respond(res, 200, created);
  }

  function make(route: string, params: Record<string, string>): object {
    count += 1;
    if (route === 'POST /v1/checkout/sessions') {
      const id = `cs_test_${count}`;
      return { id, object: 'checkout.session', url: `https://checkout.stripe.test/${id}` };
    }
    if (/^POST .*\/expire$/.test(route)) return { object: 'checkout.session', status: 'expired' };
    if (route === 'GET /v1/refunds') {
      const data = refunds.filter((it) => it.payment_intent === params.payment_intent);
      return { object: 'list', data, has_more: false };
    }
    if (route !== 'POST /v1/refunds') throw new Error(`no ${route}`);
    const refund: FakeRefund = {
      id: `re_${count}`,
      object: 'refund',
      payment_intent: params.payment_intent ?? '',
      amount: Number(params.amount),
      currency: 'eur',
      status: state.refundStatus,
      metadata: { refund_id: params['metadata[refund_id]'] ?? '' },
    };
    refunds.unshift(refund);
    return { ...refund };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    state,
    requests,
    refunds,
    /** Method and path of each request. */
    calls: () => requests.map(({ method, path }) => `${method} ${path}`),
    config: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    },
    /** Answers no request until the returned function is called. */
    hold: () => {
      let release = () => {};
      state.held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    reset: () => {
      requests.length = 0;
      Object.assign(state, {
        failures: 0,
        failingMethod: undefined,
        rejection: undefined,
        rejectionStatus: 400,
        held: undefined,
        refundStatus: 'succeeded',
      });
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The least that Stripe charges, and of what amounts must be a multiple, in Stripe's amounts. The fake knows no other currency. */
const CHARGES: Record<string, { least: number; step: number }> = {
  eur: { least: 50, step: 1 },
  usd: { least: 50, step: 1 },
  huf: { least: 17_500, step: 1 },
  jpy: { least: 50, step: 1 },
  kwd: { least: 1, step: 10 },
  isk: { least: 1, step: 100 },
};

/** The error with which Stripe rejects the amount of a checkout session. */
function findRefusal(params: Record<string, string>): object | null {
  const price = 'line_items[0][price_data]';
  const currency = params[`${price}[currency]`] ?? '';
  const amount = Number(params[`${price}[unit_amount]`]);
  const type = 'invalid_request_error';
  const charges = CHARGES[currency];
  if (!charges)
    return {
      type,
      message: `Invalid currency: ${currency}. Stripe currently supports these currencies: …`,
    };
  if (amount < charges.least)
    return {
      ...{ type, code: 'amount_too_small' },
      message:
        "The Checkout Session's total amount due must add up to at least the minimum charge.",
    };
  if (amount % charges.step !== 0)
    return { type, message: `Invalid amount: ${amount} must be divisible by ${charges.step}.` };
  return null;
}

export type TestStripe = Awaited<ReturnType<typeof startStripe>>;

/** Signs like Stripe, without the library that verifies signatures. */
export function signPayload(body: string, at: Date, secret = WEBHOOK_SECRET): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

let events = 0;

/** An event in Stripe's format. */
export function createStripeEvent(type: string, object: object, id?: string) {
  events += 1;
  return { id: id ?? `evt_${events}`, object: 'event', type, livemode: false, data: { object } };
}

const toError = (message: string, type = 'invalid_request_error') => ({ error: { type, message } });

function respond(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test' });
  res.end(JSON.stringify(body));
}

async function readBody(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += chunk;
  return text;
}
