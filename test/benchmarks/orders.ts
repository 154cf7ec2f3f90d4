import pg from 'pg';
import { createSale } from '../support/factories/race-stages.ts';
import { readSizes } from '../support/harness/script-sizes.ts';
import { databasePids, startClock } from './cpu.ts';
import { type BenchDatabase, createDatabase } from './database.ts';
import { median } from './load.ts';
import { type OrderLoad, runBuyers } from './order-load.ts';
import { build, type Server, startOurs } from './servers.ts';

// Measures how many orders of one event the service places per second, with and without an Idempotency-Key, and how long
// 64 buyers and a single buyer wait. `--baseline=<directory>` measures another built checkout alternately, with a
// database of its own, and prints how the two compare.

const options = readSizes({ rounds: [3, 1], seconds: [5, 0.5], buyers: [64, 4] }, 'baseline');
const { rounds: ROUNDS, seconds: SECONDS, buyers: BUYERS } = options;
const WARM_UP_SECONDS = options.isCheck ? 0.5 : 2;
const TICKETS = 100_000_000;
const DAY_MS = 24 * 3_600_000;
const ENV = { TRUST_PROXY: '1' };

interface Measured extends OrderLoad {
  /** CPU time per order in microseconds. */
  serverMicros: number;
  databaseMicros: number;
}

const MODES = [
  { name: `${BUYERS} buyers`, buyers: BUYERS, withKeys: false },
  { name: `${BUYERS} buyers, with a key`, buyers: BUYERS, withKeys: true },
  { name: '1 buyer', buyers: 1, withKeys: false },
  { name: '1 buyer, with a key', buyers: 1, withKeys: true },
];

/** A server with a database of its own and an event on sale. */
interface Subject {
  server: Server;
  database: BenchDatabase;
  sale: { event: string; ticketTypeId: string };
}

const subjects = new Map<string, Subject>();
try {
  build();
  subjects.set('this', await createSubject());
  if (options.baseline) subjects.set('baseline', await createSubject(options.baseline));
  const results = new Map<string, Measured[]>();
  const statementRates: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = round === 0 ? WARM_UP_SECONDS : SECONDS;
    const rate = await runGuardedStatement(seconds);
    if (round > 0) statementRates.push(rate);
    for (const mode of MODES) {
      for (const [name, subject] of subjects) {
        const measured = await measure(subject, mode, seconds);
        if (round > 0) {
          const key = `${mode.name}|${name}`;
          results.set(key, [...(results.get(key) ?? []), measured]);
        }
      }
    }
  }
  report(results, median(statementRates));
} finally {
  for (const { server, database } of subjects.values()) {
    await server.stop();
    await database.drop();
  }
}

/** Starts a built checkout, by default this one. It migrates its database itself. */
async function createSubject(directory = '.'): Promise<Subject> {
  const database = await createDatabase({ suffix: `_${subjects.size}`, isMigrated: false });
  if (database === null) throw new Error('PostgreSQL is not running. Set BENCH_DATABASE_URL.');
  const server = await startOurs(database.url, { env: ENV, directory });
  const sale = await createSale(database, TICKETS, new Date(Date.now() + 30 * DAY_MS));
  return { server, database, sale };
}

async function measure(
  { server, database, sale }: Subject,
  { buyers, withKeys }: (typeof MODES)[number],
  seconds: number,
): Promise<Measured> {
  const clocks = {
    server: startClock([server.pid]),
    database: startClock(await databasePids(database.pool)),
  };
  const load = await runBuyers({ ...sale, withKeys, url: server.url }, buyers, seconds);
  const micros = (seconds: number | null) => ((seconds ?? Number.NaN) / load.orders) * 1e6;
  return {
    ...load,
    serverMicros: micros(clocks.server()),
    databaseMicros: micros(clocks.database()),
  };
}

/** The guarded update of the counter alone, for comparison: what one row allows, with a connection for each processor. */
async function runGuardedStatement(seconds: number): Promise<number> {
  const connections = 8;
  const url = subjects.get('this')?.database.url;
  const clients = new pg.Pool({ connectionString: url, max: connections });
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        await clients.query({
          name: 'guarded',
          text: `UPDATE events SET reserved_count = reserved_count + 1
            WHERE slug = $1 AND (capacity IS NULL OR reserved_count < capacity)`,
          values: ['big-night'],
        });
        count += 1;
      }
    }),
  );
  await clients.query(`UPDATE events e SET reserved_count =
    (SELECT count(*) FROM tickets t WHERE t.event_id = e.id AND t.status IN ('held', 'valid'))`);
  await clients.end();
  return count / seconds;
}

function report(results: Map<string, Measured[]>, statementRate: number): void {
  const line = (cells: string[]) =>
    cells.map((cell, n) => (n < 2 ? cell.padEnd(24) : cell.padStart(12))).join('');
  console.log(`guarded statement alone: ${statementRate.toFixed(0)}/s`);
  console.log(
    line(['', '', 'orders/s', 'of rounds', 'median ms', 'p99 ms', 'CPU us', 'of database']),
  );
  for (const [key, rounds] of results) {
    const typical = (pick: (measured: Measured) => number) => median(rounds.map(pick));
    const rates = rounds.map(({ rate }) => rate);
    console.log(
      line([
        ...key.split('|'),
        typical(({ rate }) => rate).toFixed(0),
        `${Math.min(...rates).toFixed(0)}-${Math.max(...rates).toFixed(0)}`,
        typical(({ medianMs }) => medianMs).toFixed(1),
        typical(({ p99Ms }) => p99Ms).toFixed(1),
        typical(({ serverMicros }) => serverMicros).toFixed(0),
        typical(({ databaseMicros }) => databaseMicros).toFixed(0),
      ]),
    );
  }
  for (const { name } of MODES) {
    const [mine, theirs] = ['this', 'baseline'].map((subject) => results.get(`${name}|${subject}`));
    if (mine && theirs) console.log(`${name}: ${toChange(mine, theirs)}`);
  }
}

/** How this checkout compares to the baseline. The rounds are pairs that ran one after the other. */
function toChange(mine: Measured[], theirs: Measured[]): string {
  const change = (pick: (measured: Measured) => number) => {
    const ratios = mine.map((measured, n) => pick(measured) / pick(theirs[n] as Measured));
    const percent = (median(ratios) - 1) * 100;
    return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`;
  };
  const cpu = change(({ serverMicros, databaseMicros }) => serverMicros + databaseMicros);
  return `${change(({ rate }) => rate)} orders/s, ${cpu} CPU of server and database`;
}
