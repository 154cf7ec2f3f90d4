import { setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { Context, JobTrigger } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { EmailTransport } from '../integrations/email/smtp.ts';
import type { WebhookTransport } from '../integrations/webhooks/transport.ts';
import { type ExternalServices, type Job, jobs } from './job-definitions.ts';

/** Timed and woken work, shared by all instances through a schema of its own in the database: pg-boss. */
export interface JobQueue {
  trigger: JobTrigger;
  /** Does not wait for the first job, nor for the queue to be there. */
  start(ctx: Context, mail: EmailTransport | undefined, webhooks?: WebhookTransport): void;
  /** Lets what is begun come to its end. */
  stop(): Promise<void>;
}

const START_RETRY_DELAY_MS = 30_000;
const ERROR_LOG_INTERVAL_MS = 60_000;
/** Who wakes a job outside of a transaction is not alone in a rush. */
const TRIGGER_DEBOUNCE_MS = 50;
const STOP_GRACE_MS = 8_000;
/** A job whose process was killed is given up after this; its next time comes anyhow. */
const MAX_RUN_SECONDS = 600;

export function createJobQueue(given: { database: Database; log: Logger; jobs?: Job[] }): JobQueue {
  const { log } = given;
  const list = given.jobs ?? jobs;
  const stopping = new AbortController();
  const { signal } = stopping;
  const queueDatabase = createQueueDatabase(given.database.pool, log);
  let boss: PgBoss | undefined;
  let starting: Promise<void> = Promise.resolve();

  const asked = new Set<string>();
  const send = async ({ pipelinedSql }: Context, job: string) => {
    const executeSql = async (text: string, values: unknown[]) => ({
      rows: await pipelinedSql(
        { text },
        values.map((value) => value ?? null),
      ),
    });
    await boss?.send(job, {}, { db: { executeSql } });
  };

  const start = async (ctx: Context, outside: Omit<ExternalServices, 'signal'>) => {
    while (!signal.aborted) {
      try {
        boss = await startBoss(
          { queueDatabase, log },
          list,
          (job) => runJob(job, ctx, { ...outside, signal }),
          signal,
        );
        return;
      } catch (error) {
        log.error({ err: error }, 'timed work could not begin; trying again');
        await waitUnlessStopped(START_RETRY_DELAY_MS, signal);
      }
    }
  };

  return {
    trigger: async (ctx, job) => {
      if (ctx.isInTransaction) return send(ctx, job);
      // What many ask for at once is asked for once; should it be lost, the schedule sees to it.
      if (asked.has(job)) return;
      asked.add(job);
      setTimer(() => {
        asked.delete(job);
        if (!signal.aborted)
          send(ctx, job).catch((error) => log.warn({ err: error }, 'no job was woken'));
      }, TRIGGER_DEBOUNCE_MS).unref();
    },
    start: (ctx, mail, webhooks) => {
      starting = start(ctx, { mail, webhooks });
    },
    stop: async () => {
      stopping.abort();
      await starting;
      await boss?.stop({ graceful: true, wait: true, timeout: STOP_GRACE_MS }).catch((error) => {
        log.warn({ err: error }, 'timed work did not end well');
      });
      await queueDatabase.stop();
    },
  };
}

type RunJob = (job: Job) => Promise<void>;

async function startBoss(
  { queueDatabase, log }: { queueDatabase: QueueDatabase; log: Logger },
  list: Job[],
  run: RunJob,
  signal: AbortSignal,
): Promise<PgBoss> {
  // Loaded here, after the service listens: nobody waits for it.
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
      if (!signal.aborted) log.error({ err: error }, 'the queue of timed work had a problem');
    }),
  );
  try {
    await boss.start();
    await registerJobs(boss, list, run);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  return boss;
}

async function registerJobs(boss: PgBoss, list: Job[], run: RunJob): Promise<void> {
  for (const job of list) {
    const { name, cron, maxDelaySeconds } = job;
    await boss.createQueue(name);
    await boss.schedule(name, cron, {}, { retryLimit: 0, expireInSeconds: MAX_RUN_SECONDS });
    await boss.work(name, { pollingIntervalSeconds: maxDelaySeconds, batchSize: 100 }, () =>
      run(job),
    );
  }
  const known = new Set(list.map(({ name }) => name));
  for (const { name } of await boss.getSchedules()) {
    if (!known.has(name)) await boss.unschedule(name); // of an older Foyer
  }
}

/** A database that is down is looked for every few seconds, which nobody wants to read. */
function throttle(tell: (error: Error) => void): (error: Error) => void {
  let silentUntil = 0;
  return (error) => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + ERROR_LOG_INTERVAL_MS;
    tell(error);
  };
}

/** A job that fails is tried again at its next time; what went wrong is in the log and ends nothing. */
async function runJob(job: Job, ctx: Context, outside: ExternalServices): Promise<void> {
  if (outside.signal.aborted) return;
  try {
    await job.run(ctx, outside);
  } catch (error) {
    ctx.log.error({ err: error, job: job.name }, 'a job failed');
  }
}

const waitUnlessStopped = (ms: number, signal: AbortSignal) =>
  setTimeout(ms, undefined, { signal, ref: false }).catch(() => {});

/** The database as pg-boss sees it. */
interface QueueDatabase {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  /** Tries once more to record the jobs that have ended and are not recorded yet. */
  stop(): Promise<void>;
}

const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;
/** More need not be remembered: a job whose end is lost expires by itself, and its schedule begins it again. */
const MAX_UNRECORDED_ENDS = 200;

/**
 * pg-boss 10 does not await the statements by which it records that a job completed or failed. Where one fails, nobody
 * catches it, and Node ends the process. Those statements therefore never fail here: they are retried until the
 * database answers. All others fail as usual, and pg-boss reports and repeats them.
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
      if (!isJobEndStatement(text)) return pool.query(text, values);
      try {
        return await pool.query(text, values);
      } catch (error) {
        if (unrecorded.length === 0)
          log.warn({ err: error }, 'could not record that a job has ended; trying again');
        if (unrecorded.length < MAX_UNRECORDED_ENDS) unrecorded.push({ text, values });
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
const isJobEndStatement = (text: string) =>
  text.includes('UNNEST($2::uuid[])') && text.includes('$3::jsonb');
