import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export const SECRET_KEY = 'sk_test_51FoyerSecretKeyOfTheTests';
export const WEBHOOK_SECRET = 'whsec_FoyerWebhookSecretOfTheTests';

export interface AskedStripe {
  method: string;
  path: string;
  key: string | undefined;
  params: Record<string, string>;
}

export interface StandInRefund {
  id: string;
  object: 'refund';
  payment_intent: string;
  amount: number;
  currency: string;
  status: string;
  metadata: Record<string, string>;
}

/** Stands in for Stripe's API over a real socket: sessions, refunds, idempotency keys; fails when it is told to. */
export async function startStripe() {
  const asked: AskedStripe[] = [];
  const refunds: StandInRefund[] = [];
  const answered = new Map<string, { params: string; answer: object }>();
  const state = {
    failures: 0,
    /** Only of requests with this method. */
    failing: undefined as string | undefined,
    refusal: undefined as object | undefined,
    slowMs: 0,
    refundsAre: 'succeeded',
  };
  let made = 0;

  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://stripe.test');
    const body = await textOf(req);
    const params = Object.fromEntries(
      new URLSearchParams(req.method === 'GET' ? url.search : body),
    );
    const key = req.headers['idempotency-key']?.toString();
    asked.push({ method: req.method ?? '', path: url.pathname, key, params });
    await setTimeout(state.slowMs);
    if (req.headers.authorization !== `Bearer ${SECRET_KEY}`) {
      return tell(res, 401, problem(`Invalid API Key provided: ${req.headers.authorization}`));
    }
    if (state.failures > 0 && (state.failing ?? req.method) === req.method) {
      state.failures -= 1;
      return tell(res, 500, problem(`We are down, ${SECRET_KEY}.`, 'api_error'));
    }
    const earlier = key === undefined ? undefined : answered.get(key);
    if (earlier && earlier.params !== body)
      return tell(res, 400, problem('Keys for idempotent requests…', 'idempotency_error'));
    if (earlier) return tell(res, 200, earlier.answer);
    if (state.refusal && req.method === 'POST') return tell(res, 400, { error: state.refusal });
    const made = make(`${req.method} ${url.pathname}`, params);
    if (key !== undefined) answered.set(key, { params: body, answer: made });
    tell(res, 200, made);
  }

  function make(route: string, params: Record<string, string>): object {
    made += 1;
    if (route === 'POST /v1/checkout/sessions') {
      const id = `cs_test_${made}`;
      return { id, object: 'checkout.session', url: `https://checkout.stripe.test/${id}` };
    }
    if (/^POST .*\/expire$/.test(route)) return { object: 'checkout.session', status: 'expired' };
    if (route === 'GET /v1/refunds') {
      const data = refunds.filter((it) => it.payment_intent === params.payment_intent);
      return { object: 'list', data, has_more: false };
    }
    if (route !== 'POST /v1/refunds') throw new Error(`no ${route}`);
    const refund: StandInRefund = {
      id: `re_${made}`,
      object: 'refund',
      payment_intent: params.payment_intent ?? '',
      amount: Number(params.amount),
      currency: 'eur',
      status: state.refundsAre,
      metadata: { refund_id: params['metadata[refund_id]'] ?? '' },
    };
    refunds.unshift(refund);
    return { ...refund };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    state,
    asked,
    refunds,
    /** What was asked, in short. */
    calls: () => asked.map(({ method, path }) => `${method} ${path}`),
    config: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    },
    reset: () => {
      asked.length = 0;
      Object.assign(state, {
        failures: 0,
        failing: undefined,
        refusal: undefined,
        slowMs: 0,
        refundsAre: 'succeeded',
      });
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type TestStripe = Awaited<ReturnType<typeof startStripe>>;

/** As Stripe signs what it sends; made by hand, so that it does not lean on the library that checks it. */
export function signatureOf(body: string, at: Date, secret = WEBHOOK_SECRET): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

let events = 0;

/** An event as Stripe tells it. */
export function stripeEvent(type: string, object: object, id?: string) {
  events += 1;
  return { id: id ?? `evt_${events}`, object: 'event', type, livemode: false, data: { object } };
}

const problem = (message: string, type = 'invalid_request_error') => ({ error: { type, message } });

function tell(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test' });
  res.end(JSON.stringify(body));
}

async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += chunk;
  return text;
}
