import type pg from 'pg';
import { load } from './load.ts';
import { median } from './median.ts';
import type { Ask } from './paths.ts';
import { withVersions } from './same.ts';
import type { Server } from './servers.ts';

/** Compares the routes that devices poll with a handler that does nothing. */
export interface DeviceCost {
  name: string;
  aim: number;
  ratio: number;
  rounds: number[];
  oursPerSecond: number;
  nothingPerSecond: number;
  /** Statements that wrote pulses, and the pulses that they wrote, in a second. */
  writesPerSecond: number;
  pulsesPerSecond: number;
}

const CONNECTIONS = 200;

export async function deviceCosts(
  pool: pg.Pool,
  { ours, nothing }: { ours: Server; nothing: Server },
  deviceTokens: string[],
  timing: { rounds: number; seconds: number; warmUp: number },
): Promise<DeviceCost[]> {
  await pool.query(COUNTER);
  const get = (path: string): Ask => ({ method: 'GET', path, headers: {} });
  const states = deviceTokens.slice(0, 2_000).map((token) => get(`/displays/state/${token}`));
  return [
    await costOf(
      'GET /displays/heartbeat/{token}',
      deviceTokens.map((token) => get(`/displays/heartbeat/${token}`)),
    ),
    await costOf('GET /displays/state/{token}, 304', await withVersions(states, ours.url)),
  ];

  async function costOf(name: string, asks: Ask[]): Promise<DeviceCost> {
    const loaded = (server: Server, seconds: number) =>
      load(server, asks, seconds, async () => [], CONNECTIONS);
    await loaded(ours, timing.warmUp);
    await loaded(nothing, timing.warmUp);
    const rounds: { ours: number; nothing: number }[] = [];
    const written = { statements: 0, pulses: 0, seconds: 0 };
    for (let round = 0; round < timing.rounds; round += 1) {
      const { rps: nothingRps } = await loaded(nothing, timing.seconds);
      const before = await count();
      const began = performance.now();
      const { rps } = await loaded(ours, timing.seconds);
      const after = await count();
      written.statements += after.statements - before.statements;
      written.pulses += after.pulses - before.pulses;
      written.seconds += (performance.now() - began) / 1_000;
      rounds.push({ ours: rps, nothing: nothingRps });
    }
    return {
      name,
      aim: 0.5,
      ratio: median(rounds.map((round) => round.ours / round.nothing)),
      rounds: rounds.map((round) => round.ours / round.nothing),
      oursPerSecond: median(rounds.map((round) => round.ours)),
      nothingPerSecond: median(rounds.map((round) => round.nothing)),
      writesPerSecond: written.statements / written.seconds,
      pulsesPerSecond: written.pulses / written.seconds,
    };
  }

  async function count(): Promise<{ statements: number; pulses: number }> {
    const { rows } = await pool.query(
      `SELECT statements, n_tup_upd::int AS pulses FROM bench_writes, pg_stat_user_tables WHERE relname = 'display_heartbeats'`,
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
