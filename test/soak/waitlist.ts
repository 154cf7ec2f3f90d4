import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { createApiToken } from '../../src/features/tokens/service.ts';
import { sendGraphql, sendRest } from '../support/clients/api.ts';
import { createSale } from '../support/factories/race-stages.ts';
import { createSystemContext } from '../support/factories/seed.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Raises the capacity of an event with many people on its waiting list, on PostgreSQL and on the embedded database, while a
// stranger tries to buy. Measures the mutation, all offers and the longest wait of other requests, and checks that everybody
// gets one offer, in order of joining and before the stranger.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { people: PEOPLE } = readSizes({ people: [8_000, 50] });
const SPARE_TICKETS = 50;
const DAY_MS = 24 * 3_600_000;
const MAX_OFFERING_MS = 10 * 60_000;
const PROBE_INTERVAL_MS = 50;

const name = `foyer_waitlist_${process.pid}`;
const directory = mkdtempSync(join(tmpdir(), 'foyer-soak-waitlist-'));
const postgres = { databaseUrl: withDatabaseName(SERVER, name), dataDir: '' };
let hasFailed = false;
try {
  await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
  await run('PostgreSQL', postgres, { DATABASE_URL: postgres.databaseUrl });
  const dataDir = join(directory, 'data');
  await run('embedded database', { databaseUrl: '', dataDir }, { DATA_DIR: dataDir });
} finally {
  killAll();
  await runAsAdmin(SERVER, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = hasFailed ? 1 : 0;

async function run(
  what: string,
  location: { databaseUrl: string; dataDir: string },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const stage = await withDatabase(location, createStage);
  const service = await startService({ ...env, DATA_FSYNC: 'on' });
  const { token } = stage;
  const readEvent = async () => {
    const { data, errors } = await sendGraphql(
      service.url,
      '{ event(slug: "big-night") { id reservedCount } }',
      {},
      { token },
    );
    if (errors[0]) throw new Error(errors[0].message);
    return data.event as { id: string; reservedCount: number };
  };
  const { id } = await readEvent();
  await delay(5_000); // until the job queue has started
  let isOver = false;
  const repeat = async (work: () => Promise<unknown>): Promise<number> => {
    let longest = 0;
    while (!isOver) {
      const startedAt = performance.now();
      await work();
      longest = Math.max(longest, performance.now() - startedAt);
      await delay(PROBE_INTERVAL_MS);
    }
    return longest;
  };
  const startedAt = performance.now();
  const health = repeat(() => fetch(`${service.url}/healthz`));
  const page = repeat(() => fetch(`${service.url}/public/events/big-night`));
  const stranger = repeat(() => orderTicket(service.url, stage.ticketTypeId));
  const { errors } = await sendGraphql(
    service.url,
    'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { event { id } } }',
    { input: { id, capacity: PEOPLE + SPARE_TICKETS } },
    { token },
  );
  const answeredMs = performance.now() - startedAt;
  if (errors[0]) console.log(`FAILED: ${errors[0].message}`);
  while (
    errors.length === 0 &&
    (await readEvent()).reservedCount < PEOPLE &&
    performance.now() - startedAt < MAX_OFFERING_MS
  )
    await delay(100);
  const offeredMs = performance.now() - startedAt;
  isOver = true;
  const [healthMs, pageMs, strangerMs] = await Promise.all([health, page, stranger]);
  await service.stop();
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
  console.log(
    `${what}: ${PEOPLE} people. The mutation was answered after ${seconds(answeredMs)}, all offers were made after ${seconds(offeredMs)}.`,
  );
  console.log(
    `  Longest waits: /healthz ${seconds(healthMs)}, the page of the event ${seconds(pageMs)}, the order of a stranger ${seconds(strangerMs)}`,
  );
  const totals = await withDatabase(location, readTotals);
  console.log(`  ${JSON.stringify(totals)}`);
  const { entries, offers, tickets, reserved, capacity, outOfOrder, overtaken, emailedTwice } =
    totals;
  const isRight =
    [entries, offers].every((count) => count === PEOPLE) &&
    tickets === reserved &&
    reserved <= capacity &&
    outOfOrder + overtaken + emailedTwice === 0;
  console.log(isRight ? '  Everybody got one offer, in order.' : '  FAILED');
  hasFailed ||= !isRight;
}

async function withDatabase<T>(
  location: { databaseUrl: string; dataDir: string },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(location);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Creates an event without tickets, and the people who wait for some. */
async function createStage(database: Database): Promise<{ token: string; ticketTypeId: string }> {
  await migrate(database.pool);
  const { ticketTypeId } = await createSale(database, 0, new Date(Date.now() + 30 * DAY_MS));
  await database.pool.query('UPDATE ticket_types SET quantity = NULL');
  await database.pool.query('UPDATE events SET capacity = 0');
  await database.pool.query(
    `INSERT INTO waitlist_entries (id, ticket_type_id, hash, name, email, quantity, created_at)
    SELECT gen_random_uuid(), $1, sha256(n::text::bytea), 'Person ' || n, 'person-' || n || '@example.org', 1,
      now() - interval '1 day' + n * interval '1 millisecond'
    FROM generate_series(1, $2::int) n`,
    [ticketTypeId, PEOPLE],
  );
  const { plainText } = await createApiToken(createSystemContext(database), {
    name: 'soak',
    scopes: ['events:read', 'events:write', 'orders:read'],
  });
  return { token: plainText, ticketTypeId };
}

function orderTicket(url: string, ticketTypeId: string) {
  const body = JSON.stringify({
    buyer: { name: 'Stranger', email: `stranger-${Math.random()}@example.net` },
    items: [{ ticket_type_id: ticketTypeId, quantity: 1 }],
  });
  const headers = { 'content-type': 'application/json' };
  return sendRest(`${url}/public/events/big-night/orders`, {}, { method: 'POST', headers, body });
}

async function readTotals({ pool }: Database) {
  const { rows } = await pool.query(`
    SELECT
      (SELECT count(*)::int FROM waitlist_entries WHERE status = 'offered') AS entries,
      (SELECT count(DISTINCT subject_id)::int FROM changes WHERE type = 'waitlist_entry.offered') AS offers,
      (SELECT count(*)::int FROM tickets WHERE status IN ('held', 'valid')) AS tickets,
      (SELECT reserved_count FROM events) AS reserved,
      (SELECT capacity FROM events) AS capacity,
      (SELECT count(*)::int FROM (
        SELECT o.created_at, lag(o.created_at) OVER (ORDER BY w.created_at, w.id) AS earlier
        FROM waitlist_entries w JOIN orders o ON o.id = w.order_id) offer WHERE created_at < earlier) AS "outOfOrder",
      (SELECT count(*)::int FROM orders o WHERE o.buyer_name = 'Stranger' AND o.created_at < (
        SELECT max(offer.created_at) FROM waitlist_entries w JOIN orders offer ON offer.id = w.order_id)) AS overtaken,
      (SELECT count(*)::int FROM orders WHERE buyer_name = 'Stranger') AS strangers,
      (SELECT count(*)::int FROM mails) AS "emailsSoFar",
      (SELECT count(*)::int - count(DISTINCT recipient)::int FROM mails WHERE recipient LIKE 'person-%') AS "emailedTwice"`);
  return rows[0];
}
