import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { readSaleTotals, STRIPE_CONFIG } from '../support/clients/ticket-sale.ts';
import { createSale } from '../support/factories/race-stages.ts';
import { createStripeEvent, signPayload } from '../support/fakes/stripe.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, type Service, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Sends payment events twice, in any order, some late and some forged, while the service is killed repeatedly with SIGKILL.
// As Stripe does, the sender retries until each is acknowledged. In the end every order is paid exactly once.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { trials, orders } = readSizes({ trials: [20, 1], orders: [25, 5] });
const DAY = 24 * 3_600_000;
const name = `foyer_webhooks_${process.pid}`;
const databaseUrl = withDatabaseName(SERVER, name);
const env = { DATABASE_URL: databaseUrl, ...STRIPE_CONFIG };

interface PaymentEvent {
  text: string;
  forged: boolean;
  acknowledged: boolean;
}

let buyers = 0;

await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
try {
  const database = await openDatabase({ databaseUrl, dataDir: '' });
  await migrate(database.pool);
  const stage = await createSale(database, trials * orders, new Date(Date.now() + 30 * DAY));
  let service = await startService(env);
  let deliveries = 0;
  let storedForged = 0;
  for (let trial = 1; trial <= trials; trial += 1) {
    const events = (await placeOrders(service, stage))
      .flatMap(createEvents)
      .sort(() => Math.random() - 0.5);
    // Some payments arrive after their order has expired, and some of these after its tickets were released.
    await database.pool.query(
      `UPDATE orders SET expires_at = created_at WHERE status = 'pending' AND random() < 0.2`,
    );
    let killed = false;
    const sending = events.map(async (one) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
      if (!killed) await send(service, one);
    });
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 300));
    service.signal('SIGKILL');
    killed = true;
    await Promise.all([service.ended, ...sending]);
    service = await startService(env);
    const rest = events.filter(({ acknowledged }) => !acknowledged);
    for (const one of rest) await send(service, one);
    deliveries += events.length + rest.length;
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS n FROM provider_events WHERE id LIKE 'forged%'`,
    );
    storedForged = rows[0].n;
  }
  await service.stop();
  const { rows } = await database.pool.query(`
    SELECT (SELECT count(*)::int FROM orders WHERE status = 'paid') AS paid,
      (SELECT count(*)::int FROM orders WHERE status <> 'paid') AS unpaid,
      (SELECT count(*)::int FROM payments) AS payments,
      (SELECT count(*)::int FROM mails) AS mails,
      (SELECT count(*)::int FROM provider_events WHERE processed_at IS NULL) AS unprocessed`);
  const totals = await readSaleTotals(database, stage.ticketTypeId);
  await database.close();
  console.log(`${trials} kills, ${deliveries} deliveries:`, rows[0], totals);
  const { paid, unpaid, payments, mails, unprocessed } = rows[0];
  const all = trials * orders;
  const allPaid = paid === all && payments === all && mails === all && unpaid + unprocessed === 0;
  const isConsistent =
    totals.valid === all && totals.reserved === all && totals.captured === totals.earned;
  console.log(
    allPaid && isConsistent && storedForged === 0
      ? 'Every order is paid exactly once.'
      : 'FAILED: orders and payments do not match',
  );
  process.exitCode = allPaid && isConsistent && storedForged === 0 ? 0 : 1;
} finally {
  killAll();
  await runAsAdmin(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
}

interface Placed {
  id: string;
  total: { amount: number };
}

function placeOrders({ url }: Service, stage: { event: string; ticketTypeId: string }) {
  return Promise.all(
    Array.from({ length: orders }, async (): Promise<Placed> => {
      // Each buyer has their own address, because of the limits on seats.
      buyers += 1;
      const response = await fetch(`${url}/public/events/${stage.event}/orders`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.${buyers >> 8}.${buyers & 255}.1`,
        },
        body: JSON.stringify({
          buyer: { name: 'Nora Lind', email: `buyer-${buyers}@example.org` },
          items: [{ ticket_type_id: stage.ticketTypeId, quantity: 1 }],
        }),
      });
      if (response.status !== 201) throw new Error(`order failed: ${await response.text()}`);
      return ((await response.json()) as { data: { order: Placed } }).data.order;
    }),
  );
}

/** Two different events report the same payment, each of them twice, and a third one is forged. */
function createEvents({ id, total }: Placed): PaymentEvent[] {
  const money = { currency: 'eur', metadata: { order_id: id } };
  const session = createStripeEvent(
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
  const intent = createStripeEvent(
    'payment_intent.succeeded',
    { ...money, id: `pi_${id}`, amount_received: total.amount, amount: total.amount },
    `evt_intent_${id}`,
  );
  const genuine = [session, session, intent, intent].map((event) => ({
    text: JSON.stringify(event),
    forged: false,
    acknowledged: false,
  }));
  const forged = { ...session, id: `forged_${id}` };
  return [...genuine, { text: JSON.stringify(forged), forged: true, acknowledged: false }];
}

async function send({ url }: Service, one: PaymentEvent): Promise<void> {
  const signature = signPayload(one.text, new Date(), one.forged ? 'whsec_Forged' : undefined);
  try {
    const response = await fetch(`${url}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: one.text,
    });
    const expected = one.forged ? 400 : 200;
    one.acknowledged = response.status === expected;
    if (one.forged && response.status !== 400)
      throw new Error(`forged, but got ${response.status}`);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('forged')) throw error;
  }
}
