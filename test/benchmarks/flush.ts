import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSecret } from '../../src/auth/tokens.ts';
import { openEmbedded } from '../../src/db/embedded/embedded-database.ts';
import { createStage, type OperationStage } from '../soak/power/operations.ts';
import { killAll, type Service, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';
import { disk } from './slow-disk.mjs';

// What flushes cost on the embedded database: bookings and heartbeats over HTTP without flushes, and with flushes that take
// 0, 5 and 10 ms longer, in the background or blocking the process. Set TMPDIR to a directory in memory, so that only these delays count.

const {
  seconds: SECONDS,
  clients,
  delays,
  isCheck,
} = readSizes({ seconds: [5, 0.5] }, 'clients', 'delays');
/** Lists such as `--clients 1,8`. */
const CLIENTS = (clients ?? (isCheck ? '2' : '1,8,32')).split(',').map(Number);
const DELAYS = (delays ?? (isCheck ? '0' : '0,5,10')).split(',');
const SLOW_DISK = fileURLToPath(new URL('slow-disk.mjs', import.meta.url));
const DISPLAYS = 200;
const HALF_HOUR_MS = 1_800_000;

interface Mode {
  name: string;
  env: { DATA_FSYNC?: 'off'; FLUSH_DELAY_MS?: string; FLUSH_BLOCKS?: '1' };
}

const MODES: Mode[] = [
  { name: 'no flushes', env: { DATA_FSYNC: 'off' } },
  ...DELAYS.flatMap((delay): Mode[] => [
    { name: `${delay} ms, in the background`, env: { FLUSH_DELAY_MS: delay } },
    { name: `${delay} ms, blocking`, env: { FLUSH_DELAY_MS: delay, FLUSH_BLOCKS: '1' } },
  ]),
];

interface Counts {
  flushes: number;
  bytes: number;
}

const directory = mkdtempSync(join(tmpdir(), 'foyer-flush-'));
const countsFile = join(directory, 'counts');
let slot = 0;

async function main(): Promise<void> {
  const template = join(directory, 'template');
  const stage = await createStage(template, 1);
  const tokens = await addDisplays(template);
  const dataDir = join(directory, 'main');
  for (const mode of MODES) {
    cpSync(template, dataDir, { recursive: true });
    await measureInserts(dataDir, mode);
  }
  for (const mode of MODES) {
    cpSync(template, dataDir, { recursive: true });
    slot = 0;
    const service = await startService({
      DATA_FSYNC: 'on',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      NODE_OPTIONS: `--import=${SLOW_DISK}`,
      FLUSH_COUNTS: countsFile,
      ...mode.env,
    });
    for (const clients of CLIENTS)
      await measure(service, `${mode.name}, ${clients} clients, bookings`, clients, () =>
        createBooking(service, stage),
      );
    await measure(service, `${mode.name}, 8 clients, heartbeats`, 8, (n) =>
      sendHeartbeat(service, tokens[n % tokens.length] ?? ''),
    );
    await service.stop();
    rmSync(dataDir, { recursive: true });
  }
}

/** Inserts rows without HTTP and rules, in this process. */
async function measureInserts(dataDir: string, { name, env }: Mode): Promise<void> {
  disk.delayMs = Number(env.FLUSH_DELAY_MS ?? 0);
  disk.blocks = env.FLUSH_BLOCKS === '1';
  const { pool, close } = await openEmbedded(dataDir, { fsync: env.DATA_FSYNC !== 'off' });
  await pool.query('CREATE TABLE inserted (id bigserial PRIMARY KEY, text text)');
  const insert = {
    name: 'insert',
    text: 'INSERT INTO inserted (text) VALUES ($1)',
    values: ['x'.repeat(100)],
  };
  for (const clients of CLIENTS) {
    await pool.query(insert);
    const before = { ...disk };
    const started = performance.now();
    const until = started + SECONDS * 1_000;
    let count = 0;
    const client = async () => {
      while (performance.now() < until) {
        await pool.query(insert);
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    const rate = (count * 1_000) / (performance.now() - started);
    const flushes = (disk.flushes - before.flushes) / count;
    const bytes = Math.round((disk.bytes - before.bytes) / count);
    console.log(
      `${name}, ${clients} clients, inserts: ${rate.toFixed(0)}/s, ${flushes.toFixed(3)} flushes and ${bytes} bytes each`,
    );
  }
  await close();
  disk.delayMs = 0;
  rmSync(dataDir, { recursive: true });
}

async function measure(
  service: Service,
  name: string,
  clients: number,
  sendRequest: (n: number) => Promise<void>,
): Promise<void> {
  await sendRequest(0);
  const before = await readCounts(service);
  const waits: number[] = [];
  const started = performance.now();
  const until = started + SECONDS * 1_000;
  let longestProbe = 0;
  let n = 0;
  const probe = async () => {
    while (performance.now() < until) {
      const sent = performance.now();
      await fetch(`${service.url}/healthz`);
      longestProbe = Math.max(longestProbe, performance.now() - sent);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const client = async () => {
    while (performance.now() < until) {
      const sent = performance.now();
      n += 1;
      await sendRequest(n);
      waits.push(performance.now() - sent);
    }
  };
  await Promise.all([probe(), ...Array.from({ length: clients }, client)]);
  const seconds = (performance.now() - started) / 1_000;
  const after = await readCounts(service);
  waits.sort((a, b) => a - b);
  const per = (key: keyof Counts) => (after[key] - before[key]) / waits.length;
  const wait = (share: number) => (waits[Math.floor((waits.length - 1) * share)] ?? 0).toFixed(1);
  console.log(
    `${name}: ${(waits.length / seconds).toFixed(1)}/s, median ${wait(0.5)} ms, p99 ${wait(0.99)} ms, ` +
      `${per('flushes').toFixed(3)} flushes and ${Math.round(per('bytes'))} bytes each, /healthz at most ${longestProbe.toFixed(0)} ms`,
  );
}

async function createBooking({ url }: Service, stage: OperationStage): Promise<void> {
  const { resourceIds, memberId, token } = stage;
  const start =
    new Date().setUTCHours(24, 0, 0, 0) + Math.floor(slot / resourceIds.length) * 2 * HALF_HOUR_MS;
  const body = {
    resource_id: resourceIds[slot % resourceIds.length],
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + HALF_HOUR_MS).toISOString(),
    member_id: memberId,
  };
  slot += 1;
  await send(`${url}/bookings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const sendHeartbeat = ({ url }: Service, token: string) =>
  send(`${url}/displays/heartbeat`, { headers: { authorization: `Bearer ${token}` } });

async function send(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
}

async function addDisplays(dataDir: string): Promise<string[]> {
  const secrets = Array.from({ length: DISPLAYS }, () => createSecret('deviceToken'));
  const connection = await openEmbedded(dataDir, { fsync: false });
  await connection.pool.query(
    `INSERT INTO displays (id, location_id, name, kind, token_hash, token_prefix)
     SELECT gen_random_uuid(), l.id, 'Screen ' || n, 'welcome', hash, prefix
     FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS s (hash, prefix, n), (SELECT id FROM locations LIMIT 1) l`,
    [secrets.map(({ hash }) => Buffer.from(hash)), secrets.map(({ prefix }) => prefix)],
  );
  await connection.close();
  return secrets.map(({ plainText }) => plainText);
}

async function readCounts(service: Service): Promise<Counts> {
  rmSync(countsFile, { force: true });
  service.signal('SIGUSR2');
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    try {
      const line = readFileSync(countsFile, 'utf8').trim();
      if (line !== '') return JSON.parse(line);
    } catch {
      // The file does not exist yet.
    }
  }
}

try {
  await main();
} finally {
  killAll();
  rmSync(directory, { recursive: true, force: true });
}
