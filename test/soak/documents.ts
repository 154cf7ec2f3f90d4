import { readFileSync } from 'node:fs';
import pg from 'pg';
import { sendGraphql, signIn } from '../support/clients/api.ts';
import { STAFF } from '../support/harness/app.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, runFoyer, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Sends many different GraphQL documents, each often enough to be compiled and planned, and prints the memory of the service
// and of its connections to PostgreSQL. The caches of documents are bounded, so both level off.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { documents } = readSizes({ documents: [10_000, 20] });
const SENDS_PER_DOCUMENT = 3;
const CONCURRENCY = 8;
const MAX_GROWTH_MB = 100;

const name = `foyer_documents_${process.pid}`;
const databaseUrl = withDatabaseName(SERVER, name);

/** Half of the documents are planned. The others select a field that only a resolver can answer. */
const createDocument = (n: number) =>
  n % 2 === 0
    ? `{ bookings(first: 20) { nodes { t${n}: title startsAt resource { name location { name } } member { name } } } }`
    : `{ events(first: 5) { nodes { t${n}: title qrs: tickets(first: 2) { nodes { id qr } } } } }`;

async function main(): Promise<boolean> {
  const seeded = await runFoyer(['seed', '--json'], { DATABASE_URL: databaseUrl });
  if (seeded.code !== 0) throw new Error(seeded.stderr);
  const service = await startService({ DATABASE_URL: databaseUrl, QUERY_BUDGET: '1000000000' });
  const cookie = await signIn(service.url, STAFF.owner, JSON.parse(seeded.stdout).staff.password);
  const measured: number[] = [];
  let next = 0;
  for (const upTo of [0.1, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * documents))) {
    const lane = async () => {
      for (let n = next++; n < upTo; n = next++)
        for (let send = 0; send < SENDS_PER_DOCUMENT; send += 1) {
          const { errors } = await sendGraphql(service.url, createDocument(n), {}, { cookie });
          if (errors[0]) throw new Error(errors[0].message);
        }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
    next = upTo;
    measured.push(readMemory(service.pid));
    const server = await readServerMemory();
    console.log(
      `after ${upTo} documents: service ${measured.at(-1)} MB, its connections ${server}`,
    );
  }
  await service.stop();
  // The caches are full after a quarter of the documents.
  const [, quarter = 0] = measured;
  return (measured.at(-1) ?? 0) - quarter < MAX_GROWTH_MB;
}

/** The resident memory of a process in MB. */
function readMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}

async function readServerMemory(): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`,
    [name],
  );
  await client.end();
  return rows.map(({ pid }) => `${readMemory(pid)} MB`).join(', ');
}

await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  killAll();
  await runAsAdmin(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
}
