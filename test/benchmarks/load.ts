import autocannon from 'autocannon';
import { startClock } from './cpu.ts';
import type { Ask } from './paths.ts';
import type { Server } from './servers.ts';

export interface Load {
  rps: number;
  p99: number;
  /** Processor time of one answer in microseconds, where the system tells. */
  serverMicros: number | null;
  databaseMicros: number | null;
}

const CONNECTIONS = 64;

/** Throws when an answer is not the expected one. */
export async function load(
  server: Server,
  asks: Ask[],
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
    requests: asks.slice(0, 1),
    // Every connection asks for its own share, so that all of them are asked for at any time.
    setupClient: (connection) => {
      const share = asks.filter((_, n) => n % connections === client % connections);
      client += 1;
      if (share.length > 0) connection.setRequests(share);
    },
  });
  const { total } = result.requests;
  const good = result['2xx'] + result['3xx'];
  if (result.errors + result.timeouts > 0 || good < total) {
    throw new Error(`${asks[0]?.path}: ${JSON.stringify(result)}`);
  }
  const micros = (seconds: number | null) => (seconds === null ? null : (seconds / total) * 1e6);
  return {
    rps: total / result.duration,
    p99: result.latency.p99,
    serverMicros: micros(clocks.server()),
    databaseMicros: micros(clocks.database()),
  };
}
