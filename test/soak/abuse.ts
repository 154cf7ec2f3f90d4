import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { startAttack } from '../support/clients/abuse/attack-process.ts';
import type { AttackResults } from '../support/clients/abuse/attacker.ts';
import { createClient } from '../support/clients/abuse/client.ts';
import { runCustomers, Tally } from '../support/clients/abuse/customers.ts';
import { createAbuseStage } from '../support/clients/abuse/stage.ts';
import { STRIPE_CONFIG } from '../support/clients/ticket-sale.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Customers, members, kiosks and screens use the service for some minutes, first alone, then together with an attacker who
// orders, floods mailboxes, sends bodies byte by byte, guesses and pairs as fast as possible, from one address, from one
// network and from everywhere. Compares the errors and latencies that customers see.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const sizes = readSizes({
  minutes: [5, 0.1],
  processes: [1, 1],
  /** Of each process; as compose.yaml sets for one instance. */
  connections: [21, 21],
  lanes: [4, 1],
  'slow-bodies': [2_050, 50],
});
/** Customers start before the attacker. */
const HEAD_START_MS = 3_000;
const MAX_ERROR_SHARE = 0.01;

interface Run {
  tally: Tally;
  results: AttackResults;
  seats: { slug: string; reserved: number; capacity: number }[];
  emails: number;
}

async function run(name: string, isAttacked: boolean): Promise<Run> {
  const databaseName = `foyer_abuse_${process.pid}_${name}`;
  const databaseUrl = withDatabaseName(SERVER, databaseName);
  await runAsAdmin(SERVER, `CREATE DATABASE ${databaseName}`);
  try {
    const database = await openDatabase({ databaseUrl, dataDir: '' });
    await migrate(database.pool);
    const stage = await createAbuseStage(database);
    const env = {
      ...{ DATABASE_URL: databaseUrl, DATABASE_CONNECTIONS: String(sizes.connections) },
      ...STRIPE_CONFIG,
    };
    const services = await Promise.all(
      Array.from({ length: sizes.processes }, () => startService(env)),
    );
    const urls = services.map(({ url }) => url);
    const tally = new Tally();
    const ending = new AbortController();
    const { signal } = ending;
    const customers = createClient(urls, 200);
    const users = runCustomers({ stage, send: customers.send, tally, signal });
    await setTimeout(HEAD_START_MS);
    const attack = isAttacked
      ? startAttack({ stage, urls, lanes: sizes.lanes, slowBodies: sizes['slow-bodies'] })
      : undefined;
    await setTimeout(sizes.minutes * 60_000);
    const results: AttackResults = (await attack?.stop()) ?? new Map();
    ending.abort();
    await users;
    customers.close();
    const ended = await Promise.all(services.map(({ stop }) => stop()));
    if (ended.some(({ code }) => code !== 0)) console.log('A process did not exit cleanly.');
    for (const { logged } of services) report(logged().filter(({ level }) => Number(level) >= 50));
    const { rows: seats } = await database.pool.query(
      `SELECT slug, reserved_count AS reserved, capacity FROM events WHERE slug LIKE 'small-%' ORDER BY slug`,
    );
    const { rows: emails } = await database.pool.query('SELECT count(*)::int AS count FROM mails');
    await database.close();
    return { tally, results, seats, emails: emails[0].count };
  } finally {
    killAll();
    await runAsAdmin(SERVER, `DROP DATABASE ${databaseName} WITH (FORCE)`);
  }
}

function report(lines: Record<string, unknown>[]): void {
  const counts = new Map<string, number>();
  for (const { msg, err } of lines) {
    const what = `${msg}: ${(err as { message?: string } | undefined)?.message ?? ''}`.slice(
      0,
      200,
    );
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  for (const [what, count] of counts) console.log(`  logged ${count} times: ${what}`);
}

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
const ms = (value: number) => `${value.toFixed(0)} ms`;

function compare(calm: Run, attacked: Run): boolean {
  const columns = [18, 9, 10, 9, 9, 11, 11, 10, 10];
  const print = (cells: (string | number)[]) =>
    console.log(cells.map((cell, n) => String(cell).padStart(columns[n] ?? 0)).join(' '));
  console.log('\nCustomers without and with the attacker:');
  print(['', 'requests', 'errors', 'p50', 'p99', 'requests', 'errors', 'p50', 'p99']);
  const before = new Map(calm.tally.rows().map((row) => [row.kind, row]));
  let isFine = true;
  for (const row of attacked.tally.rows()) {
    const cells = [before.get(row.kind), row].flatMap((side) =>
      side
        ? [side.requests, percent(side.errors / side.requests), ms(side.p50), ms(side.p99)]
        : ['', '', '', ''],
    );
    print([row.kind, ...cells]);
    if (row.errors / row.requests > MAX_ERROR_SHARE) isFine = sizes.isCheck;
  }
  for (const [name, { tally }] of [
    ['without', calm],
    ['with', attacked],
  ] as const)
    for (const { kind, problems } of tally.rows())
      for (const [problem, count] of problems)
        console.log(`  ${name} the attacker: ${kind}: ${count} times ${problem}`);
  return isFine;
}

const calm = await run('calm', false);
const attacked = await run('attacked', true);
const isFine = compare(calm, attacked);
console.log('\nResponses to the attacker:');
for (const [kind, outcomes] of attacked.results) {
  const all = [...outcomes].toSorted((a, b) => b[1] - a[1]);
  console.log(`  ${kind}: ${all.map(([outcome, count]) => `${outcome}: ${count}`).join(', ')}`);
}
for (const { slug, reserved, capacity } of attacked.seats)
  console.log(`  ${slug}: ${reserved} of ${capacity} seats reserved`);
console.log(`  emails: ${attacked.emails}, and ${calm.emails} without the attacker`);
console.log(isFine ? '\nCustomers were served.' : '\nFAILED: too many errors for customers');
process.exitCode = isFine ? 0 : 1;
