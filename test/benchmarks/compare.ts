import { type Load, load } from './load.ts';
import { median } from './median.ts';
import type { Ask, Path } from './paths.ts';
import { mustBeTheSame, withVersions } from './same.ts';
import type { Server } from './servers.ts';

export interface Servers {
  ours: Server;
  /** The ways in which raw may reach the database. */
  raw: { pool: Server; pipeline: Server };
}

export interface Comparison {
  path: string;
  aim: number;
  /** Ours by raw: the median of the rounds. */
  ratio: number;
  rounds: number[];
  rawClient: 'pool' | 'pipeline';
  ours: Load;
  raw: Load;
}

/** Ours and raw in turn, several times; for raw, the way of reaching the database that is faster here. */
export async function compare(
  path: Path,
  { ours, raw }: Servers,
  { rounds, seconds, warmUp }: { rounds: number; seconds: number; warmUp: number },
  pids: () => Promise<number[]>,
): Promise<Comparison> {
  await mustBeTheSame(path, ours.url, raw.pipeline.url);
  const asksOf = async (server: Server): Promise<Ask[]> =>
    path.revalidates ? withVersions(path.asks, server.url) : path.asks;
  const asks = { ours: await asksOf(ours), raw: await asksOf(raw.pipeline) };

  const loaded = (server: Server, asks: Ask[], seconds: number) =>
    load(server, asks, seconds, pids, path.connections);
  await loaded(ours, asks.ours, warmUp);
  const pool = await loaded(raw.pool, asks.raw, warmUp);
  const pipeline = await loaded(raw.pipeline, asks.raw, warmUp);
  const rawClient = pool.rps > pipeline.rps ? 'pool' : 'pipeline';

  const measured: { ours: Load; raw: Load }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push({
      raw: await loaded(raw[rawClient], asks.raw, seconds),
      ours: await loaded(ours, asks.ours, seconds),
    });
  }
  const ratios = measured.map((round) => round.ours.rps / round.raw.rps);
  return {
    path: path.name,
    aim: path.aim,
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
  const known = numbers.filter((number) => number !== null);
  return known.length === numbers.length ? median(known) : null;
}
