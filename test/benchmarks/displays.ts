import type pg from 'pg';
import { load, median } from './load.ts';
import type { BenchRequest } from './paths.ts';
import { addEtags } from './same-responses.ts';
import type { Server } from './servers.ts';

/** Compares the routes that devices poll with an empty handler. */
export interface DeviceCost {
  name: string;
  target: number;
  ratio: number;
  rounds: number[];
  oursPerSecond: number;
  emptyPerSecond: number;
  /** Statements that write heartbeats, and the heartbeats that they write, per second. */
  writesPerSecond: number;
  heartbeatsPerSecond: number;
}

const CONNECTIONS = 200;

export async function measureDevices(
  pool: pg.Pool,
  { ours, empty }: { ours: Server; empty: Server },
  deviceTokens: string[],
  timing: { rounds: number; seconds: number; warmUp: number },
): Promise<DeviceCost[]> {
  await pool.query(COUNTER);
  const get = (path: string): BenchRequest => ({ method: 'GET', path, headers: {} });
  const states = deviceTokens.slice(0, 2_000).map((token) => get(`/displays/state/${token}`));
  return [
    await measureRoute(
      'GET /displays/heartbeat/{token}',
      deviceTokens.map((token) => get(`/displays/heartbeat/${token}`)),
    ),
    await measureRoute('GET /displays/state/{token}, 304', await addEtags(states, ours.url)),
  ];

  async function measureRoute(name: string, requests: BenchRequest[]): Promise<DeviceCost> {
    const runLoad = (server: Server, seconds: number) =>
      load(server, requests, seconds, async () => [], CONNECTIONS);
    await runLoad(ours, timing.warmUp);
    await runLoad(empty, timing.warmUp);
    const rounds: { ours: number; empty: number }[] = [];
    const written = { statements: 0, heartbeats: 0, seconds: 0 };
    for (let round = 0; round < timing.rounds; round += 1) {
      const { rps: emptyRps } = await runLoad(empty, timing.seconds);
      const before = await count();
      const startedAt = performance.now();
      const { rps } = await runLoad(ours, timing.seconds);
      const after = await count();
      written.statements += after.statements - before.statements;
      written.heartbeats += after.heartbeats - before.heartbeats;
      written.seconds += (performance.now() - startedAt) / 1_000;
      rounds.push({ ours: rps, empty: emptyRps });
    }
    return {
      name,
      target: 0.5,
      ratio: median(rounds.map((round) => round.ours / round.empty)),
      rounds: rounds.map((round) => round.ours / round.empty),
      oursPerSecond: median(rounds.map((round) => round.ours)),
      emptyPerSecond: median(rounds.map((round) => round.empty)),
      writesPerSecond: written.statements / written.seconds,
      heartbeatsPerSecond: written.heartbeats / written.seconds,
    };
  }

  async function count(): Promise<{ statements: number; heartbeats: number }> {
    const { rows } = await pool.query(
      `SELECT statements, n_tup_upd::int AS heartbeats FROM bench_writes, pg_stat_user_tables WHERE relname = 'display_heartbeats'`,
    );
    return rows[0];
  }
}

const COUNTER = `
  CREATE TABLE bench_writes AS SELECT 0 AS statements;
  CREATE FUNCTION bench_count() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE bench_writes SET statements = statements + 1;
    RETURN NULL;
  END $$;
  CREATE TRIGGER bench_count AFTER UPDATE ON display_heartbeats
    FOR EACH STATEMENT EXECUTE FUNCTION bench_count();`;
