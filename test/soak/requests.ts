import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import {
  type Blocking,
  createBlockingMeter,
  MAX_BLOCKING_RATIO,
} from '../support/clients/heavy-requests/measure-blocking.ts';
import { startHeavyRequestStage } from '../support/clients/heavy-requests/stage.ts';
import { createTemplates } from '../support/harness/database.ts';

// Sends every heavy request to the service on an embedded database, measures for how long each blocks the event loop, and how long
// another client waits for /healthz meanwhile. With --only, sends the requests that match a pattern. With --every, sends one of n.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
  },
});
const MAX_LISTED = 25;
const PROGRESS_EVERY = 2_000;

const directory = await mkdtemp(join(tmpdir(), 'foyer-requests-'));
process.env.TEST_RUN = directory;
await createTemplates();
const { app, requests } = await startHeavyRequestStage();
const pattern = new RegExp(values.only);
const chosen = requests.filter(
  ({ name }, n) => n % Number(values.every) === 0 && pattern.test(name),
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
await app.stop();
await rm(directory, { recursive: true });
process.exit(tooLong.length === 0 ? 0 : 1);
