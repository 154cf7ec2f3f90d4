import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  type FloodResult,
  listFloods,
  measureFloods,
} from '../support/clients/heavy-requests/floods.ts';
import {
  type Blocking,
  createBlockingMeter,
  MAX_BLOCKING_RATIO,
} from '../support/clients/heavy-requests/measure-blocking.ts';
import { startHeavyRequestStage } from '../support/clients/heavy-requests/stage.ts';
import { createTemplates } from '../support/harness/database.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Sends every heavy request to the service on an embedded database, measures for how long each blocks the event loop, and how long
// another client waits for /healthz meanwhile. Then it floods the service with the heaviest of each API on many connections from one
// address, and measures how long /healthz and a caller from another address wait.

const {
  every: EVERY,
  connections,
  seconds,
  isCheck,
  // `--only <pattern>` sends only the requests whose names match, and `--part requests` or `--part floods` leaves out the other part.
  only = '',
  part = 'all',
  ...limits
} = readSizes(
  {
    /** Sends one of so many requests. */
    every: [1, 5_000],
    connections: [300, 2],
    seconds: [10, 0.2],
    /** How long others may wait during a flood. */
    'max-health-ms': [200, 200],
    'max-honest-ms': [400, 400],
  },
  'only',
  'part',
);
const MAX_LISTED = 25;
const PROGRESS_EVERY = 2_000;

const directory = await mkdtemp(join(tmpdir(), 'foyer-requests-'));
process.env.TEST_RUN = directory;
await createTemplates();
const { app, requests } = await startHeavyRequestStage();
const pattern = new RegExp(only);
const chosen = requests.filter(
  ({ name }, n) => part !== 'floods' && n % EVERY === 0 && pattern.test(name),
);
console.log(`${chosen.length} of ${requests.length} requests`);

const meter = createBlockingMeter(app.port, { maxTries: 1 });
const health = new Worker(
  new URL('../support/clients/heavy-requests/poll-health.mjs', import.meta.url),
  { workerData: { url: app.url } },
);
const measured: (Blocking & { healthMs: number })[] = [];
const started = performance.now();
for (const request of chosen) {
  const blocking = await meter.measure(request);
  health.postMessage('read');
  const [healthMs] = (await once(health, 'message')) as [number];
  measured.push({ ...blocking, healthMs });
  if (blocking.ratio > MAX_BLOCKING_RATIO) print(measured.at(-1));
  if (measured.length % PROGRESS_EVERY === 0) console.log(`${measured.length} of ${chosen.length}`);
}
await health.terminate();
await meter.close();

function print(row: (Blocking & { healthMs: number }) | undefined): void {
  if (row === undefined) return;
  const { name, status, ms, ratio, healthMs, responseBytes } = row;
  console.log(
    `  ${ratio.toFixed(1).padStart(8)} ${ms.toFixed(0).padStart(7)} ms  healthz ${healthMs.toFixed(0).padStart(6)} ms  ` +
      `${status} ${String(responseBytes).padStart(8)} bytes  ${name}`,
  );
}

const minutes = (performance.now() - started) / 60_000;
const statuses = new Map<number, number>();
for (const { status } of measured) statuses.set(status, (statuses.get(status) ?? 0) + 1);
console.log(`\nIn ${minutes.toFixed(1)} minutes. The longest, as a multiple of parsing the body:`);
for (const row of measured.toSorted((a, b) => b.ratio - a.ratio).slice(0, MAX_LISTED)) print(row);
console.log('\nThe largest responses:');
for (const row of measured.toSorted((a, b) => b.responseBytes - a.responseBytes).slice(0, 5))
  print(row);
console.log('\nThe longest waits for /healthz:');
for (const row of measured.toSorted((a, b) => b.healthMs - a.healthMs).slice(0, 5)) print(row);
for (const [status, count] of statuses) console.log(`  ${status}: ${count} requests`);
const tooLong = measured.filter(({ ratio }) => ratio > MAX_BLOCKING_RATIO);
console.log(
  tooLong.length === 0
    ? `\nNo request blocked the service for more than ${MAX_BLOCKING_RATIO} times as long as parsing takes.`
    : `\nFAILED: ${tooLong.length} requests blocked the service for too long`,
);
const areWaitsShort = part === 'single' || (await flood());
await app.stop();
await rm(directory, { recursive: true });
process.exit(isCheck || (tooLong.length === 0 && areWaitsShort) ? 0 : 1);

/** Floods the service, and prints how long others wait. Returns whether nobody waits too long. */
async function flood(): Promise<boolean> {
  const event = await app.ctx.db.event.findFirstOrThrow({ where: { status: 'published' } });
  const floods = listFloods(event.id, await app.token('*'));
  const waits = ({ median, longest }: FloodResult['health'], limit: number) =>
    `${median.toFixed()} | ${longest.toFixed()}${longest > limit ? ' TOO LONG' : ''}`;
  const maxHealthMs = limits['max-health-ms'];
  const maxHonestMs = limits['max-honest-ms'];
  let isShort = true;
  console.log(`\n${connections} connections from one address, ${seconds} s each:\n`);
  console.log(
    '| request | per second | statuses | /healthz: median | longest (ms) | others: median | longest (ms) |',
  );
  console.log('|---|---|---|---|---|---|---|');
  await measureFloods(
    app.url,
    floods,
    { connections, seconds },
    ({ name, perSecond, statuses, health, honest }) => {
      isShort &&= health.longest <= maxHealthMs && honest.longest <= maxHonestMs;
      console.log(
        `| ${name} | ${perSecond.toFixed()} | ${JSON.stringify(statuses)} | ${waits(health, maxHealthMs)} | ${waits(honest, maxHonestMs)} |`,
      );
    },
  );
  return isShort;
}
