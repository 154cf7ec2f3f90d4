import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServer } from '../support/harness/build.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, runFoyer, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Measures how soon the built service responds on an existing embedded directory, and its memory at rest.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const {
  starts: count,
  requests: requestCount,
  rest,
  isCheck,
} = readSizes({
  starts: [5, 1],
  requests: [500, 8],
  /** Seconds without a request, before the memory is measured. */
  rest: [10, 1],
});
const TARGET = { startMs: 2_000, embeddedMb: 400, postgresMb: 200 };

const QUERY = JSON.stringify({
  query:
    '{ bookings(first: 50) { edges { node { title resource { name } member { name } } } } viewer { name } }',
});

const directory = mkdtempSync(join(tmpdir(), 'foyer-footprint-'));
const name = `foyer_footprint_${process.pid}`;
const embedded = { DATA_DIR: join(directory, 'data') };
const postgres = { DATABASE_URL: withDatabaseName(SERVER, name) };

async function main(): Promise<boolean> {
  await seed(embedded);
  const starts: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const { service, ms } = await start(embedded);
    starts.push(ms);
    await service.stop();
  }
  const median = starts.sort((a, b) => a - b)[Math.floor(count / 2)] ?? Number.NaN;
  console.log(`start to first response, embedded: median ${median} ms of ${starts.join(', ')}`);

  await seed(postgres);
  const embeddedMb = await memoryAtRest(embedded);
  console.log(`memory at rest, embedded: ${embeddedMb} MB`);
  const postgresMb = await memoryAtRest(postgres);
  console.log(`memory at rest, PostgreSQL: ${postgresMb} MB`);
  return (
    isCheck ||
    (median < TARGET.startMs && embeddedMb < TARGET.embeddedMb && postgresMb < TARGET.postgresMb)
  );
}

async function seed(env: NodeJS.ProcessEnv): Promise<void> {
  await foyer(['seed'], env);
}

async function foyer(args: string[], env: NodeJS.ProcessEnv) {
  const { code, stdout } = await runFoyer([...args, '--json'], { DATA_FSYNC: 'on', ...env });
  if (code !== 0) throw new Error(`foyer ${args.join(' ')} failed`);
  return JSON.parse(stdout);
}

/** Starts the service as operators do, and waits until it serves a page. */
async function start(env: NodeJS.ProcessEnv) {
  const from = performance.now();
  const service = await startService({ DATA_FSYNC: 'on', ...env });
  while (!(await isServed(`${service.url}/public/events`))) await sleep(10);
  return { service, ms: Math.round(performance.now() - from) };
}

async function memoryAtRest(env: NodeJS.ProcessEnv): Promise<number> {
  const { token } = await foyer(['token', 'create', '--name', 'x', '--scopes', '*'], env);
  const { service } = await start(env);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const requests: [string, RequestInit][] = [
    ['/public/events', {}],
    ['/bookings?limit=100', { headers }],
    ['/graphql', { method: 'POST', headers, body: QUERY }],
    ['/openapi.json', {}],
  ];
  for (let n = 0; n < requestCount; n += 1) {
    const [path, init] = requests[n % requests.length] ?? ['/', {}];
    if (!(await isServed(service.url + path, init))) throw new Error(`${path} got no response`);
  }
  await sleep(rest * 1_000);
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  await service.stop();
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}

const isServed = (url: string, init: RequestInit = {}) =>
  fetch(url, init).then(
    async (response) => (await response.arrayBuffer()).byteLength > 0 && response.status === 200,
    () => false,
  );

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

await buildServer();
await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  killAll();
  await runAsAdmin(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  rmSync(directory, { recursive: true, force: true });
}
