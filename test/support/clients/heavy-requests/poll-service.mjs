import { setTimeout } from 'node:timers/promises';

// Asks for /healthz and for a public list all the time, from an address of its own, and reports for how long each has waited.

const PAUSE_MS = 20;
const HEADERS = { 'x-forwarded-for': '198.51.100.1' };

const [url] = process.argv.slice(2);
const waits = { health: [], honest: [] };

async function poll(path, name) {
  for (;;) {
    const started = performance.now();
    const response = await fetch(url + path, { headers: HEADERS });
    await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    waits[name].push(performance.now() - started);
    await setTimeout(PAUSE_MS);
  }
}

process.on('message', () => {
  process.send(waits);
  waits.health = [];
  waits.honest = [];
});
void poll('/healthz', 'health');
void poll('/public/events?limit=5', 'honest');
