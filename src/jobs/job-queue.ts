import { setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { Context, JobTrigger } from '../context.ts';
import { withSpan } from '../core/tracing.ts';
import { withAdvisoryLock } from '../db/advisory-lock.ts';
import type { Database } from '../db/database.ts';
import type { EmailTransport } from '../integrations/email/smtp.ts';
import type { WebhookTransport } from '../integrations/webhooks/transport.ts';
import { EVERY_MINUTE, type ExternalServices, type Job, jobs } from './job-definitions.ts';

/** Scheduled and triggered jobs, which all instances share through pg-boss in a separate schema of the database. */
export interface JobQueue {
  trigger: JobTrigger;
  /** Starts in the background. Returns before the queue is ready. */
  start(
    ctx: Context,
    mail: EmailTransport | undefined,
    webhooks?: WebhookTransport,
    installation?: ExternalServices['installation'],
  ): void;
  /** Waits for running jobs to finish. */
  stop(): Promise<void>;
}

const START_RETRY_DELAY_MS = 30_000;
const ERROR_LOG_INTERVAL_MS = 60_000;
/** Merges concurrent triggers outside transactions. */
const TRIGGER_DEBOUNCE_MS = 50;
const STOP_GRACE_MS = 8_000;
/** The advisory lock of an instance that starts pg-boss. */
export const START_LOCK = 72_707_370;
/** A job that no instance has taken by then is dropped. */
const MAX_WAIT_HOURS = 12;
/** The default of `maxRunSeconds`. */
const MAX_RUN_SECONDS = 600;

export function createJobQueue(options: {
  database: Database;
  log: Logger;
  jobs?: Job[];
}): JobQueue {
  const { log } = options;
  const definitions = options.jobs ?? jobs;
  const stopping = new AbortController();
  const { signal } = stopping;
  const queueDatabase = createQueueDatabase(options.database.pool, log);
  let boss: PgBoss | undefined;
  let starting: Promise<void> = Promise.resolve();

  const pendingTriggers = new Set<string>();
  const send = async ({ pipelinedSql }: Context, job: string) => {
    const executeSql = async (text: string, values: unknown[]) => ({
      rows: await pipelinedSql(
        { text },
        values.map((value) => value ?? null),
      ),
    });
    await boss?.send(job, {}, { db: { executeSql } });
  };

  const start = async (ctx: Context, services: Omit<ExternalServices, 'signal'>) => {
    while (!signal.aborted) {
      try {
        boss = await startBoss(
          { pool: options.database.pool, queueDatabase, log },
          definitions,
          {
            canRun: ({ canRun }) => canRun?.(services.installation) ?? true,
            run: (job) => runJob(job, ctx, { ...services, signal }),
          },
          signal,
        );
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, 'could not start the job queue; retrying');
        await waitUnlessStopped(START_RETRY_DELAY_MS, signal);
      }
    }
  };

  return {
    trigger: async (ctx, job) => {
      if (ctx.isInTransaction) return send(ctx, job);
      // Concurrent triggers are merged. If one is lost, the schedule starts the job.
      if (pendingTriggers.has(job)) return;
      pendingTriggers.add(job);
      setTimer(() => {
        pendingTriggers.delete(job);
        if (!signal.aborted)
          send(ctx, job).catch((error) => log.warn({ err: error }, 'could not trigger a job'));
      }, TRIGGER_DEBOUNCE_MS).unref();
    },
    start: (ctx, mail, webhooks, installation) => {
      starting = start(ctx, { mail, webhooks, installation });
    },
    stop: async () => {
      stopping.abort();
      await starting;
      await boss?.stop({ graceful: true, wait: true, timeout: STOP_GRACE_MS }).catch((error) => {
        log.warn({ err: error }, 'the job queue did not stop cleanly');
      });
      await queueDatabase.stop();
    },
  };
}

interface Worker {
  canRun(job: Job): boolean;
  run(job: Job): Promise<void>;
}

async function startBoss(
  { pool, queueDatabase, log }: { pool: pg.Pool; queueDatabase: QueueDatabase; log: Logger },
  definitions: Job[],
  worker: Worker,
  signal: AbortSignal,
): Promise<PgBoss> {
  // Imported after the server listens, so that it does not delay the start.
  const { default: Boss } = await import('pg-boss');
  const boss = new Boss({
    db: queueDatabase,
    cronWorkerIntervalSeconds: 10,
    archiveCompletedAfterSeconds: 3_600,
    deleteAfterHours: 6,
    maintenanceIntervalSeconds: 600,
  });
  boss.on(
    'error',
    throttle((error) => {
      if (!signal.aborted) log.error({ err: error }, 'the job queue reported an error');
    }),
  );
  try {
    // pg-boss creates its schema and tables at the first start. Instances that do so at the same time deadlock.
    const startAndRegister = async () => {
      await boss.start();
      await registerJobs(boss, definitions, worker);
    };
    await withAdvisoryLock(pool, START_LOCK, startAndRegister, signal);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  return boss;
}

/**
 * Registers the jobs. Those of every minute also run now: their triggers are lost while no queue runs, and the first schedule is up
 * to 40 seconds away.
 */
async function registerJobs(boss: PgBoss, definitions: Job[], worker: Worker): Promise<void> {
  for (const job of definitions.filter(worker.canRun)) {
    const { name, cron, maxDelaySeconds, maxRunSeconds = MAX_RUN_SECONDS } = job;
    await boss.createQueue(name);
    await boss.schedule(
      name,
      cron,
      {},
      { retryLimit: 0, expireInSeconds: maxRunSeconds, retentionHours: MAX_WAIT_HOURS },
    );
    await boss.work(name, { pollingIntervalSeconds: maxDelaySeconds, batchSize: 100 }, () =>
      worker.run(job),
    );
  }
  const known = new Set(definitions.map(({ name }) => name));
  for (const { name } of await boss.getSchedules()) {
    if (!known.has(name)) await boss.unschedule(name); // from an older version of Foyer
  }
  await boss.insert(
    definitions
      .filter(({ cron }) => cron === EVERY_MINUTE)
      .map(({ name, maxRunSeconds = MAX_RUN_SECONDS }) => ({
        name,
        retryLimit: 0,
        expireInSeconds: maxRunSeconds,
      })),
  );
}

/** Limits log lines, since pg-boss reports a database outage every few seconds. */
function throttle(report: (error: Error) => void): (error: Error) => void {
  let silentUntil = 0;
  return (error) => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + ERROR_LOG_INTERVAL_MS;
    report(error);
  };
}

/** Runs a job and logs its error. A failed job runs again at its next scheduled time. One that the signal ended counts as no run. */
export async function runJob(job: Job, ctx: Context, services: ExternalServices): Promise<void> {
  if (services.signal.aborted) return;
  const { name } = job;
  const startedAt = performance.now();
  const count = (outcome: 'succeeded' | 'failed', error?: string) =>
    ctx.metrics?.countJobRun(name, outcome, (performance.now() - startedAt) / 1000, error);
  try {
    await withSpan(
      ctx.tracer,
      `job ${name}`,
      { root: true, attributes: { 'foyer.job': name } },
      () => job.run({ ...ctx, job: name }, services),
    );
    count('succeeded');
  } catch (error) {
    if (services.signal.aborted && error === services.signal.reason) return;
    count('failed', error instanceof Error ? error.message : String(error));
    ctx.log.error({ err: error, job: name }, 'a job failed');
  }
}

const waitUnlessStopped = (ms: number, signal: AbortSignal) =>
  setTimeout(ms, undefined, { signal, ref: false }).catch(() => {});

/** The database interface that pg-boss uses. */
interface QueueDatabase {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  /** Tries once more to record the ends of jobs that could not be recorded. */
  stop(): Promise<void>;
}

const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;
/** Further ends are dropped: such a job expires, and its schedule starts it again. */
const MAX_UNRECORDED_ENDS = 200;

/**
 * pg-boss 10 does not await the statements by which it records that a job completed or failed. If one fails, the rejection
 * is unhandled, and Node ends the process. Here these statements never fail: they are retried until the database responds.
 * All others fail as usual, and pg-boss reports and repeats them.
 */
function createQueueDatabase(pool: pg.Pool, log: Logger): QueueDatabase {
  const unrecorded: { text: string; values: unknown[] }[] = [];
  let retryMs = MIN_RETRY_DELAY_MS;
  let timer: NodeJS.Timeout | undefined;

  const scheduleRetry = () => {
    timer ??= setTimer(() => {
      timer = undefined;
      void retry();
    }, retryMs).unref();
  };

  const retry = async () => {
    for (let next = unrecorded[0]; next !== undefined; next = unrecorded[0]) {
      try {
        await pool.query(next.text, next.values);
      } catch {
        retryMs = Math.min(retryMs * 2, MAX_RETRY_DELAY_MS);
        return scheduleRetry();
      }
      unrecorded.shift();
    }
    retryMs = MIN_RETRY_DELAY_MS;
  };

  return {
    executeSql: async (text, values) => {
      if (!endsJobs(values)) return pool.query(text, values);
      try {
        return await pool.query(text, values);
      } catch (error) {
        if (unrecorded.length === 0)
          log.warn({ err: error }, 'could not record that a job has ended; retrying');
        if (unrecorded.length < MAX_UNRECORDED_ENDS) unrecorded.push({ text, values });
        scheduleRetry();
        return { rows: [{ count: 0 }] }; // the number of recorded jobs
      }
    },
    stop: async () => {
      clearTimeout(timer);
      await Promise.allSettled(unrecorded.map(({ text, values }) => pool.query(text, values)));
    },
  };
}

/**
 * Whether a statement records that jobs have ended. Only `complete()` and `fail()` of pg-boss pass three values: a queue, the ids of
 * jobs and an output. Its own worker, which starts scheduled jobs, calls them too.
 */
export const endsJobs = (values: unknown[] = []) => values.length === 3 && Array.isArray(values[1]);
