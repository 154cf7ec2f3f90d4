import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';

const INTERVAL_MS = 60_000;
/** Between two statements, so that the requests that have waited meanwhile are answered first. */
const PAUSE_MS = 250;

/** The thresholds of PostgreSQL's autovacuum. */
const FIND_WORK = `
  SELECT format('%I', relname) AS name,
    n_dead_tup > 50 + 0.2 * reltuples OR n_ins_since_vacuum > 1000 + 0.2 * reltuples AS "needsVacuum",
    n_mod_since_analyze > 50 + 0.1 * reltuples AS "needsAnalyze"
  FROM pg_stat_all_tables JOIN (SELECT oid, greatest(reltuples, 0) AS reltuples FROM pg_class) c ON c.oid = relid
  WHERE schemaname = ANY (current_schemas(true)) AND schemaname NOT LIKE 'pg\\_t%'`;

interface Work {
  name: string;
  needsVacuum: boolean;
  needsAnalyze: boolean;
}

interface Housekeeping {
  stop(): Promise<void>;
}

/**
 * Does what autovacuum and the checkpointer do on a server; the embedded database has neither. All requests wait for a statement
 * of it, so it handles only the tables that need it, one statement at a time.
 */
export function startHousekeeping(
  pool: pg.Pool,
  { isPaused, log }: { isPaused: () => boolean; log?: Logger | undefined },
): Housekeeping {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (isPaused()) return; // it needs space, and a checkpoint without space would crash the database
    running ??= keepHouse(pool, stopping.signal)
      .catch((error) => {
        if (!stopping.signal.aborted) log?.warn({ err: error }, 'housekeeping failed; trying again');
      })
      .finally(() => {
        running = undefined;
      });
  }, INTERVAL_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

/** Vacuums and analyzes the tables that need it, and writes the changed pages, so that the log does not grow. */
export async function keepHouse(pool: pg.Pool, signal?: AbortSignal): Promise<void> {
  const { rows } = await pool.query<Work>(FIND_WORK);
  const statements = rows.flatMap(({ name, needsVacuum, needsAnalyze }) => [
    ...(needsVacuum ? [`VACUUM ${name}`] : []),
    ...(needsAnalyze ? [`ANALYZE ${name}`] : []),
  ]);
  for (const statement of statements) {
    await pool.query(statement);
    await delay(PAUSE_MS, undefined, { signal, ref: false });
  }
  await pool.query('CHECKPOINT');
}
