import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { killAll, type Service, serve } from '../support/processes.ts';
import { booksOf, STRIPE, setSale } from '../support/sale.ts';
import { signatureOf, stripeEvent } from '../support/stripe.ts';
import { administer, within } from '../support/templates.ts';

// Sends payment events twice, in any order, some late and some forged, while the service is killed repeatedly with SIGKILL.
// As Stripe does, the sender retries until each is acknowledged. In the end every order is paid exactly once.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const TRIALS = 20;
const ORDERS = 25;
const DAY = 24 * 3_600_000;
const name = `foyer_webhooks_${process.pid}`;
const databaseUrl = within(SERVER, name);
const env = { DATABASE_URL: databaseUrl, ...STRIPE };

interface Told {
  text: string;
  forged: boolean;
  acknowledged: boolean;
}

await administer(SERVER, `CREATE DATABASE ${name}`);
try {
  const database = await openDatabase({ databaseUrl, dataDir: '' });
  await migrate(database.pool);
  const stage = await setSale(database, TRIALS * ORDERS, new Date(Date.now() + 30 * DAY));
  let service = await serve(env);
  let deliveries = 0;
  let storedForged = 0;
  for (let trial = 1; trial <= TRIALS; trial += 1) {
    const told = (await orders(service, stage)).flatMap(eventsOf).sort(() => Math.random() - 0.5);
    // Some come when the time of their order is up, and some of those when its tickets were given back.
    await database.pool.query(
      `UPDATE orders SET expires_at = created_at WHERE status = 'pending' AND random() < 0.2`,
    );
    let killed = false;
    const telling = told.map(async (one) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
      if (!killed) await tell(service, one);
    });
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 300));
    service.signal('SIGKILL');
    killed = true;
    await Promise.all([service.ended, ...telling]);
    service = await serve(env);
    const rest = told.filter(({ acknowledged }) => !acknowledged);
    for (const one of rest) await tell(service, one);
    deliveries += told.length + rest.length;
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS n FROM provider_events WHERE id LIKE 'forged%'`,
    );
    storedForged = rows[0].n;
  }
  await service.stop();
  const { rows } = await database.pool.query(`
    SELECT (SELECT count(*)::int FROM orders WHERE status = 'paid') AS paid,
      (SELECT count(*)::int FROM orders WHERE status <> 'paid') AS otherwise,
      (SELECT count(*)::int FROM payments) AS payments,
      (SELECT count(*)::int FROM mails) AS mails,
      (SELECT count(*)::int FROM provider_events WHERE processed_at IS NULL) AS unprocessed`);
  const books = await booksOf(database, stage.ticketTypeId);
  await database.close();
  console.log(`${TRIALS} kills, ${deliveries} deliveries:`, rows[0], books);
  const { paid, otherwise, payments, mails, unprocessed } = rows[0];
  const all = TRIALS * ORDERS;
  const same = paid === all && payments === all && mails === all && otherwise + unprocessed === 0;
  const fits = books.valid === all && books.taken === all && books.captured === books.kept;
  console.log(
    same && fits && storedForged === 0 ? 'the same end' : 'SOMETHING IS NOT AS IT SHOULD BE',
  );
  process.exitCode = same && fits && storedForged === 0 ? 0 : 1;
} finally {
  killAll();
  await administer(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
}

interface Placed {
  id: string;
  total: { amount: number };
}

function orders({ url }: Service, stage: { event: string; ticketTypeId: string }) {
  return Promise.all(
    Array.from({ length: ORDERS }, async (): Promise<Placed> => {
      const answer = await fetch(`${url}/public/events/${stage.event}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          buyer: { name: 'Nora Lind', email: 'nora@example.org' },
          items: [{ ticket_type_id: stage.ticketTypeId, quantity: 1 }],
        }),
      });
      return ((await answer.json()) as { data: { order: Placed } }).data.order;
    }),
  );
}

/** Two different events tell of the one payment, each comes twice, and somebody makes up a third. */
function eventsOf({ id, total }: Placed): Told[] {
  const money = { currency: 'eur', metadata: { order_id: id } };
  const session = stripeEvent(
    'checkout.session.completed',
    {
      ...money,
      id: `cs_${id}`,
      client_reference_id: id,
      payment_intent: `pi_${id}`,
      payment_status: 'paid',
      amount_total: total.amount,
    },
    `evt_session_${id}`,
  );
  const intent = stripeEvent(
    'payment_intent.succeeded',
    { ...money, id: `pi_${id}`, amount_received: total.amount, amount: total.amount },
    `evt_intent_${id}`,
  );
  const made = [session, session, intent, intent].map((event) => ({
    text: JSON.stringify(event),
    forged: false,
    acknowledged: false,
  }));
  const forged = { ...session, id: `forged_${id}` };
  return [...made, { text: JSON.stringify(forged), forged: true, acknowledged: false }];
}

async function tell({ url }: Service, one: Told): Promise<void> {
  const signature = signatureOf(
    one.text,
    new Date(),
    one.forged ? 'whsec_SomebodyElse' : undefined,
  );
  try {
    const answer = await fetch(`${url}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: one.text,
    });
    const expected = one.forged ? 400 : 200;
    one.acknowledged = answer.status === expected;
    if (one.forged && answer.status !== 400) throw new Error(`forged, and yet ${answer.status}`);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('forged')) throw error;
  }
}
