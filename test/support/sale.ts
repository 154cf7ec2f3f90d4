import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { SECRET_KEY, signatureOf, stripeEvent, WEBHOOK_SECRET } from './stripe.ts';

export interface Sale {
  /** Servers that share a database; asked in turn. */
  urls: string[];
  database: Pick<Database, 'pool'>;
  event: string;
  ticketTypeId: string;
  buyers: number;
  /** It ends when so many orders have been tried for. */
  attempts: number;
  /** With an Idempotency-Key each order is a transaction of its own from the start. */
  named?: boolean;
}

export interface SaleTally {
  placed: number;
  refused: number;
  paid: number;
  late: number;
  abandoned: number;
  cancelled: number;
  /** Whatever else was answered, a few of each. */
  errors: Map<string, number>;
  /** From the first order to the last one that was placed. */
  sellingMs: number;
}

/** Many buyers at once want one kind of ticket; some pay, some too late, some change their mind, some just go away. */
export async function sell(sale: Sale): Promise<SaleTally> {
  const tally: SaleTally = {
    placed: 0,
    refused: 0,
    paid: 0,
    late: 0,
    abandoned: 0,
    cancelled: 0,
    errors: new Map(),
    sellingMs: 0,
  };
  const agent = new Agent({ keepAlive: true, maxSockets: sale.buyers });
  const started = performance.now();
  let begun = 0;
  const buyer = async (lane: number) => {
    const ask = asking(agent, sale.urls[lane % sale.urls.length] ?? '');
    while (begun < sale.attempts) {
      begun += 1;
      await attempt(sale, ask, tally, begun);
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

async function attempt(sale: Sale, ask: Ask, tally: SaleTally, n: number): Promise<void> {
  const quantity = 1 + (n % 2);
  const { status, body } = await ask('POST', `/public/events/${sale.event}/orders`, {
    json: {
      buyer: { name: `Buyer ${n}`, email: `buyer-${n}@example.org` },
      items: [{ ticket_type_id: sale.ticketTypeId, quantity }],
    },
    address: addressOf(n),
    ...(sale.named ? { key: `sale-${n}` } : {}),
  });
  if (status === 422 && String(body.data).startsWith('There are not enough tickets left')) {
    tally.refused += 1;
    return;
  }
  if (status !== 201) return miss(tally, `${status} ${String(body.data)}`);
  tally.placed += 1;
  const { order } = body.data as { order: Placed };
  const { id, secret } = order;
  const chance = Math.random();
  if (chance < 0.55) {
    await pay(ask, order, tally);
    tally.paid += 1;
  } else if (chance < 0.7) {
    await runOut(sale, id);
    await setTimeout(Math.random() * 500); // sooner or later than the places are given to others
    await pay(ask, order, tally);
    tally.late += 1;
  } else if (chance < 0.85) {
    const { status, body } = await ask('POST', `/public/orders/${secret}/cancel`, { json: {} });
    if (status !== 200) miss(tally, `cancel ${status} ${String(body.data)}`);
    tally.cancelled += 1;
  } else {
    await runOut(sale, id);
    tally.abandoned += 1;
  }
}

/** Every buyer sits somewhere else. */
const addressOf = (n: number) => `10.${n & 255}.${(n >> 8) & 255}.${1 + ((n >> 16) & 127)}`;

/** A quarter of an hour in no time. */
const runOut = ({ database }: Sale, id: string) =>
  database.pool.query(
    `UPDATE orders SET expires_at = created_at WHERE id = $1::uuid AND status = 'pending'`,
    [id],
  );

interface Placed {
  id: string;
  secret: string;
  total: { amount: number; currency: string };
}

/** As Stripe tells of it: signed, and sometimes twice. */
async function pay(ask: Ask, { id, total }: Placed, tally: SaleTally): Promise<void> {
  const event = stripeEvent('checkout.session.completed', {
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
  const tell = async () => {
    const signature = signatureOf(text, new Date());
    const { status, body } = await ask('POST', '/webhooks/stripe', { text, signature });
    if (status !== 200) miss(tally, `webhook ${status} ${String(body.data)}`);
  };
  await (Math.random() < 0.1 ? Promise.all([tell(), tell()]) : tell());
}

const miss = ({ errors }: SaleTally, what: string) => {
  if (errors.size < 20 || errors.has(what)) errors.set(what, (errors.get(what) ?? 0) + 1);
};

type Ask = ReturnType<typeof asking>;

function asking(agent: Agent, url: string) {
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
          const answer = Buffer.concat(chunks).toString();
          resolve({ status: res.statusCode ?? 0, body: JSON.parse(answer) });
        });
      });
      req.end(text);
    });
}

/** A proxy says where buyers sit. Nobody is asked at Stripe: who pays is told by signed webhooks, and refunds wait. */
export const STRIPE = {
  TRUST_PROXY: '1',
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_BASE: 'http://127.0.0.1:9',
};

export interface Books {
  /** By the counters. */
  taken: number;
  eventTaken: number;
  capacity: number;
  valid: number;
  held: number;
  /** Orders whose tickets and money do not belong together. */
  unpaidTickets: number;
  paidForNothing: number;
  captured: number;
  kept: number;
  refunded: number;
}

/** What the database says at the end of a sale. */
export async function booksOf(
  { pool }: Pick<Database, 'pool'>,
  ticketTypeId: string,
): Promise<Books> {
  const { rows } = await pool.query(
    `SELECT t.reserved_count AS taken, e.reserved_count AS "eventTaken", t.quantity AS capacity,
      (SELECT count(*)::int FROM tickets x WHERE x.ticket_type_id = t.id AND x.status = 'valid') AS valid,
      (SELECT count(*)::int FROM tickets x WHERE x.ticket_type_id = t.id AND x.status = 'held') AS held,
      (SELECT count(*)::int FROM orders o WHERE o.total_amount > 0
        AND EXISTS (SELECT FROM tickets x WHERE x.order_id = o.id AND x.status = 'valid')
        AND coalesce((SELECT sum(p.amount - p.refunded) FROM payments p WHERE p.order_id = o.id), 0) <
          (SELECT sum(x.amount) FROM tickets x WHERE x.order_id = o.id AND x.status = 'valid')) AS "unpaidTickets",
      (SELECT count(*)::int FROM orders o WHERE
        coalesce((SELECT sum(p.amount - p.refunded) FROM payments p WHERE p.order_id = o.id), 0) >
          coalesce((SELECT sum(x.amount) FROM tickets x WHERE x.order_id = o.id AND x.status = 'valid'), 0)) AS "paidForNothing",
      (SELECT coalesce(sum(amount), 0)::int FROM payments) AS captured,
      (SELECT coalesce(sum(amount), 0)::int FROM tickets x JOIN orders o ON o.id = x.order_id
        WHERE x.status = 'valid' AND o.total_amount > 0) AS kept,
      (SELECT coalesce(sum(amount), 0)::int FROM refunds) AS refunded
    FROM ticket_types t JOIN events e ON e.id = t.event_id WHERE t.id = $1::uuid`,
    [ticketTypeId],
  );
  return rows[0];
}

/** A published event in the days to come that sells one kind of ticket. */
export async function setSale({ pool }: Pick<Database, 'pool'>, quantity: number, startsAt: Date) {
  const { rows } = await pool.query(
    `WITH l AS (INSERT INTO locations (id, slug, name, time_zone, updated_at)
        VALUES (gen_random_uuid(), 'arena', 'Arena', 'Europe/Berlin', now()) RETURNING id),
      e AS (INSERT INTO events (id, slug, title, status, published_at, location_id, starts_at, ends_at, updated_at)
        SELECT gen_random_uuid(), 'big-night', 'Big night', 'published', now(), id, $2::timestamptz,
          $2::timestamptz + interval '4 hours', now() FROM l RETURNING id)
    INSERT INTO ticket_types (id, event_id, name, price_amount, quantity, updated_at)
    SELECT gen_random_uuid(), id, 'Standard', 1500, $1, now() FROM e RETURNING id`,
    [quantity, startsAt],
  );
  return { event: 'big-night', ticketTypeId: rows[0].id as string };
}
