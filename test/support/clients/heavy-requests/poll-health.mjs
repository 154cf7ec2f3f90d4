import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

// Asks for /healthz all the time, on connections of its own, and reports the longest time until a response.

const PAUSE_MS = 5;

let longestMs = 0;
parentPort.on('message', () => {
  parentPort.postMessage(longestMs);
  longestMs = 0;
});
for (;;) {
  const started = performance.now();
  const { status } = await fetch(`${workerData.url}/healthz`);
  if (status !== 200) throw new Error(`/healthz answered ${status}`);
  longestMs = Math.max(longestMs, performance.now() - started);
  await setTimeout(PAUSE_MS);
}
