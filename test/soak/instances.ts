import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { STRIPE_CONFIG } from '../support/clients/ticket-sale.ts';
import { startSmtp } from '../support/fakes/smtp.ts';
import { type ReceivedWebhook, startReceiver } from '../support/fakes/webhook-receiver.ts';
import { killAll } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';
import { startBalancer } from './cluster/balancer.ts';
import {
  createDataDirectory,
  createPostgres,
  type PostgresServer,
  removeDataDirectory,
} from './cluster/postgres-server.ts';
import { startSupervisor } from './cluster/supervisor.ts';
import { createTrafficStage, findLosses, startTraffic, type Traffic } from './cluster/traffic.ts';
import {
  type Acknowledged,
  createWorkloadStage,
  OWNER,
  startWorkload,
} from './cluster/workload.ts';

// Five instances behind a balancer serve bookings, orders, payments, check-ins, imports, displays, subscriptions and webhooks for ten
// minutes. Every ten seconds one is killed and started again, and PostgreSQL restarts twice, once after a crash. Nothing acknowledged may
// be lost or done twice, no request may be accepted after its token was revoked, and no instance may end by itself. Jobs may run twice when
// an instance is killed; what they do may not happen twice, except that a mail server or a webhook gets the same message again.

const { instances, minutes, interval, port } = readSizes({
  instances: [5, 2],
  minutes: [10, 0.5],
  /** Seconds between two kills. */
  interval: [10, 5],
  port: [5463, 5463],
});
const DURATION_MS = minutes * 60_000;
const SETTLE_MS = 180_000;

async function main(): Promise<string[]> {
  const directory = createDataDirectory();
  const postgres = createPostgres(join(directory, 'data'), port);
  const receiver = await startReceiver();
  const smtp = await startSmtp();
  try {
    const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' });
    await migrate(database.pool);
    const stage = await createTrafficStage(database);
    const workloadStage = await createWorkloadStage(database, stage);
    await database.close();

    const env = {
      ...STRIPE_CONFIG,
      ...OWNER,
      DATABASE_URL: postgres.url,
      DATABASE_CONNECTIONS: '9', // five instances share one PostgreSQL
      QUERY_BUDGET: '1000000000',
      ANONYMOUS_QUERY_BUDGET: '1000000000',
      WEBHOOK_PRIVATE_ADDRESSES: 'allow',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Foyer <foyer@example.org>',
    };
    const supervisor = await startSupervisor(env, instances);
    const balancer = await startBalancer(supervisor.ports);
    for (const port of supervisor.ports) await balancer.waitUntilUp(port);
    await createWebhook(balancer.url, stage.token, receiver.url);

    const traffic = startTraffic(balancer.url, stage, { lanes: 1, pauseMs: 100 });
    const workload = await startWorkload(balancer.url, workloadStage);
    const kills = await disturb(supervisor.killNext, postgres);
    await traffic.stop();
    await workload.stop();
    const { acknowledged } = workload;
    const after = await openDatabase({ databaseUrl: postgres.url, dataDir: '' });
    const problems = await findLastingProblems(async () => [
      ...(await findLosses(after, traffic)),
      ...(await findWorkloadLosses(after, acknowledged)),
      ...findMissingWebhooks(receiver.received, traffic, acknowledged),
      ...supervisor.exits,
    ]);

    for (const [outcome, count] of [...traffic.outcomes, ...workload.outcomes].sort())
      console.log(`  ${outcome}: ${count}`);
    console.log(
      `${kills} kills, 2 restarts of PostgreSQL: ${traffic.acknowledged.size} bookings, ${acknowledged.paid.size} paid orders, ` +
        `${acknowledged.admitted.size} check-ins, ${acknowledged.imported.size} imported members, ${acknowledged.revocations} revocations, ` +
        `${receiver.received.length} webhooks, ${smtp.received.length} emails`,
    );
    await after.close();
    await supervisor.stop();
    balancer.close();
    return problems;
  } finally {
    killAll();
    await receiver.stop();
    await smtp.stop();
    removeDataDirectory(directory, [postgres]);
  }
}

/** Kills instances and restarts PostgreSQL, and returns the number of kills. */
async function disturb(killNext: () => Promise<void>, postgres: PostgresServer): Promise<number> {
  const startedAt = Date.now();
  const restarts: [at: number, mode: 'fast' | 'immediate'][] = [
    [DURATION_MS / 3, 'fast'],
    [(DURATION_MS * 2) / 3, 'immediate'],
  ];
  let kills = 0;
  while (Date.now() - startedAt < DURATION_MS) {
    await pause(interval * 1_000);
    const [restart] = restarts;
    if (restart && Date.now() - startedAt > restart[0]) {
      restarts.shift();
      postgres.stop(restart[1]);
      await pause(2_000);
      postgres.start();
    } else {
      await killNext();
      kills += 1;
    }
  }
  return kills;
}

async function createWebhook(url: string, token: string, target: string): Promise<void> {
  const query =
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }';
  const events = ['booking.created', 'order.confirmed', 'check_in.admitted'];
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input: { url: target, events } } }),
  });
  const { errors } = (await response.json()) as { errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
}

/** Looks for problems until there are none, since emails and webhooks are sent a little later. Returns those that remain. */
async function findLastingProblems(find: () => Promise<string[]>): Promise<string[]> {
  for (const end = Date.now() + SETTLE_MS; ; await pause(2_000)) {
    const problems = await find();
    if (problems.length === 0 || Date.now() > end) return problems;
  }
}

/** Compares orders, payments, emails, visits and members with what was acknowledged. */
async function findWorkloadLosses(
  { pool }: Database,
  { paid, admitted, imported, acceptedAfterRevocation }: Acknowledged,
): Promise<string[]> {
  const { rows } = await pool.query(
    `SELECT
      (SELECT count(*)::int FROM orders o WHERE o.id = ANY($1::uuid[]) AND o.status = 'paid'
        AND (SELECT sum(amount) FROM payments p WHERE p.order_id = o.id) = o.total_amount) AS paid,
      (SELECT count(*)::int FROM orders WHERE NOT id = ANY($1::uuid[])) AS others,
      (SELECT count(*)::int FROM (SELECT recipient FROM mails WHERE recipient LIKE 'buyer-%'
        GROUP BY recipient HAVING count(*) > 1) repeated) AS "repeatedEmails",
      (SELECT count(DISTINCT recipient)::int FROM mails WHERE recipient LIKE 'buyer-%' AND status = 'sent') AS emails,
      (SELECT count(*)::int FROM check_ins v JOIN members m ON m.id = v.member_id
        WHERE m.code = ANY($2::text[]) AND v.result = 'admitted') AS admitted,
      (SELECT coalesce(sum(present), 0)::int FROM occupancies) AS present,
      (SELECT count(*)::int FROM check_ins WHERE result = 'admitted' AND checked_out_at IS NULL) AS open,
      (SELECT count(*)::int FROM members WHERE email = ANY($3::text[])) AS imported`,
    [[...paid], [...admitted], [...imported]],
  );
  const [found] = rows;
  const expect = (what: string, actual: number, expected: number) =>
    actual === expected ? [] : [`${what}: ${actual} instead of ${expected}`];
  return [
    ...expect('orders that are paid once', found.paid, paid.size),
    ...expect('orders that were placed twice', found.others, 0),
    ...expect('buyers with an email', found.emails, paid.size),
    ...expect('buyers with two emails', found.repeatedEmails, 0),
    ...expect('members who were admitted once', found.admitted, admitted.size),
    ...expect('people at the location', found.present, found.open),
    ...expect('imported members', found.imported, imported.size),
    ...expect('requests accepted after a revocation', acceptedAfterRevocation, 0),
  ];
}

/** Every booking, paid order and check-in has at least one message. Repeated messages have the id of the first. */
function findMissingWebhooks(
  received: ReceivedWebhook[],
  traffic: Traffic,
  { paid, admitted }: Acknowledged,
): string[] {
  const messages = new Map(
    received.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body)] as const),
  );
  const subjects = [...messages.values()].map(
    ({ type, data }) => `${type} ${data.change.subject_id}`,
  );
  const known = new Set(subjects);
  const missing = [
    ...[...traffic.acknowledged].map((id) => `booking.created ${id}`),
    ...[...paid].map((id) => `order.confirmed ${id}`),
  ].filter((subject) => !known.has(subject));
  const admissions = [...known].filter((subject) => subject.startsWith('check_in.admitted'));
  return [
    ...(missing.length > 0 ? [`${missing.length} webhooks are missing`] : []),
    ...(admissions.length < admitted.size ? ['webhooks of check-ins are missing'] : []),
    ...(known.size < subjects.length ? ['a change has two messages with different ids'] : []),
  ];
}

const problems = await main();
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'Nothing was lost.' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
