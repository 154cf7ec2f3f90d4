import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../../src/db/database.ts';
import { createStripeEvent, SECRET_KEY, signPayload, WEBHOOK_SECRET } from '../fakes/stripe.ts';

export interface Sale {
  /** Servers that share a database, used in turn. */
  urls: string[];
  database: Pick<Database, 'pool'>;
  event: string;
  ticketTypeId: string;
  buyers: number;
  /** The sale ends after this many attempts to order. */
  attempts: number;
  /** Whether each order has an idempotency key. */
  withKeys?: boolean;
  /** Whether nobody pays late, cancels or abandons an order, so that no ticket is sold again. */
  everyonePays?: boolean;
}

export interface SaleTally {
  placed: number;
  soldOut: number;
  paid: number;
  late: number;
  abandoned: number;
  cancelled: number;
  /** Unexpected responses with their number. */
  errors: Map<string, number>;
  /** The time from the first to the last placed order. */
  sellingMs: number;
}

/** Many buyers order one ticket type concurrently. Some pay, some pay late, some cancel and some abandon their order. */
export async function runSale(sale: Sale): Promise<SaleTally> {
  const tally: SaleTally = {
    placed: 0,
    soldOut: 0,
    paid: 0,
    late: 0,
    abandoned: 0,
    cancelled: 0,
    errors: new Map(),
    sellingMs: 0,
  };
  const agent = new Agent({ keepAlive: true, maxSockets: sale.buyers });
  const started = performance.now();
  let attempts = 0;
  const buyer = async (lane: number) => {
    const ask = createSender(agent, sale.urls[lane % sale.urls.length] ?? '');
    while (attempts < sale.attempts) {
      attempts += 1;
      await tryToBuy(sale, ask, tally, attempts);
    }
  };
  try {
    await Promise.all(Array.from({ length: sale.buyers }, (_, lane) => buyer(lane)));
  } finally {
    agent.destroy();
  }
  tally.sellingMs = performance.now() - started;
  return tally;
}

async function tryToBuy(sale: Sale, ask: Send, tally: SaleTally, n: number): Promise<void> {
  const quantity = 1 + (n % 2);
  const { status, body } = await ask('POST', `/public/events/${sale.event}/orders`, {
    json: {
      buyer: { name: `Buyer ${n}`, email: `buyer-${n}@example.org` },
      items: [{ ticket_type_id: sale.ticketTypeId, quantity }],
    },
    address: toAddress(n),
    ...(sale.withKeys ? { key: `sale-${n}` } : {}),
  });
  if (status === 422 && String(body.data).startsWith('There are not enough tickets left')) {
    tally.soldOut += 1;
    return;
  }
  if (status !== 201) return recordError(tally, `${status} ${String(body.data)}`);
  tally.placed += 1;
  const { order } = body.data as { order: Placed };
  const { id, secret } = order;
  const chance = sale.everyonePays ? 0 : Math.random();
  if (chance < 0.55) {
    await pay(ask, order, tally);
    tally.paid += 1;
  } else if (chance < 0.7) {
    await expireOrder(sale, id);
    await setTimeout(Math.random() * 500); // before or after its tickets are released
    await pay(ask, order, tally);
    tally.late += 1;
  } else if (chance < 0.85) {
    const { status, body } = await ask('POST', `/public/orders/${secret}/cancel`, { json: {} });
    if (status !== 200) recordError(tally, `cancel ${status} ${String(body.data)}`);
    tally.cancelled += 1;
  } else {
    await expireOrder(sale, id);
    tally.abandoned += 1;
  }
}

/** Every buyer has their own network. */
const toAddress = (n: number) => `10.${n & 255}.${(n >> 8) & 255}.${1 + ((n >> 16) & 127)}`;

/** Lets the hold expire at once. */
const expireOrder = ({ database }: Sale, id: string) =>
  database.pool.query(
    `UPDATE orders SET expires_at = created_at WHERE id = $1::uuid AND status = 'pending'`,
    [id],
  );

interface Placed {
  id: string;
  secret: string;
  total: { amount: number; currency: string };
}

/** Sends the signed payment event of Stripe, sometimes twice. */
async function pay(ask: Send, { id, total }: Placed, tally: SaleTally): Promise<void> {
  const event = createStripeEvent('checkout.session.completed', {
    id: `cs_${id}`,
    object: 'checkout.session',
    client_reference_id: id,
    metadata: { order_id: id },
    payment_intent: `pi_${id}`,
    payment_status: 'paid',
    amount_total: total.amount,
    currency: total.currency.toLowerCase(),
  });
  const text = JSON.stringify(event);
  const send = async () => {
    const signature = signPayload(text, new Date());
    const { status, body } = await ask('POST', '/webhooks/stripe', { text, signature });
    if (status !== 200) recordError(tally, `webhook ${status} ${String(body.data)}`);
  };
  await (Math.random() < 0.1 ? Promise.all([send(), send()]) : send());
}

const recordError = ({ errors }: SaleTally, what: string) => {
  if (errors.size < 20 || errors.has(what)) errors.set(what, (errors.get(what) ?? 0) + 1);
};

type Send = ReturnType<typeof createSender>;

function createSender(agent: Agent, url: string) {
  return (
    method: string,
    path: string,
    given: { json?: object; text?: string; key?: string; signature?: string; address?: string },
  ): Promise<{ status: number; body: { data?: unknown } }> =>
    new Promise((resolve, reject) => {
      const text = given.text ?? JSON.stringify(given.json);
      const req = request(`${url}${path}`, {
        method,
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          ...(given.address ? { 'x-forwarded-for': given.address } : {}),
          ...(given.key ? { 'idempotency-key': given.key } : {}),
          ...(given.signature ? { 'stripe-signature': given.signature } : {}),
        },
      });
      req.on('error', reject);
      req.on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk) => chunks.push(chunk));
        res.on('end', () => {
          const response = Buffer.concat(chunks).toString();
          resolve({ status: res.statusCode ?? 0, body: JSON.parse(response) });
        });
      });
      req.end(text);
    });
}

/** Configures a proxy, so that buyers have addresses, and a Stripe that cannot be reached: payments arrive by signed webhooks. */
export const STRIPE_CONFIG = {
  TRUST_PROXY: '1',
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_BASE: 'http://127.0.0.1:9',
};

export interface SaleTotals {
  /** The counters of the ticket type and of the event. */
  reserved: number;
  eventReserved: number;
  capacity: number;
  valid: number;
  held: number;
  /** Orders with tickets that are not paid for, or with payments without tickets. */
  unpaidTickets: number;
  overpaidOrders: number;
  captured: number;
  earned: number;
  refunded: number;
}

/** Reads counters, tickets and money after a sale. */
export async function readSaleTotals(
  { pool }: Pick<Database, 'pool'>,
  ticketTypeId: string,
): Promise<SaleTotals> {
  const { rows } = await pool.query(
    `SELECT t.reserved_count AS reserved, e.reserved_count AS "eventReserved", t.quantity AS capacity,
      (SELECT count(*)::int FROM tickets x WHERE x.ticket_type_id = t.id AND x.status = 'valid') AS valid,
      (SELECT count(*)::int FROM tickets x WHERE x.ticket_type_id = t.id AND x.status = 'held') AS held,
      (SELECT count(*)::int FROM orders o WHERE o.total_amount > 0
        AND EXISTS (SELECT FROM tickets x WHERE x.order_id = o.id AND x.status = 'valid')
        AND coalesce((SELECT sum(p.amount - p.refunded) FROM payments p WHERE p.order_id = o.id), 0) <
          (SELECT sum(x.amount) FROM tickets x WHERE x.order_id = o.id AND x.status = 'valid')) AS "unpaidTickets",
      (SELECT count(*)::int FROM orders o WHERE
        coalesce((SELECT sum(p.amount - p.refunded) FROM payments p WHERE p.order_id = o.id), 0) >
          coalesce((SELECT sum(x.amount) FROM tickets x WHERE x.order_id = o.id AND x.status = 'valid'), 0)) AS "overpaidOrders",
      (SELECT coalesce(sum(amount), 0)::int FROM payments) AS captured,
      (SELECT coalesce(sum(amount), 0)::int FROM tickets x JOIN orders o ON o.id = x.order_id
        WHERE x.status = 'valid' AND o.total_amount > 0) AS earned,
      (SELECT coalesce(sum(amount), 0)::int FROM refunds) AS refunded
    FROM ticket_types t JOIN events e ON e.id = t.event_id WHERE t.id = $1::uuid`,
    [ticketTypeId],
  );
  return rows[0];
}
