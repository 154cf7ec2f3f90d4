import autocannon from 'autocannon';
import { startClock } from './cpu.ts';
import type { BenchRequest } from './paths.ts';
import type { Server } from './servers.ts';

export interface Load {
  rps: number;
  p99: number;
  /** CPU time per response in microseconds, null if the system does not report it. */
  serverMicros: number | null;
  databaseMicros: number | null;
}

const CONNECTIONS = 64;

/** Measures throughput and latency. @throws if a request fails. */
export async function load(
  server: Server,
  requests: BenchRequest[],
  seconds: number,
  databasePids: () => Promise<number[]>,
  connections = CONNECTIONS,
): Promise<Load> {
  const clocks = { server: startClock([server.pid]), database: startClock(await databasePids()) };
  let client = 0;
  const result = await autocannon({
    url: server.url,
    connections,
    duration: seconds,
    requests: requests.slice(0, 1),
    // Every connection sends its own share, so that all requests are in use at any time.
    setupClient: (connection) => {
      const share = requests.filter((_, n) => n % connections === client % connections);
      client += 1;
      if (share.length > 0) connection.setRequests(share);
    },
  });
  const { total } = result.requests;
  const succeeded = result['2xx'] + result['3xx'];
  if (result.errors + result.timeouts > 0 || succeeded < total) {
    throw new Error(`${requests[0]?.path}: ${JSON.stringify(result)}`);
  }
  const micros = (seconds: number | null) => (seconds === null ? null : (seconds / total) * 1e6);
  return {
    rps: total / result.duration,
    p99: result.latency.p99,
    serverMicros: micros(clocks.server()),
    databaseMicros: micros(clocks.database()),
  };
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [(sorted.length - 1) / 2, sorted.length / 2].map(Math.floor);
  return ((sorted[low ?? 0] ?? Number.NaN) + (sorted[high ?? 0] ?? Number.NaN)) / 2;
}
