import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { databasePids, startClock } from '../benchmarks/cpu.ts';
import { FULL_SIZE, fillBookings, fillLocations, SMALL_SIZE } from '../benchmarks/data.ts';
import { createDatabase } from '../benchmarks/database.ts';
import { median } from '../benchmarks/load.ts';
import { startOurs } from '../benchmarks/servers.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// A million displays are registered, and some of them are in use, at the pace that the service asks for: each polls its state and sends
// heartbeats, while bookings change what they show. Prints what one instance and PostgreSQL need for them.

const { active, displays, minutes, isCheck } = readSizes({
  active: [50_000, 100],
  displays: [1_000_000, 2_000],
  minutes: [2, 0.1],
});
const SOCKETS = 128;
const CHANGE_EVERY_MS = 5_000;

interface Pace {
  poll_after_seconds: number;
  heartbeat_after_seconds: number;
}

interface Polled {
  status: number;
  etag: string | undefined;
  text: string;
  ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });

const request = (url: string, etag?: string): Promise<Polled> =>
  new Promise((resolve, reject) => {
    const sentAt = performance.now();
    get(url, { agent, headers: etag ? { 'if-none-match': etag } : {} }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      res.on('end', () => {
        const { statusCode: status = 0, headers } = res;
        resolve({ status, etag: headers.etag, text, ms: performance.now() - sentAt });
      });
    }).on('error', reject);
  });

const database = await createDatabase();
if (database === null) throw new Error('PostgreSQL is not running. Set BENCH_DATABASE_URL.');
const { url: databaseUrl, pool, drop } = database;
/** Changes the title of the next booking of a room, which its panels show. */
const changeRoom = () =>
  pool.query(
    `UPDATE bookings SET title = 'Changed ' || now() WHERE id = (SELECT id FROM bookings
      WHERE starts_at > now() AND status = 'confirmed' ORDER BY random() LIMIT 1)`,
  );

const size = { ...(isCheck ? SMALL_SIZE : FULL_SIZE), displays };
const { deviceTokens } = await fillLocations(pool, size);
await fillBookings(pool, size.bookings);
await pool.query('ALTER TABLE bookings ENABLE TRIGGER USER');
const service = await startOurs(databaseUrl);
try {
  await simulate(deviceTokens.slice(0, active));
} finally {
  await service.stop();
  await drop();
}

async function simulate(tokens: string[]): Promise<void> {
  const { pace } = await readPace(tokens[0] ?? '');
  const etags = new Array<string | undefined>(tokens.length).fill(undefined);
  const statuses = new Map<string, number>();
  const waits: number[] = [];
  const failed: unknown[] = [];
  const count = (kind: string, { status, ms }: Polled) => {
    const outcome = `${kind} ${status}`;
    statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
    if (waits.length < 1_000_000) waits.push(ms);
  };
  const poll = async (n: number) => {
    const polled = await request(`${service.url}/displays/state/${tokens[n]}`, etags[n]);
    etags[n] = polled.etag ?? etags[n];
    count('state', polled);
  };
  const beat = async (n: number) =>
    count('heartbeat', await request(`${service.url}/displays/heartbeat/${tokens[n]}`));

  /** Sends each display's request once in so many seconds, evenly, and returns how to stop. */
  const send = (work: (n: number) => Promise<void>, seconds: number) => {
    const startedAt = performance.now();
    let sent = 0;
    return setInterval(() => {
      const due = ((performance.now() - startedAt) / 1_000 / seconds) * tokens.length;
      for (; sent < due; sent += 1) work(sent % tokens.length).catch((error) => failed.push(error));
    }, 10);
  };

  const timers = [
    send(poll, pace.poll_after_seconds),
    send(beat, pace.heartbeat_after_seconds),
    setInterval(() => changeRoom().catch((error) => failed.push(error)), CHANGE_EVERY_MS),
  ];
  await pause(pace.poll_after_seconds * 1_000); // until each has an ETag
  statuses.clear();
  waits.length = 0;
  const clocks = {
    server: startClock([service.pid]),
    database: startClock(await databasePids(pool)),
  };
  const startedAt = performance.now();
  await pause(minutes * 60_000);
  const seconds = (performance.now() - startedAt) / 1_000;
  const [server, databaseTime] = [clocks.server() ?? 0, clocks.database() ?? 0];
  const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1];
  for (const timer of timers) clearInterval(timer);
  await pause(1_000);
  agent.destroy();

  const total = [...statuses.values()].reduce((sum, number) => sum + number, 0);
  const unchanged = statuses.get('state 304') ?? 0;
  const polls = unchanged + (statuses.get('state 200') ?? 0);
  const sorted = waits.toSorted((a, b) => a - b);
  console.log(
    `${tokens.length} of ${displays} displays for ${Math.round(seconds)} s, a poll each ${pace.poll_after_seconds} s and a heartbeat each ${pace.heartbeat_after_seconds} s:`,
  );
  for (const [status, number] of [...statuses].sort()) console.log(`  ${status}: ${number}`);
  console.log(
    `${Math.round(total / seconds)} requests/s, ${((unchanged / polls) * 100).toFixed(1)} % of polls get 304, ` +
      `median ${median(sorted).toFixed(1)} ms, p99 ${sorted[Math.floor(sorted.length * 0.99)]?.toFixed(1)} ms`,
  );
  console.log(
    `the instance: ${((server / seconds) * 100).toFixed(0)} % of a core, ${Math.round(Number(memory) / 1_024)} MB; PostgreSQL: ${((databaseTime / seconds) * 100).toFixed(0)} % of a core`,
  );
  console.log(
    `calculated for ${displays} displays: ${((server / seconds / tokens.length) * displays).toFixed(1)} cores of instances, ${((databaseTime / seconds / tokens.length) * displays).toFixed(1)} cores of PostgreSQL`,
  );
  if (failed.length > 0) throw new Error(`${failed.length} requests failed`, { cause: failed[0] });
}

async function readPace(token: string): Promise<{ pace: Pace }> {
  const { text } = await request(`${service.url}/displays/state/${token}`);
  return { pace: JSON.parse(text).data };
}
