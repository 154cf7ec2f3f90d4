import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { jobs } from '../../src/jobs/job-definitions.ts';
import { startInterruptibleProxy } from '../support/fakes/tcp-proxy.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, type Service, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// A whole service under load loses its database during each kind of job: PostgreSQL rejects connections for some
// seconds (TEST_DATABASE_URL names the server), then the disk of an embedded database fills up (needs root, for a tmpfs).
// The process must survive, return only 503 errors during the outage, and recover by itself.

const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };
const SECONDS = [1, 2, 3];
const sizes = readSizes({
  /** The first so many kinds of jobs. */
  jobs: [100, 2],
  /** Seconds with a full disk. */
  full: [180, 3],
});
const RECOVERY_MS = 120_000; // some jobs are polled once a minute
const problems: string[] = [];
/** Those of a service without BACKUP_DIR. */
const scheduled = jobs.filter(({ canRun }) => canRun?.(undefined) ?? true);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function runPostgresOutages(server: string): Promise<void> {
  const name = `foyer_outages_${process.pid}`;
  await runAsAdmin(server, `CREATE DATABASE ${name}`);
  const direct = new pg.Client({ connectionString: withDatabaseName(server, name) });
  const proxy = await startInterruptibleProxy(new URL(withDatabaseName(server, name)));
  try {
    const service = await startService({ DATABASE_URL: proxy.url, ...OWNER });
    await direct.connect();
    await until('every job is scheduled', async () => {
      const { rows } = await direct
        .query('SELECT count(*)::int AS count FROM pgboss.schedule')
        .catch(() => ({ rows: [] }));
      return rows[0]?.count === scheduled.length;
    });
    for (const [index, { name: job }] of scheduled.slice(0, sizes.jobs).entries()) {
      const seconds = SECONDS[index % SECONDS.length] ?? 1;
      const statuses = await runUnderLoad(service, async () => {
        const id = await startJob(direct, job);
        // A job takes milliseconds. The connections are cut while it runs or while its end is recorded.
        await until(
          `${job} is fetched`,
          async () => (await readState(direct, id)) !== 'created',
          1,
        );
        proxy.refuse();
        await pause(seconds * 1_000);
        proxy.accept();
      });
      await waitForRecovery(service, job);
      const again = await startJob(direct, job);
      await until(
        `${job} runs again`,
        async () => (await readState(direct, again)) === 'completed',
      );
      report(`${job}: ${seconds} s without PostgreSQL`, service, statuses);
    }
    expectEnd(await service.stop());
  } finally {
    await direct.end();
    proxy.close();
    killAll();
    await runAsAdmin(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function runFullDisk(): Promise<void> {
  const mount = mkdtempSync(join(tmpdir(), 'foyer-full-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', mount]);
  try {
    const dataDir = join(mount, 'data', 'main');
    mkdirSync(join(mount, 'data'));
    const service = await startService({ DATA_DIR: dataDir, ...OWNER });
    // The schedule runs most jobs every minute: three minutes with a full disk meet each of them.
    const statuses = await runUnderLoad(service, async () => {
      await pause(5_000);
      fill(join(mount, 'ballast'));
      await pause(sizes.full * 1_000);
      rmSync(join(mount, 'ballast'));
    });
    await waitForRecovery(service, 'a full disk');
    report(`${sizes.full} s with a full disk`, service, statuses);
    expectEnd(await service.stop());
  } finally {
    killAll();
    execFileSync('umount', ['-l', mount]);
    rmSync(mount, { recursive: true, force: true });
  }
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  for (const size of [1 << 20, 1 << 12]) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size));
    } catch {} // full
  }
  closeSync(descriptor);
}

async function startJob(database: pg.Client, job: string): Promise<string> {
  const { rows } = await database.query(
    'INSERT INTO pgboss.job (name, retry_limit) VALUES ($1, 0) RETURNING id',
    [job],
  );
  return rows[0].id;
}

async function readState(database: pg.Client, id: string): Promise<string | undefined> {
  const { rows } = await database.query('SELECT state FROM pgboss.job WHERE id = $1', [id]);
  return rows[0]?.state;
}

/** Sends reads and writes to both APIs during `work` and counts the statuses. */
async function runUnderLoad(
  { url }: Service,
  work: () => Promise<void>,
): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  let isOver = false;
  const send = async (what: string, path: string, init?: RequestInit) => {
    while (!isOver) {
      const status = await fetch(url + path, { ...init, signal: AbortSignal.timeout(20_000) })
        .then(async (response) => {
          await response.arrayBuffer();
          return `${what} ${response.status}`;
        })
        .catch((error) => `${what} ${error.name}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await pause(20);
    }
  };
  const headers = { 'content-type': 'application/json' };
  const query = 'mutation { requestSignInLink(input: { email: "nobody@example.org" }) { email } }';
  const clients = [
    send('read', '/public/events'),
    send('query', '/graphql', {
      method: 'POST',
      headers,
      body: '{"query":"{ events(first: 1) { edges { node { id } } } }"}',
    }),
    send('write', '/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) }),
  ];
  await work();
  isOver = true;
  await Promise.all(clients);
  return statuses;
}

const waitForRecovery = ({ url }: Service, after: string) =>
  until(`it is ready again after ${after}`, async () => (await fetch(`${url}/readyz`)).ok);

function report(what: string, service: Service, statuses: Map<string, number>): void {
  const all = [...statuses].sort(([a], [b]) => (a < b ? -1 : 1));
  console.log(`${what}: ${all.map(([status, count]) => `${status}: ${count}`).join(', ')}`);
  // GraphQL rejects with status 200, such as too many sign-in links, and REST with 429.
  const wrong = all.filter(([status]) => !/ (200|429|503)$/.test(status));
  if (wrong.length > 0) problems.push(`${what}: ${wrong.join('; ')}`);
  const uncaught = service.logged().filter(({ msg }) => /^(unhandled|uncaught)/.test(`${msg}`));
  if (uncaught.length > 0) problems.push(`${what}: ${JSON.stringify(uncaught[0])}`);
}

function expectEnd({ code }: { code: number | null }): void {
  if (code !== 0) problems.push(`the service exited with ${code}`);
}

async function until(what: string, holds: () => Promise<boolean>, everyMs = 50): Promise<void> {
  for (const end = Date.now() + RECOVERY_MS; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`within ${RECOVERY_MS / 1000} s not true: ${what}`);
    await pause(everyMs);
  }
}

const server = process.env.TEST_DATABASE_URL;
if (server) await runPostgresOutages(server);
else console.log('Skipped outages of PostgreSQL: set TEST_DATABASE_URL.');
if (process.getuid?.() === 0) await runFullDisk();
else console.log('Skipped a full disk: needs root.');
for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0
    ? 'The service recovered from every outage.'
    : `${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
