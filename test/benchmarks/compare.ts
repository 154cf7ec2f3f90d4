import { type Load, load, median } from './load.ts';
import type { BenchRequest, Path } from './paths.ts';
import { addEtags, assertSameResponses } from './same-responses.ts';
import type { Server } from './servers.ts';

export interface Servers {
  ours: Server;
  /** The raw server with each kind of database client. */
  raw: { pool: Server; pipeline: Server };
}

export interface Comparison {
  path: string;
  target: number;
  /** Ours divided by raw, the median of the rounds. */
  ratio: number;
  rounds: number[];
  rawClient: 'pool' | 'pipeline';
  ours: Load;
  raw: Load;
}

/** Measures ours and raw alternately, with the faster database client for raw. */
export async function compare(
  path: Path,
  { ours, raw }: Servers,
  { rounds, seconds, warmUp }: { rounds: number; seconds: number; warmUp: number },
  pids: () => Promise<number[]>,
): Promise<Comparison> {
  await assertSameResponses(path, ours.url, raw.pipeline.url);
  const getRequests = async (server: Server): Promise<BenchRequest[]> =>
    path.revalidates ? addEtags(path.requests, server.url) : path.requests;
  const requests = { ours: await getRequests(ours), raw: await getRequests(raw.pipeline) };

  const runLoad = (server: Server, requests: BenchRequest[], seconds: number) =>
    load(server, requests, seconds, pids, path.connections);
  await runLoad(ours, requests.ours, warmUp);
  const pool = await runLoad(raw.pool, requests.raw, warmUp);
  const pipeline = await runLoad(raw.pipeline, requests.raw, warmUp);
  const rawClient = pool.rps > pipeline.rps ? 'pool' : 'pipeline';

  const measured: { ours: Load; raw: Load }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push({
      raw: await runLoad(raw[rawClient], requests.raw, seconds),
      ours: await runLoad(ours, requests.ours, seconds),
    });
  }
  const ratios = measured.map((round) => round.ours.rps / round.raw.rps);
  return {
    path: path.name,
    target: path.target,
    ratio: median(ratios),
    rounds: ratios,
    rawClient,
    ours: typical(measured.map((round) => round.ours)),
    raw: typical(measured.map((round) => round.raw)),
  };
}

const typical = (loads: Load[]): Load => ({
  rps: median(loads.map(({ rps }) => rps)),
  p99: median(loads.map(({ p99 }) => p99)),
  serverMicros: medianOrNull(loads.map(({ serverMicros }) => serverMicros)),
  databaseMicros: medianOrNull(loads.map(({ databaseMicros }) => databaseMicros)),
});

function medianOrNull(numbers: (number | null)[]): number | null {
  const data = numbers.filter((number) => number !== null);
  return data.length === numbers.length ? median(data) : null;
}
