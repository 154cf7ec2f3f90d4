import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withSpan } from '../../src/core/tracing.ts';
import { startCollector } from '../support/fakes/collector.ts';
import { readSizes } from '../support/harness/script-sizes.ts';
import { databasePids } from './cpu.ts';
import { fillBookings, fillLocations, readKnownRows, SMALL_SIZE } from './data.ts';
import { createDatabase } from './database.ts';
import { type Load, load, median } from './load.ts';
import { type BenchRequest, createPaths } from './paths.ts';
import { build, type Server, startOurs } from './servers.ts';

// What the export of traces costs, and what the calls of the instrumentation cost without it: npm run bench:telemetry

const options = readSizes({ rounds: [12, 1], seconds: [2, 0.5] });
const { rounds: ROUNDS, seconds: SECONDS } = options;
const WARM_UP_SECONDS = options.isCheck ? 0.5 : 3;
const QUERY = 'GraphQL bookings(first: 20)';
const COUNTED_REQUESTS = 50;
const CALLS = 5_000_000;

const database = await createDatabase();
if (database === null) throw new Error('PostgreSQL is not running. Set BENCH_DATABASE_URL.');
const { url, pool, drop } = database;
const receiver = await startReceiver();
const exporting = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
const sampled = {
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.05',
};
/** The second one without an endpoint shows how much two servers of the same kind differ. */
const SETTINGS: [name: string, env: Record<string, string>][] = [
  ['without an endpoint', {}],
  ['without an endpoint, again', {}],
  ['with an endpoint, 5% of the requests', { ...exporting, ...sampled }],
  ['with an endpoint', exporting],
];
const servers: Server[] = [];
try {
  build();
  const data = await fillLocations(pool, SMALL_SIZE);
  await fillBookings(pool, SMALL_SIZE.bookings);
  const paths = createPaths(data, await readKnownRows(pool));
  const { requests = [], connections } = paths.find(({ name }) => name === QUERY) ?? {};
  for (const [, env] of SETTINGS) servers.push(await startOurs(url, { env }));

  const run = (server: Server, seconds: number) =>
    load(server, requests, seconds, () => databasePids(pool), connections);
  for (const server of servers) await run(server, WARM_UP_SECONDS);
  const rounds: Load[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const loads: Load[] = [];
    // Each begins a round as often as the others.
    for (let n = 0; n < servers.length; n += 1) {
      const turn = (round + n) % servers.length;
      loads[turn] = await run(servers[turn] as Server, SECONDS);
    }
    rounds.push(loads);
  }
  console.log(`${QUERY}, ${ROUNDS} rounds of ${SECONDS} seconds`);
  for (const [n, [name]] of SETTINGS.entries()) console.log(describe(name, rounds, n));

  const spans = await countSpans(requests[0] as BenchRequest);
  const nanoseconds = await measureCall();
  console.log(
    `Without an endpoint, each of the ${spans} places of this request that could start a span costs at most ${nanoseconds.toFixed(1)} ns:` +
      ` ${(spans * nanoseconds).toFixed(0)} ns a request.`,
  );
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  receiver.stop();
  await drop();
}

/** Compares the servers with the first one in each round. */
function describe(name: string, rounds: Load[][], n: number): string {
  const toRatio = (read: (load: Load) => number) =>
    median(rounds.map((loads) => read(loads[n] as Load) / read(loads[0] as Load))).toFixed(3);
  const rate = median(rounds.map((loads) => loads[n]?.rps ?? Number.NaN)).toFixed(0);
  return (
    `  ${name.padEnd(38)} ${rate.padStart(6)} requests/s (${toRatio(({ rps }) => rps)}), processor time` +
    ` of the instance ${toRatio(({ serverMicros }) => serverMicros ?? Number.NaN)}`
  );
}

/** Counts the spans of a request at a server that exports all of them. */
async function countSpans({ path, body, headers, method }: BenchRequest): Promise<number> {
  const collector = await startCollector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  };
  const server = await startOurs(url, { env });
  for (let n = 0; n < COUNTED_REQUESTS; n += 1)
    await (await fetch(server.url + path, { method, headers, body: body ?? null })).text();
  await server.stop(); // exports what is left
  await collector.stop();
  const traces = new Map<string, number>();
  for (const { traceId } of collector.spans) traces.set(traceId, (traces.get(traceId) ?? 0) + 1);
  const own = collector.spans.filter(({ name }) => name === `${method} ${path}`);
  return median(own.map(({ traceId }) => traces.get(traceId) ?? 0));
}

/** Returns the nanoseconds of a call of `withSpan` without a tracer, with the loop around it: no less than what it adds to its work. */
async function measureCall(): Promise<number> {
  const result = Promise.resolve();
  const work = () => result;
  const attributes = { 'foyer.command': 'x' };
  const measure = async () => {
    let last = result;
    const started = performance.now();
    for (let n = 0; n < CALLS; n += 1) last = withSpan(undefined, 'query', { attributes }, work);
    const nanoseconds = (1e6 * (performance.now() - started)) / CALLS;
    await last;
    return nanoseconds;
  };
  const measured: number[] = [];
  for (let round = 0; round < 10; round += 1) measured.push(await measure());
  return median(measured.slice(3));
}

/** A receiver of OTLP that reads what arrives and keeps nothing. */
async function startReceiver() {
  const server = createServer((req, res) => {
    req.resume().on('end', () => res.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
