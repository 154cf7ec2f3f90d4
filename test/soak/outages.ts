import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { jobs } from '../../src/jobs/job-definitions.ts';
import { killAll, type Service, serve } from '../support/processes.ts';
import { interruptibleProxyTo } from '../support/proxy.ts';
import { administer, within } from '../support/templates.ts';

// A whole service under load loses its database during each kind of job: PostgreSQL refuses connections for some
// seconds (TEST_DATABASE_URL names the server), then the disk of an embedded database fills up (needs root, for a tmpfs).
// The process must live, answer 503 and nothing worse meanwhile, and recover by itself.

const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };
const SECONDS = [1, 2, 3];
const RECOVERY_MS = 120_000; // some jobs are looked for once a minute
const problems: string[] = [];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function outagesOfPostgres(server: string): Promise<void> {
  const name = `foyer_outages_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const direct = new pg.Client({ connectionString: within(server, name) });
  const proxy = await interruptibleProxyTo(new URL(within(server, name)));
  try {
    const service = await serve({ DATABASE_URL: proxy.url, ...OWNER });
    await direct.connect();
    await until('every job is scheduled', async () => {
      const { rows } = await direct
        .query('SELECT count(*)::int AS count FROM pgboss.schedule')
        .catch(() => ({ rows: [] }));
      return rows[0]?.count === jobs.length;
    });
    for (const [index, { name: job }] of jobs.entries()) {
      const seconds = SECONDS[index % SECONDS.length] ?? 1;
      const statuses = await underLoad(service, async () => {
        const id = await begin(direct, job);
        // Each is over within milliseconds: the connections are cut while it is at work or being recorded.
        await until(`${job} is fetched`, async () => (await stateOf(direct, id)) !== 'created', 1);
        proxy.refuse();
        await pause(seconds * 1_000);
        proxy.accept();
      });
      await recovered(service, job);
      const again = await begin(direct, job);
      await until(`${job} runs again`, async () => (await stateOf(direct, again)) === 'completed');
      report(`${job}: ${seconds} s without PostgreSQL`, service, statuses);
    }
    expectEnd(await service.stop());
  } finally {
    await direct.end();
    proxy.close();
    killAll();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function fullDisk(): Promise<void> {
  const mount = mkdtempSync(join(tmpdir(), 'foyer-full-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', mount]);
  try {
    const dataDir = join(mount, 'data', 'main');
    mkdirSync(join(mount, 'data'));
    const service = await serve({ DATA_DIR: dataDir, ...OWNER });
    // The schedule runs most jobs every minute: three minutes with a full disk meet each of them.
    const statuses = await underLoad(service, async () => {
      await pause(5_000);
      fill(join(mount, 'ballast'));
      await pause(180_000);
      rmSync(join(mount, 'ballast'));
    });
    await recovered(service, 'a full disk');
    report('180 s with a full disk', service, statuses);
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

async function begin(database: pg.Client, job: string): Promise<string> {
  const { rows } = await database.query(
    'INSERT INTO pgboss.job (name, retry_limit) VALUES ($1, 0) RETURNING id',
    [job],
  );
  return rows[0].id;
}

async function stateOf(database: pg.Client, id: string): Promise<string | undefined> {
  const { rows } = await database.query('SELECT state FROM pgboss.job WHERE id = $1', [id]);
  return rows[0]?.state;
}

/** The statuses of reads and writes in both APIs meanwhile. */
async function underLoad(
  { url }: Service,
  work: () => Promise<void>,
): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  let isOver = false;
  const ask = async (what: string, path: string, init?: RequestInit) => {
    while (!isOver) {
      const status = await fetch(url + path, { ...init, signal: AbortSignal.timeout(20_000) })
        .then(async (answer) => {
          await answer.arrayBuffer();
          return `${what} ${answer.status}`;
        })
        .catch((error) => `${what} ${error.name}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await pause(20);
    }
  };
  const headers = { 'content-type': 'application/json' };
  const query = 'mutation { requestSignInLink(email: "nobody@example.org") }';
  const clients = [
    ask('read', '/public/events'),
    ask('query', '/graphql', {
      method: 'POST',
      headers,
      body: '{"query":"{ events(first: 1) { edges { node { id } } } }"}',
    }),
    ask('write', '/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) }),
  ];
  await work();
  isOver = true;
  await Promise.all(clients);
  return statuses;
}

const recovered = ({ url }: Service, after: string) =>
  until(`it is ready again after ${after}`, async () => (await fetch(`${url}/readyz`)).ok);

function report(what: string, service: Service, statuses: Map<string, number>): void {
  const all = [...statuses].sort(([a], [b]) => (a < b ? -1 : 1));
  console.log(`${what}: ${all.map(([status, count]) => `${status}: ${count}`).join(', ')}`);
  // 200 for a refusal in GraphQL's own way, such as too many sign-in links; 429 in REST's.
  const wrong = all.filter(([status]) => !/ (200|429|503)$/.test(status));
  if (wrong.length > 0) problems.push(`${what}: ${wrong.join('; ')}`);
  const uncaught = service.logged().filter(({ msg }) => /^(unhandled|uncaught)/.test(`${msg}`));
  if (uncaught.length > 0) problems.push(`${what}: ${JSON.stringify(uncaught[0])}`);
}

function expectEnd({ code }: { code: number | null }): void {
  if (code !== 0) problems.push(`the service ended with ${code}`);
}

async function until(what: string, holds: () => Promise<boolean>, everyMs = 50): Promise<void> {
  for (const end = Date.now() + RECOVERY_MS; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`within ${RECOVERY_MS / 1000} s not true: ${what}`);
    await pause(everyMs);
  }
}

const server = process.env.TEST_DATABASE_URL;
if (server) await outagesOfPostgres(server);
else console.log('Left out without TEST_DATABASE_URL: outages of PostgreSQL.');
if (process.getuid?.() === 0) await fullDisk();
else console.log('Left out without root: a full disk.');
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'all recovered' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
