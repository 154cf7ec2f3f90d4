import { setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { Ctx, Wake } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Transport } from '../mail/transport.ts';
import type { WebhookTransport } from '../webhooks/transport.ts';
import { type Job, jobs, type Outside } from './jobs.ts';
import { openQueueDatabase, type QueueDatabase } from './queue-database.ts';

/** Timed and woken work, shared by all instances through a schema of its own in the database: pg-boss. */
export interface Queue {
  wake: Wake;
  /** Does not wait for the first job, nor for the queue to be there. */
  start(ctx: Ctx, mail: Transport | undefined, webhooks?: WebhookTransport): void;
  /** Lets what is begun come to its end. */
  stop(): Promise<void>;
}

const TRY_AGAIN_MS = 30_000;
const TELL_EVERY_MS = 60_000;
/** Who wakes a job outside of a transaction is not alone in a rush. */
const GATHER_MS = 50;
const GRACE_MS = 8_000;
/** A job whose process was killed is given up after this; its next time comes anyhow. */
const LONGEST_RUN_SECONDS = 600;

export function createQueue(given: { database: Database; log: Logger; jobs?: Job[] }): Queue {
  const { log } = given;
  const list = given.jobs ?? jobs;
  const stopping = new AbortController();
  const { signal } = stopping;
  const queueDatabase = openQueueDatabase(given.database.pool, log);
  let boss: PgBoss | undefined;
  let starting: Promise<void> = Promise.resolve();

  const asked = new Set<string>();
  const send = async ({ sql }: Ctx, job: string) => {
    const executeSql = async (text: string, values: unknown[]) => ({
      rows: await sql(
        { text },
        values.map((value) => value ?? null),
      ),
    });
    await boss?.send(job, {}, { db: { executeSql } });
  };

  const start = async (ctx: Ctx, outside: Omit<Outside, 'signal'>) => {
    while (!signal.aborted) {
      try {
        boss = await begin(
          { queueDatabase, log },
          list,
          (job) => run(job, ctx, { ...outside, signal }),
          signal,
        );
        return;
      } catch (error) {
        log.error({ err: error }, 'timed work could not begin; trying again');
        await pause(TRY_AGAIN_MS, signal);
      }
    }
  };

  return {
    wake: async (ctx, job) => {
      if (ctx.atomic) return send(ctx, job);
      // What many ask for at once is asked for once; should it be lost, the schedule sees to it.
      if (asked.has(job)) return;
      asked.add(job);
      setTimer(() => {
        asked.delete(job);
        if (!signal.aborted)
          send(ctx, job).catch((error) => log.warn({ err: error }, 'no job was woken'));
      }, GATHER_MS).unref();
    },
    start: (ctx, mail, webhooks) => {
      starting = start(ctx, { mail, webhooks });
    },
    stop: async () => {
      stopping.abort();
      await starting;
      await boss?.stop({ graceful: true, wait: true, timeout: GRACE_MS }).catch((error) => {
        log.warn({ err: error }, 'timed work did not end well');
      });
      await queueDatabase.stop();
    },
  };
}

type Run = (job: Job) => Promise<void>;

async function begin(
  { queueDatabase, log }: { queueDatabase: QueueDatabase; log: Logger },
  list: Job[],
  run: Run,
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
    seldom((error) => {
      if (!signal.aborted) log.error({ err: error }, 'the queue of timed work had a problem');
    }),
  );
  try {
    await boss.start();
    await takeUp(boss, list, run);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  return boss;
}

async function takeUp(boss: PgBoss, list: Job[], run: Run): Promise<void> {
  for (const job of list) {
    const { name, cron, withinSeconds } = job;
    await boss.createQueue(name);
    await boss.schedule(name, cron, {}, { retryLimit: 0, expireInSeconds: LONGEST_RUN_SECONDS });
    await boss.work(name, { pollingIntervalSeconds: withinSeconds, batchSize: 100 }, () =>
      run(job),
    );
  }
  const known = new Set(list.map(({ name }) => name));
  for (const { name } of await boss.getSchedules()) {
    if (!known.has(name)) await boss.unschedule(name); // of an older Foyer
  }
}

/** A database that is down is looked for every few seconds, which nobody wants to read. */
function seldom(tell: (error: Error) => void): (error: Error) => void {
  let silentUntil = 0;
  return (error) => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + TELL_EVERY_MS;
    tell(error);
  };
}

/** A job that fails is tried again at its next time; what went wrong is in the log and ends nothing. */
async function run(job: Job, ctx: Ctx, outside: Outside): Promise<void> {
  if (outside.signal.aborted) return;
  try {
    await job.run(ctx, outside);
  } catch (error) {
    ctx.log.error({ err: error, job: job.name }, 'a job failed');
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  setTimeout(ms, undefined, { signal, ref: false }).catch(() => {});
