import { setTimeout } from 'node:timers/promises';
import { findNextAttempt, type RetrySchedule } from './retry-schedule.ts';
import { withSpan } from './tracing.ts';
import {
  getLeaseEnd,
  keepLeases,
  type Leased,
  type LeaseEnvironment,
  type LeaseKeeper,
} from './work-leases.ts';
import type { AttemptResult } from './work-metrics.ts';

// Emails, webhooks, refunds and provider events are processed in the same way: any number of workers in any number of
// processes lease due work from a table, attempt it, and settle the result. One statement leases the work by postponing its
// next attempt, before this attempt begins. Other workers therefore leave the work alone, and after a crash it becomes due
// again. Work can be attempted twice, so attempts must be idempotent. Decision 25 says why this is not a queue of pg-boss.

export type { Leased };

/** One row of a table of work. */
export interface WorkItem {
  id: string;
  /** Including the attempt that begins now. */
  attempts: number;
}

/** How an attempt failed. */
interface AttemptFailure {
  /** For staff; stored with the work. */
  error: string;
  /** Logged instead of `error`, where the error may name a person. */
  logged?: object;
  /** Until when the other side asked to wait. The next attempt is not made earlier. */
  notBefore?: Date | null;
  /** Set if other work would fail as well: this run leases nothing more. */
  endsRun?: boolean;
  /** The error that the attempt threw, if any. */
  thrown?: unknown;
}

/** How an attempt ended. `Details` are stored with it. */
export type AttemptOutcome<Details = unknown> = { details?: Details } & (
  | { kind: 'succeeded' }
  /** The attempt has already stored its result. */
  | { kind: 'settled' }
  /** Shutdown cut the attempt short, so it does not count. */
  | { kind: 'interrupted' }
  | ({ kind: 'retry' } & AttemptFailure)
  /** No further attempt would succeed. */
  | ({ kind: 'rejected' } & AttemptFailure)
);

/** The new state of the work after an attempt. */
export type Settlement =
  | { state: 'succeeded' }
  | { state: 'waiting'; nextAttemptAt: Date; error: string }
  /** Given up: the work was rejected, or this was its last attempt. */
  | { state: 'failed'; error: string }
  /** The attempt does not count, and the work is due immediately. */
  | { state: 'released'; nextAttemptAt: Date };

/** Returns the columns to update after a failure; `whenFailed` are those of work that is given up. */
export function toFailureData<const Columns extends object>(
  settlement: Exclude<Settlement, { state: 'succeeded' }>,
  whenFailed: Columns,
) {
  switch (settlement.state) {
    case 'released':
      return { attempts: { decrement: 1 }, nextAttemptAt: settlement.nextAttemptAt };
    case 'waiting':
      return { lastError: settlement.error, nextAttemptAt: settlement.nextAttemptAt };
    case 'failed':
      return { lastError: settlement.error, ...whenFailed };
  }
}

/** One kind of work: its table, its order and its attempts. `runWorkQueue` does the rest. */
export interface WorkQueue<Item extends WorkItem, Details = unknown> {
  /** Names the work in the log. */
  name: string;
  schedule: RetrySchedule;
  /** How many attempts one worker makes at a time. */
  concurrency: number;
  /** At most `limit` of these attempts have the same key, so that one key cannot delay the others. */
  perKey?: { limit: number; getKey(item: Item): string };
  /**
   * Leases the next due work in one statement (FOR UPDATE SKIP LOCKED) that sets its next attempt to `until`. Skips work
   * with `busyKeys`, which have reached their limit.
   */
  lease(until: Date, busyKeys: string[]): Promise<Item | undefined>;
  /** Extends the leases that have not expired or ended, in one statement, and returns the ids of these items. */
  renew(items: Leased<Item>[], until: Date): Promise<string[]>;
  attempt(item: Leased<Item>, signal?: AbortSignal): Promise<AttemptOutcome<Details>>;
  settle(
    item: Leased<Item>,
    settlement: Settlement,
    details: Details | undefined,
  ): Promise<unknown>;
}

/** How often to look for new work while attempts are running. */
const POLL_INTERVAL_MS = 500;
/** The next run does the rest. */
const MAX_RUN_MS = 120_000;
const MAX_ITEMS_PER_RUN = 1_000;

/**
 * Does all due work. When `signal` aborts, it leases nothing more, releases work that has not begun, and waits for the
 * running attempts.
 *
 * @returns how many items were leased, and how many of them succeeded.
 * @throws the first error of a statement of the queue, after the running attempts have ended.
 */
export async function runWorkQueue<Item extends WorkItem, Details>(
  queue: WorkQueue<Item, Details>,
  environment: LeaseEnvironment,
  signal?: AbortSignal,
): Promise<{ leased: number; succeeded: number }> {
  const { concurrency, perKey } = queue;
  const leases = keepLeases(queue, environment);
  const running = new Map<Promise<void>, string | undefined>();
  const deadline = performance.now() + MAX_RUN_MS;
  const errors: unknown[] = [];
  let leased = 0;
  let succeeded = 0;
  let isEnded = false;

  const canLease = () =>
    !isEnded &&
    !signal?.aborted &&
    leased < MAX_ITEMS_PER_RUN &&
    running.size < concurrency &&
    performance.now() < deadline;

  const begin = (item: Leased<Item>) => {
    const work = attemptLeased(queue, leases, item, environment, signal)
      .then((outcome) => {
        if (outcome.kind === 'succeeded') succeeded += 1;
        if ('endsRun' in outcome && outcome.endsRun) isEnded = true;
      })
      .catch((error) => {
        errors.push(error);
        isEnded = true;
      })
      .finally(() => running.delete(work));
    running.set(work, perKey?.getKey(item));
  };

  try {
    for (;;) {
      // Other work can be leased once an attempt has ended, which may happen while the statement runs.
      let runningBefore = 0;
      while (canLease()) {
        runningBefore = running.size;
        const leasedUntil = getLeaseEnd(environment);
        const item = await queue.lease(
          leasedUntil,
          findBusyKeys([...running.values()], perKey?.limit),
        );
        if (item === undefined) break;
        leased += 1;
        begin({ ...item, leasedUntil });
      }
      if (running.size > 0)
        await waitForAny([...running.keys()], canLease() ? POLL_INTERVAL_MS : undefined);
      else if (runningBefore === 0) break;
    }
  } finally {
    await Promise.all(running.keys());
    leases.stop();
  }
  if (errors.length > 0) throw errors[0];
  return { leased, succeeded };
}

const findBusyKeys = (keys: (string | undefined)[], limit = Number.POSITIVE_INFINITY): string[] =>
  [...new Set(keys)].filter(
    (key) => key !== undefined && keys.filter((other) => other === key).length >= limit,
  ) as string[];

/** Waits until one of the attempts has ended or the timeout has passed. */
async function waitForAny(attempts: Promise<void>[], timeoutMs: number | undefined): Promise<void> {
  if (timeoutMs === undefined) return Promise.race(attempts);
  const timer = new AbortController();
  const timeout = setTimeout(timeoutMs, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([...attempts, timeout]);
  timer.abort();
}

/**
 * Makes one attempt at leased work and settles it by the schedule of its queue.
 *
 * @throws the error of `settle`. Errors of `attempt` become an outcome.
 */
export async function makeAttempt<Item extends WorkItem, Details>(
  queue: WorkQueue<Item, Details>,
  item: Leased<Item>,
  environment: LeaseEnvironment,
): Promise<AttemptOutcome<Details>> {
  const leases = keepLeases(queue, environment);
  try {
    return await attemptLeased(queue, leases, item, environment);
  } finally {
    leases.stop();
  }
}

/** Makes the attempt in a span of its own, in which the outcome stands. */
function attemptLeased<Item extends WorkItem, Details>(
  queue: WorkQueue<Item, Details>,
  leases: LeaseKeeper<Item>,
  item: Leased<Item>,
  environment: LeaseEnvironment,
  signal?: AbortSignal,
): Promise<AttemptOutcome<Details>> {
  const { name } = queue;
  const attributes = { 'foyer.queue': name, 'foyer.id': item.id, 'foyer.attempts': item.attempts };
  return withSpan(environment.tracer, `attempt ${name}`, { attributes }, async (span) => {
    const outcome = await attemptAndSettle(queue, leases, item, environment, signal);
    span?.setAttribute('foyer.outcome', outcome.kind);
    return outcome;
  });
}

async function attemptAndSettle<Item extends WorkItem, Details>(
  queue: WorkQueue<Item, Details>,
  leases: LeaseKeeper<Item>,
  item: Leased<Item>,
  { now, log, metrics }: LeaseEnvironment,
  signal?: AbortSignal,
): Promise<AttemptOutcome<Details>> {
  leases.hold(item);
  const startedAt = performance.now();
  const outcome: AttemptOutcome<Details> = signal?.aborted
    ? { kind: 'interrupted' }
    : await attemptSafely(queue, item, signal);
  await leases.release(item);
  const outage = 'endsRun' in outcome && outcome.endsRun ? outcome.error : undefined;
  const count = (result: AttemptResult) =>
    metrics?.countAttempt(queue.name, result, (performance.now() - startedAt) / 1000, outage);
  if (outcome.kind === 'settled') {
    count('settled');
    return outcome;
  }
  const settlement = toSettlement(outcome, queue.schedule, item.attempts, now());
  count(settlement.state === 'waiting' ? 'retried' : settlement.state);
  await queue.settle(item, settlement, outcome.details);
  if (outcome.kind === 'retry' || outcome.kind === 'rejected') {
    const { error, logged = { error }, thrown } = outcome;
    log.warn(
      {
        queue: queue.name,
        id: item.id,
        attempts: item.attempts,
        ...logged,
        ...(thrown === undefined ? {} : { err: thrown }),
      },
      settlement.state === 'failed' ? 'work failed; giving up' : 'work failed; retrying later',
    );
  }
  return outcome;
}

async function attemptSafely<Item extends WorkItem, Details>(
  queue: WorkQueue<Item, Details>,
  item: Leased<Item>,
  signal: AbortSignal | undefined,
): Promise<AttemptOutcome<Details>> {
  try {
    return await queue.attempt(item, signal);
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : String(thrown);
    return { kind: 'retry', error, thrown };
  }
}

/** Longer messages of a failed attempt are cut off before they are stored. */
export const MAX_ERROR_LENGTH = 500;

function toSettlement(
  outcome: Exclude<AttemptOutcome, { kind: 'settled' }>,
  schedule: RetrySchedule,
  attempts: number,
  now: Date,
): Settlement {
  switch (outcome.kind) {
    case 'succeeded':
      return { state: 'succeeded' };
    case 'interrupted':
      return { state: 'released', nextAttemptAt: now };
    case 'rejected':
      return { state: 'failed', error: outcome.error.slice(0, MAX_ERROR_LENGTH) };
    case 'retry': {
      const scheduledAt = findNextAttempt(schedule, attempts, now);
      const error = outcome.error.slice(0, MAX_ERROR_LENGTH);
      if (scheduledAt === null) return { state: 'failed', error };
      const { notBefore } = outcome;
      const nextAttemptAt = notBefore && notBefore > scheduledAt ? notBefore : scheduledAt;
      return { state: 'waiting', nextAttemptAt, error };
    }
  }
}
