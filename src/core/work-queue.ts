import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { findNextAttempt, type RetrySchedule } from './retry-schedule.ts';

// Mails, webhooks, refunds and provider events are processed in the same way: any number of workers in any number of
// processes lease due work from a table, attempt it, and settle the result. A lease puts the next attempt off before
// this one begins, in one statement. That keeps other workers away, however the attempt ends, and a killed process
// loses nothing: its work becomes due again. An attempt may therefore happen twice, and has to bear that.

/** One row of a table of work. */
export interface WorkItem {
  id: string;
  /** Including the attempt that begins now. */
  attempts: number;
}

/** Work that this worker holds. Statements that settle it check `leasedUntil`: a worker whose lease ran out overwrites nothing. */
export type Leased<Item extends WorkItem> = Item & { leasedUntil: Date };

/** How an attempt failed. */
export interface AttemptFailure {
  /** For staff; stored with the work. */
  error: string;
  /** Logged instead of `error`, where the error may name a person. */
  logged?: object;
  /** Set if other work would fail as well: this run leases nothing more. */
  endsRun?: boolean;
  /** What was thrown, if anything was. */
  thrown?: unknown;
}

/** How an attempt ended. `Details` is what else is stored about it. */
export type AttemptOutcome<Details = unknown> = { details?: Details } & (
  | { kind: 'succeeded' }
  /** The attempt has stored by itself what becomes of the work. */
  | { kind: 'settled' }
  /** Shutdown cut the attempt short, so it does not count. */
  | { kind: 'interrupted' }
  | ({ kind: 'retry' } & AttemptFailure)
  /** No further attempt would succeed. */
  | ({ kind: 'rejected' } & AttemptFailure)
);

/** What is stored about the work after an attempt. */
export type Settlement =
  | { state: 'succeeded' }
  | { state: 'waiting'; nextAttemptAt: Date; error: string }
  /** Given up: the work was rejected, or this was its last attempt. */
  | { state: 'failed'; error: string }
  /** The attempt does not count, and the work is due at once. */
  | { state: 'released'; nextAttemptAt: Date };

/** A kind of work: its table, its order, and how one attempt is made. `runWorkQueue` does the rest. */
export interface WorkQueue<Item extends WorkItem, Details = unknown> {
  /** Names the work in the log. */
  name: string;
  schedule: RetrySchedule;
  /** How many attempts one worker makes at once. */
  concurrency: number;
  /** Of these, at most `limit` with the same key, however much waits for that key. */
  perKey?: { limit: number; getKey(item: Item): string };
  /**
   * Leases the next due work in one statement (FOR UPDATE SKIP LOCKED) that sets its next attempt to `until`. Leaves out
   * work with `busyKeys`, which have reached their limit.
   */
  lease(until: Date, busyKeys: string[]): Promise<Item | undefined>;
  attempt(item: Leased<Item>, signal?: AbortSignal): Promise<AttemptOutcome<Details>>;
  settle(
    item: Leased<Item>,
    settlement: Settlement,
    details: Details | undefined,
  ): Promise<unknown>;
}

interface Environment {
  now(): Date;
  log: Logger;
}

/** While attempts are under way, new work may come. */
const POLL_INTERVAL_MS = 500;
/** The rest is left to the next run. */
const MAX_RUN_MS = 120_000;
const MAX_ITEMS_PER_RUN = 1_000;

/**
 * Does the work that is due. Once `signal` is aborted it leases nothing more, returns leases of work that has not begun,
 * and waits for the attempts under way.
 *
 * @returns how much work was leased, and how much of it succeeded.
 * @throws what a statement of the queue threw, after the attempts under way have ended.
 */
export async function runWorkQueue<Item extends WorkItem, Details>(
  queue: WorkQueue<Item, Details>,
  environment: Environment,
  signal?: AbortSignal,
): Promise<{ leased: number; succeeded: number }> {
  const { concurrency, perKey, schedule } = queue;
  const underWay = new Map<Promise<void>, string | undefined>();
  const deadline = performance.now() + MAX_RUN_MS;
  const errors: unknown[] = [];
  let [leased, succeeded, isEnded] = [0, 0, false];

  const canLease = () =>
    !isEnded &&
    !signal?.aborted &&
    leased < MAX_ITEMS_PER_RUN &&
    underWay.size < concurrency &&
    performance.now() < deadline;

  const begin = (item: Leased<Item>) => {
    const work = makeAttempt(queue, item, environment, signal)
      .then((outcome) => {
        if (outcome.kind === 'succeeded') succeeded += 1;
        if ('endsRun' in outcome && outcome.endsRun) isEnded = true;
      })
      .catch((error) => {
        errors.push(error);
        isEnded = true;
      })
      .finally(() => underWay.delete(work));
    underWay.set(work, perKey?.getKey(item));
  };

  try {
    for (;;) {
      while (canLease()) {
        const leasedUntil = new Date(environment.now().getTime() + schedule.leaseMs);
        const item = await queue.lease(
          leasedUntil,
          findBusyKeys([...underWay.values()], perKey?.limit),
        );
        if (item === undefined) break;
        leased += 1;
        begin({ ...item, leasedUntil });
      }
      if (underWay.size === 0) break;
      await waitForAny([...underWay.keys()], canLease() ? POLL_INTERVAL_MS : undefined);
    }
  } finally {
    await Promise.all(underWay.keys());
  }
  if (errors.length > 0) throw errors[0];
  return { leased, succeeded };
}

const findBusyKeys = (keys: (string | undefined)[], limit = Number.POSITIVE_INFINITY): string[] =>
  [...new Set(keys)].filter(
    (key) => key !== undefined && keys.filter((other) => other === key).length >= limit,
  ) as string[];

/** Waits until one of these attempts has ended, or for the time limit. */
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
 * @throws what `settle` threw; whatever `attempt` throws is an outcome.
 */
export async function makeAttempt<Item extends WorkItem, Details>(
  queue: WorkQueue<Item, Details>,
  item: Leased<Item>,
  { now, log }: Environment,
  signal?: AbortSignal,
): Promise<AttemptOutcome<Details>> {
  const outcome: AttemptOutcome<Details> = signal?.aborted
    ? { kind: 'interrupted' }
    : await attemptSafely(queue, item, signal);
  if (outcome.kind === 'settled') return outcome;
  const settlement = toSettlement(outcome, queue.schedule, item.attempts, now());
  await queue.settle(item, settlement, outcome.details);
  if (outcome.kind === 'retry' || outcome.kind === 'rejected') {
    const { error, logged = { error }, thrown } = outcome;
    log.warn(
      {
        ...{ queue: queue.name, id: item.id, attempts: item.attempts, ...logged },
        ...(thrown === undefined ? {} : { err: thrown }),
      },
      settlement.state === 'failed' ? 'work failed and is given up' : 'work failed; retrying later',
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
      return { state: 'failed', error: outcome.error };
    case 'retry': {
      const nextAttemptAt = findNextAttempt(schedule, attempts, now);
      const { error } = outcome;
      return nextAttemptAt
        ? { state: 'waiting', nextAttemptAt, error }
        : { state: 'failed', error };
    }
  }
}
