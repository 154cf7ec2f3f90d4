import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { HOUR_MS, MINUTE_MS } from '../../core/time/time-zone.ts';

const INTERVAL_MS = MINUTE_MS;
/** Between two statements, so that the requests that have waited meanwhile are answered first. */
const PAUSE_MS = 250;

// PostgreSQL would replay this much of its log after a crash. Half of max_wal_size, as on a server.
const MAX_WAL_BYTES = 32 * 1024 ** 2;
/** A checkpoint that is only due by time is not worth its writes for less. */
const MIN_WAL_BYTES = 1024 ** 2;
const MAX_CHECKPOINT_AGE_MS = HOUR_MS;

interface Housekeeping {
  stop(): Promise<void>;
}

/**
 * Does what autovacuum and the checkpointer do on a server; the embedded database has neither. All requests wait for each of its
 * statements, so it handles only the tables that need it, one statement at a time.
 */
export function startHousekeeping(
  pool: pg.Pool,
  { isPaused, log }: { isPaused: () => boolean; log?: Logger | undefined },
): Housekeeping {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (isPaused()) return; // it needs space, and a checkpoint without space would crash the database
    const onError = (error: unknown) => {
      if (!signal.aborted) log?.warn({ err: error }, 'housekeeping failed; trying again');
    };
    running ??= runHousekeeping(pool, { signal, onError })
      .catch(onError)
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

interface HousekeepingOptions {
  signal?: AbortSignal;
  pauseMs?: number;
  /** Is called with the error of a statement. The others are run nevertheless. */
  onError?: (error: unknown) => void;
}

/** Runs what is due: vacuums and analyzes tables, and writes a checkpoint. */
export async function runHousekeeping(
  pool: pg.Pool,
  { signal, pauseMs = PAUSE_MS, onError }: HousekeepingOptions = {},
): Promise<void> {
  const run = async (statement: string) => {
    await pool.query(statement).catch(onError);
    await delay(pauseMs, undefined, { signal, ref: false });
  };
  const { rows: tables } = await pool.query<TableWork>(FIND_TABLE_WORK);
  for (const { name, needsVacuum, needsAnalyze } of tables) {
    if (needsVacuum) await run(`VACUUM ${name}`);
    if (needsAnalyze) await run(`ANALYZE ${name}`);
  }
  const { rows: checkpoints } = await pool.query<LastCheckpoint>(FIND_LAST_CHECKPOINT);
  if (checkpoints.some(isCheckpointDue)) await run('CHECKPOINT');
}

interface TableWork {
  name: string;
  needsVacuum: boolean;
  needsAnalyze: boolean;
}

// The thresholds of PostgreSQL's autovacuum
const FIND_TABLE_WORK = `
  SELECT relid::regclass::text AS name,
    n_dead_tup > 50 + 0.2 * rows OR n_ins_since_vacuum > 1000 + 0.2 * rows AS "needsVacuum",
    n_mod_since_analyze > 50 + 0.1 * rows AS "needsAnalyze"
  FROM pg_stat_all_tables, LATERAL (SELECT greatest(reltuples, 0) AS rows FROM pg_class WHERE oid = relid) c
  WHERE schemaname NOT LIKE 'pg\\_t%'
    AND (n_dead_tup > 50 OR n_ins_since_vacuum > 1000 OR n_mod_since_analyze > 50)`;

interface LastCheckpoint {
  walBytes: number;
  ageMs: number;
}

const FIND_LAST_CHECKPOINT = `
  SELECT (pg_current_wal_insert_lsn() - redo_lsn)::float8 AS "walBytes",
    extract(epoch FROM clock_timestamp() - checkpoint_time)::float8 * 1000 AS "ageMs"
  FROM pg_control_checkpoint()`;

const isCheckpointDue = ({ walBytes, ageMs }: LastCheckpoint) =>
  walBytes > MAX_WAL_BYTES || (walBytes > MIN_WAL_BYTES && ageMs > MAX_CHECKPOINT_AGE_MS);
