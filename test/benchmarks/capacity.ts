import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { createTrafficStage, type TrafficStage } from '../soak/cluster/traffic.ts';
import { createWorkloadStage, type WorkloadStage } from '../soak/cluster/workload.ts';
import { readSizes } from '../support/harness/script-sizes.ts';
import { openConnection } from './connection.ts';
import { databasePids, startClock } from './cpu.ts';
import { createDatabase } from './database.ts';
import { median } from './load.ts';
import { build, type Server, startOurs } from './servers.ts';

// What one core serves: the processor time that an instance and PostgreSQL need for a booking, an order and a check-in, with the
// connections that an instance opens by default. `npm run bench` measures what is read, and `npm run soak -- displays` what displays need.

const {
  clients: CLIENTS,
  rounds: ROUNDS,
  seconds: SECONDS,
  members: MEMBERS,
} = readSizes({
  clients: [32, 4],
  rounds: [3, 1],
  seconds: [5, 0.5],
  members: [200_000, 5_000],
});
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Write {
  path: string;
  headers: Record<string, string>;
  body: object;
}

interface Measured {
  rate: number;
  /** Processor time of a request in microseconds. */
  serverMicros: number;
  databaseMicros: number;
  /** By how many bytes the database grows with a request. */
  bytes: number;
}

/** Each call returns another booking, order or check-in. */
function createWrites({ token, memberId, resourceIds }: TrafficStage, stage: WorkloadStage) {
  const authorization = `Bearer ${token}`;
  const from = (Math.floor(Date.now() / DAY_MS) + 30) * DAY_MS;
  return {
    bookings: (n: number): Write => {
      const startsAt = from + Math.floor(n / resourceIds.length) * HOUR_MS;
      return {
        path: '/bookings',
        headers: { authorization },
        body: {
          resource_id: resourceIds[n % resourceIds.length],
          member_id: memberId,
          starts_at: new Date(startsAt).toISOString(),
          ends_at: new Date(startsAt + HOUR_MS / 2).toISOString(),
        },
      };
    },
    orders: (n: number): Write => ({
      path: `/public/events/${stage.eventId}/orders`,
      headers: { 'x-forwarded-for': `10.${n & 255}.${(n >> 8) & 255}.${1 + (n >> 16)}` },
      body: {
        buyer: { name: `Buyer ${n}`, email: `buyer-${n}@example.org` },
        items: [{ ticket_type_id: stage.ticketTypeId, quantity: 1 }],
      },
    }),
    'check-ins': (n: number): Write => ({
      path: '/public/check-ins',
      headers: { authorization },
      body: { location_id: stage.locationId, code: `MEMBER${n + 1}`, scan_id: randomUUID() },
    }),
  };
}

/** Lets clients write at the same time. @throws if a response is not 201. */
async function measure(server: Server, pool: pg.Pool, next: () => Write): Promise<Measured> {
  const clocks = {
    server: startClock([server.pid]),
    database: startClock(await databasePids(pool)),
  };
  const sizeBefore = await readSize(pool);
  const startedAt = performance.now();
  let done = 0;
  const write = async () => {
    const connection = await openConnection(server.url);
    while (performance.now() - startedAt < SECONDS * 1_000) {
      const response = await connection.send(toRequest(next()));
      if (!response.startsWith('HTTP/1.1 201')) throw new Error(response);
      done += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, write));
  const rate = (done / (performance.now() - startedAt)) * 1_000;
  const toMicros = (seconds: number | null) => ((seconds ?? Number.NaN) / done) * 1e6;
  return {
    rate,
    serverMicros: toMicros(clocks.server()),
    databaseMicros: toMicros(clocks.database()),
    bytes: ((await readSize(pool)) - sizeBefore) / done,
  };
}

async function readSize(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query('SELECT pg_database_size(current_database())::float AS bytes');
  return rows[0].bytes;
}

function toRequest({ path, headers, body }: Write): string {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${path} HTTP/1.1`, ...lines, '', text].join('\r\n');
}

function report(results: Map<string, Measured[]>): void {
  console.log(
    `${CLIENTS} clients share ${availableParallelism()} cores with the instance and PostgreSQL`,
  );
  const toLine = (cells: string[]) => cells.map((cell) => cell.padStart(18)).join('');
  console.log(
    toLine(['', 'a second', 'us of instance', 'us of PostgreSQL', 'a core of each', 'bytes']),
  );
  for (const [name, rounds] of results) {
    const typical = (pick: (measured: Measured) => number) => median(rounds.map(pick));
    const micros = [
      typical(({ serverMicros }) => serverMicros),
      typical(({ databaseMicros }) => databaseMicros),
    ];
    const cells = [typical(({ rate }) => rate), ...micros].map((cell) => cell.toFixed(0));
    const aCore = micros.map((each) => (1e6 / each).toFixed(0)).join(', ');
    console.log(toLine([name, ...cells, aCore, typical(({ bytes }) => bytes).toFixed(0)]));
  }
}

const bench = await createDatabase();
if (bench === null) throw new Error('PostgreSQL is not running. Set BENCH_DATABASE_URL.');
build();
const database = await openDatabase({ databaseUrl: bench.url, dataDir: '' });
const traffic = await createTrafficStage(database);
const workload = await createWorkloadStage(database, traffic, MEMBERS);
await database.close();
const server = await startOurs(bench.url, {
  env: { DATABASE_CONNECTIONS: '9', TRUST_PROXY: '1' },
});
try {
  const results = new Map<string, Measured[]>();
  const writes = Object.entries(createWrites(traffic, workload)).map(([name, create]) => {
    let n = 0;
    return { name, next: () => create(n++) };
  });
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const { name, next } of writes) {
      const measured = await measure(server, bench.pool, next);
      if (round > 0) results.set(name, [...(results.get(name) ?? []), measured]); // the first warms up
    }
  report(results);
} finally {
  await server.stop();
  await bench.drop();
}
