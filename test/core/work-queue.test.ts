import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { pino } from 'pino';
import { findNextAttempt, getMaxAttempts, RETRY_SCHEDULES } from '../../src/core/retry-schedule.ts';
import {
  type AttemptOutcome,
  type Leased,
  runWorkQueue,
  type Settlement,
  type WorkItem,
  type WorkQueue,
} from '../../src/core/work-queue.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const SCHEDULE = { delaysMs: [1_000, 5_000, 30_000], givesUp: true };
const CONCURRENCY = 4;
const PER_KEY_LIMIT = 2;

interface Row extends WorkItem {
  key: string;
  state: 'waiting' | 'succeeded' | 'failed';
  nextAttemptAt: number;
}

/** A table in memory with a clock. Leasing is atomic, like a statement of the database. */
class Table {
  clock = 0;
  rows: Row[] = [];
  /** False for the negative control: workers look for due work without leasing it. */
  leases = true;
  /** False for the negative control: workers ignore the limit of a key. */
  limitsKeys = true;
  add(...keys: string[]) {
    for (const key of keys) {
      const id = `${this.rows.length}`;
      this.rows.push({ id, key, state: 'waiting', attempts: 0, nextAttemptAt: this.clock });
    }
  }
  get(id: string): Row {
    const row = this.rows.find((row) => row.id === id);
    if (!row) throw new Error(`no row ${id}`);
    return row;
  }
  lease(until: Date, busyKeys: string[]): Row | undefined {
    const row = this.rows.find(
      ({ state, key, nextAttemptAt }) =>
        state === 'waiting' &&
        nextAttemptAt <= this.clock &&
        !(this.limitsKeys && busyKeys.includes(key)),
    );
    if (!row) return undefined;
    row.attempts += 1;
    if (this.leases) row.nextAttemptAt = until.getTime();
    return { ...row };
  }
  renew(items: Leased<Row>[], until: Date): string[] {
    const held = items.filter(
      ({ id, leasedUntil }) => this.get(id).nextAttemptAt === leasedUntil.getTime(),
    );
    for (const { id } of held) this.get(id).nextAttemptAt = until.getTime();
    return held.map(({ id }) => id);
  }
  settle({ id, leasedUntil }: Leased<Row>, settlement: Settlement) {
    const row = this.get(id);
    if (this.leases && row.nextAttemptAt !== leasedUntil.getTime()) return;
    if ('nextAttemptAt' in settlement) row.nextAttemptAt = settlement.nextAttemptAt.getTime();
    if (settlement.state === 'released') row.attempts -= 1;
    else row.state = settlement.state;
  }
  nextDue(): number | undefined {
    const waiting = this.rows.filter(({ state }) => state === 'waiting');
    return waiting.length === 0
      ? undefined
      : Math.min(...waiting.map(({ nextAttemptAt }) => nextAttemptAt));
  }
}

type Attempt = (row: Leased<Row>, signal?: AbortSignal) => Promise<AttemptOutcome>;

const toQueue = (table: Table, attempt: Attempt): WorkQueue<Row> => ({
  name: 'test',
  schedule: SCHEDULE,
  concurrency: CONCURRENCY,
  perKey: { limit: PER_KEY_LIMIT, getKey: ({ key }) => key },
  lease: async (until, busyKeys) => {
    await setImmediate();
    const row = table.lease(until, busyKeys);
    await setImmediate();
    return row;
  },
  attempt,
  renew: async (items, until) => {
    await setImmediate();
    const ids = table.renew(items, until);
    await setImmediate();
    return ids;
  },
  settle: async (row, settlement) => table.settle(row, settlement),
});

const log = pino({ level: 'silent' });
const run = (table: Table, attempt: Attempt, signal?: AbortSignal) =>
  runWorkQueue(toQueue(table, attempt), { now: () => new Date(table.clock), log }, signal);

const retry: AttemptOutcome = { kind: 'retry', error: 'no luck' };

interface Plan {
  /** The key of each item and the number of its failing attempts. */
  items: { key: string; failures: number }[];
  workers: number;
  /** The attempts that end with a killed worker. */
  kills: number[];
}

const plans: fc.Arbitrary<Plan> = fc.record({
  items: fc.array(
    fc.record({ key: fc.constantFrom('a', 'b', 'c'), failures: fc.nat({ max: 5 }) }),
    { minLength: 1, maxLength: 12 },
  ),
  workers: fc.integer({ min: 1, max: 3 }),
  kills: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
});

/** Works until the queue is empty and returns all violated promises. */
async function findBrokenPromises(
  { items, workers, kills }: Plan,
  control: Partial<Pick<Table, 'leases' | 'limitsKeys'>> = {},
): Promise<string[]> {
  const table = Object.assign(new Table(), control);
  table.add(...items.map(({ key }) => key));
  const broken = new Set<string>();
  const busy = new Set<string>();
  const attemptedAt = new Map<string, number[]>();
  let attemptCount = 0;

  const startWorker = () => {
    const keys: string[] = [];
    const killed = new AbortController();
    const attempt: Attempt = async ({ id, key }) => {
      if (busy.has(id)) broken.add('two workers attempt the same item');
      if (table.get(id).state !== 'waiting') broken.add('a finished item is attempted again');
      busy.add(id);
      keys.push(key);
      if (keys.filter((other) => other === key).length > PER_KEY_LIMIT)
        broken.add('more attempts with one key than allowed');
      if (keys.length > CONCURRENCY) broken.add('more attempts at once than allowed');
      const times = attemptedAt.get(id) ?? [];
      attemptedAt.set(id, [...times, table.clock]);
      if (kills.includes(attemptCount)) killed.abort();
      attemptCount += 1;
      await turns(8);
      busy.delete(id);
      if (killed.signal.aborted) await new Promise(() => {});
      keys.splice(keys.indexOf(key), 1);
      const { failures } = items[Number(id)] ?? { failures: 0 };
      return times.length < failures ? retry : { kind: 'succeeded' };
    };
    const died = new Promise((resolve) => {
      killed.signal.addEventListener('abort', () => resolve(turns(20)));
    });
    return Promise.race([run(table, attempt, killed.signal), died]);
  };

  for (let rounds = 0; ; rounds += 1) {
    const due = table.nextDue();
    if (due === undefined) break;
    if (rounds > 200) return [...broken, 'work is never finished'];
    table.clock = Math.max(table.clock, due);
    await Promise.all(Array.from({ length: workers }, startWorker));
  }
  const maxAttempts = getMaxAttempts(SCHEDULE);
  for (const [index, { failures }] of items.entries()) {
    const { state, attempts } = table.get(`${index}`);
    if (kills.length > 0) continue; // a killed attempt counts as well
    const expected = failures < maxAttempts ? 'succeeded' : 'failed';
    if (state !== expected) broken.add(`an item ends as ${state}`);
    if (attempts !== Math.min(failures + 1, maxAttempts))
      broken.add('an attempt is lost or too many');
    for (const [attempt, at] of (attemptedAt.get(`${index}`) ?? []).entries()) {
      const before = attemptedAt.get(`${index}`)?.[attempt - 1];
      if (before !== undefined && at - before !== SCHEDULE.delaysMs[attempt - 1])
        broken.add('a delay differs from the schedule');
    }
  }
  return [...broken];
}

/** Yields to other work `times` times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

const someRuns = { numRuns: propertyRuns(40) };

describe('any number of workers', () => {
  it('do all work once, on schedule and within the limits, also after kills', async () => {
    await checkProperty(
      fc.asyncProperty(plans, async (plan) => {
        expect(await findBrokenPromises(plan)).toEqual([]);
      }),
      someRuns,
    );
  });

  it('do work twice without a lease (negative control)', async () => {
    const items = [{ key: 'a', failures: 0 }];
    const broken = await findBrokenPromises({ items, workers: 2, kills: [] }, { leases: false });
    expect(broken).toContain('two workers attempt the same item');
  });

  it('exceed the limit of a key without its check (negative control)', async () => {
    const items = Array.from({ length: 6 }, () => ({ key: 'a', failures: 0 }));
    const broken = await findBrokenPromises(
      { items, workers: 1, kills: [] },
      { limitsKeys: false },
    );
    expect(broken).toContain('more attempts with one key than allowed');
  });
});

describe('a run', () => {
  it('counts leased and successful items', async () => {
    const table = new Table();
    table.add('a', 'b', 'c');
    const attempt: Attempt = async ({ key }) =>
      key === 'a' ? { kind: 'rejected', error: 'never' } : { kind: 'succeeded' };
    expect(await run(table, attempt)).toEqual({ leased: 3, succeeded: 2 });
    expect(table.rows.map(({ state }) => state)).toEqual(['failed', 'succeeded', 'succeeded']);
  });

  it('picks up new work during a slow attempt', async () => {
    const table = new Table();
    table.add('slow');
    let finish = () => {};
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const attempt: Attempt = async ({ key }) => {
      if (key === 'slow') await slow;
      else finish();
      return { kind: 'succeeded' };
    };
    const running = run(table, attempt);
    await turns(50);
    table.add('late');
    expect(await running).toEqual({ leased: 2, succeeded: 2 });
  });

  it('leases again if an attempt ended while it looked for work', async () => {
    const table = new Table();
    table.add('a', 'a');
    const queue = toQueue(table, async () => ({ kind: 'succeeded' }));
    const lease: typeof queue.lease = async (until, busyKeys) => {
      const row = table.lease(until, busyKeys);
      await turns(50);
      return row;
    };
    const perKey = { limit: 1, getKey: ({ key }: Row) => key };
    const now = () => new Date(table.clock);
    expect(await runWorkQueue({ ...queue, lease, perKey }, { now, log })).toEqual({
      leased: 2,
      succeeded: 2,
    });
  });

  it('retries failed attempts and does the rest', async () => {
    const table = new Table();
    table.add('bad', 'good');
    const attempt: Attempt = async ({ key }) => {
      if (key === 'bad') throw new Error('a bug');
      return { kind: 'succeeded' };
    };
    expect(await run(table, attempt)).toEqual({ leased: 2, succeeded: 1 });
    expect(table.get('0')).toMatchObject({ state: 'waiting', attempts: 1, nextAttemptAt: 1_000 });
  });

  it('stops leasing once an attempt reports that other work would fail as well', async () => {
    const table = new Table();
    table.add(...Array.from({ length: 20 }, (_, n) => `${n}`));
    const { leased } = await run(table, async () => ({ ...retry, endsRun: true }));
    expect(leased).toBeLessThanOrEqual(CONCURRENCY);
  });

  it('throws the error of a statement after running attempts end', async () => {
    const table = new Table();
    table.add('a', 'b');
    let isEnded = false;
    const queue = toQueue(table, async ({ key }) => {
      if (key === 'b') await turns(50);
      isEnded = key === 'b';
      return { kind: 'succeeded' };
    });
    const settle: typeof queue.settle = async (row, ...more) => {
      if (row.key === 'a') throw new Error('the database is gone');
      return queue.settle(row, ...more);
    };
    const running = runWorkQueue({ ...queue, settle }, { now: () => new Date(0), log });
    await expect(running).rejects.toThrow('the database is gone');
    expect(isEnded).toBe(true);
    expect(table.get('1').state).toBe('succeeded');
  });
});

describe('a shutdown', () => {
  it('waits for running attempts and starts no others', async () => {
    const table = new Table();
    table.add(...Array.from({ length: 10 }, (_, n) => `${n}`));
    const stopping = new AbortController();
    const attempt: Attempt = async () => {
      stopping.abort();
      await turns(50);
      return { kind: 'succeeded' };
    };
    const { succeeded } = await run(table, attempt, stopping.signal);
    expect(succeeded).toBe(1);
    expect(table.rows.filter(({ attempts }) => attempts > 0)).toHaveLength(1);
  });

  it('returns the lease of an interrupted attempt, which does not count', async () => {
    const table = new Table();
    table.add('a');
    const stopping = new AbortController();
    const attempt: Attempt = async () => {
      stopping.abort();
      return { kind: 'interrupted' };
    };
    expect(await run(table, attempt, stopping.signal)).toEqual({ leased: 1, succeeded: 0 });
    expect(table.get('0')).toMatchObject({ state: 'waiting', attempts: 0, nextAttemptAt: 0 });
  });

  it('returns the lease of work that was being leased', async () => {
    const table = new Table();
    table.add('a');
    const stopping = new AbortController();
    const queue = toQueue(table, async () => ({ kind: 'succeeded' }));
    const lease: typeof queue.lease = async (...parameters) => {
      const row = await queue.lease(...parameters);
      stopping.abort();
      return row;
    };
    const environment = { now: () => new Date(0), log };
    expect(await runWorkQueue({ ...queue, lease }, environment, stopping.signal)).toEqual({
      leased: 1,
      succeeded: 0,
    });
    expect(table.get('0')).toMatchObject({ state: 'waiting', attempts: 0, nextAttemptAt: 0 });
  });
});

describe('a retry schedule', () => {
  const now = new Date(0);

  it('gives up after its last delay', () => {
    expect(getMaxAttempts(SCHEDULE)).toBe(4);
    const delays = [1, 2, 3, 4].map((attempts) => findNextAttempt(SCHEDULE, attempts, now));
    expect(delays.map((at) => at?.getTime() ?? null)).toEqual([1_000, 5_000, 30_000, null]);
  });

  it('repeats its last delay if it never gives up', () => {
    const schedule = { ...SCHEDULE, givesUp: false };
    expect(getMaxAttempts(schedule)).toBe(Number.POSITIVE_INFINITY);
    expect(findNextAttempt(schedule, 100, now)?.getTime()).toBe(30_000);
  });

  it.each(Object.entries(RETRY_SCHEDULES))('of %s has increasing delays', (_, schedule) => {
    const { delaysMs } = schedule;
    expect([...delaysMs].sort((a, b) => a - b)).toEqual(delaysMs);
  });
});
