import type pg from 'pg';
import type { Logger } from 'pino';

/** The database as pg-boss sees it. */
export interface QueueDatabase {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  /** Tries once more to record the jobs that have ended and are not recorded yet. */
  stop(): Promise<void>;
}

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** More need not be remembered: a job whose end is lost expires by itself, and its schedule begins it again. */
const MAX_UNRECORDED = 200;

/**
 * pg-boss 10 does not await the statements by which it records that a job completed or failed. Where one fails, nobody
 * catches it, and Node ends the process. Those statements therefore never fail here: they are retried until the
 * database answers. All others fail as usual, and pg-boss reports and repeats them.
 */
export function openQueueDatabase(pool: pg.Pool, log: Logger): QueueDatabase {
  const unrecorded: { text: string; values: unknown[] }[] = [];
  let retryMs = MIN_RETRY_MS;
  let timer: NodeJS.Timeout | undefined;

  const scheduleRetry = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void retry();
    }, retryMs).unref();
  };

  const retry = async () => {
    for (let next = unrecorded[0]; next !== undefined; next = unrecorded[0]) {
      try {
        await pool.query(next.text, next.values);
      } catch {
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
        return scheduleRetry();
      }
      unrecorded.shift();
    }
    retryMs = MIN_RETRY_MS;
  };

  return {
    executeSql: async (text, values) => {
      if (!recordsEnd(text)) return pool.query(text, values);
      try {
        return await pool.query(text, values);
      } catch (error) {
        if (unrecorded.length === 0)
          log.warn({ err: error }, 'could not record that a job has ended; trying again');
        if (unrecorded.length < MAX_UNRECORDED) unrecorded.push({ text, values });
        scheduleRetry();
        return { rows: [{ count: 0 }] }; // as many as were recorded
      }
    },
    stop: async () => {
      clearTimeout(timer);
      await Promise.allSettled(unrecorded.map(({ text, values }) => pool.query(text, values)));
    },
  };
}

/** Whether it is what `complete()` or `fail()` of pg-boss 10 send: both name the jobs by their ids and give an output. */
const recordsEnd = (text: string) =>
  text.includes('UNNEST($2::uuid[])') && text.includes('$3::jsonb');
