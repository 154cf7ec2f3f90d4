import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { prepareStatement, type Sql } from '../db/prepared-statement.ts';
import { createQueryBatcher } from '../db/query-batcher.ts';

// Counters over fixed windows, stored in the database so that all instances share them. A window starts with the first
// point and ends at a fixed time: requests during a block never extend it.
//
// Changes that arrive at the same time share one statement, even for different counters. A request that counts by address,
// network and account therefore costs at most one statement, and a fraction of one under load: see decision 24.

/** A change of a counter. Negative points are refunds. */
export interface CounterChange {
  key: string;
  points: number;
  windowSeconds: number;
}

interface CounterState {
  points: number;
  /** When the window ends, in milliseconds since 1970. */
  endsAt: number;
}

export interface RateLimitCounters {
  now(): number;
  /** Applies a change and returns the state of the counter after it. Never call it within a transaction. */
  add(change: CounterChange): Promise<CounterState>;
}

// Rows are written in the order of their keys, so that two instances cannot deadlock. A refund does not create a counter.
const ADD = prepareStatement(`
  INSERT INTO rate_limits AS counter (key, points, expire)
  SELECT change.key, change.points, change.expire
  FROM unnest($1::text[], $2::int[], $3::bigint[]) AS change (key, points, expire)
  WHERE change.points >= 0 OR EXISTS (SELECT FROM rate_limits existing WHERE existing.key = change.key)
  ORDER BY change.key
  ON CONFLICT (key) DO UPDATE SET
    points = greatest(EXCLUDED.points + CASE WHEN counter.expire <= $4::bigint THEN 0 ELSE counter.points END, 0),
    expire = CASE WHEN counter.expire <= $4::bigint THEN EXCLUDED.expire ELSE counter.expire END
  RETURNING key, points, expire::text AS "endsAt"`);

/** The statements use the connections for locks, which other work needs too. */
const MAX_STATEMENTS_IN_FLIGHT = 2;

export function createRateLimitCounters(sql: Sql, now: () => Date): RateLimitCounters {
  const add = createQueryBatcher<CounterChange, CounterState>(
    async (changes) => {
      const at = now().getTime();
      const sums = new Map<string, { points: number; endsAt: number }>();
      for (const { key, points, windowSeconds } of changes) {
        const sum = sums.get(key) ?? { points: 0, endsAt: at + windowSeconds * 1000 };
        sums.set(key, { ...sum, points: sum.points + points });
      }
      const values = [...sums.values()];
      const rows = await sql<{ key: string; points: number; endsAt: string }>(ADD, [
        [...sums.keys()],
        values.map(({ points }) => points),
        values.map(({ endsAt }) => String(endsAt)),
        String(at),
      ]);
      return toCounterStates(changes, rows, at);
    },
    { maxInFlight: MAX_STATEMENTS_IN_FLIGHT, toRow: ({ key }) => key },
  );
  return {
    now: () => now().getTime(),
    add: async (change) => {
      const state = await add(change);
      if (state === null) throw new Error('a counter was not returned');
      return state;
    },
  };
}

/** Computes the state after each change: the last change of a counter sees the whole sum, each earlier one less. */
function toCounterStates(
  changes: readonly CounterChange[],
  rows: { key: string; points: number; endsAt: string }[],
  now: number,
): CounterState[] {
  const remaining = new Map(rows.map((row) => [row.key, { ...row }]));
  const states = new Array<CounterState>(changes.length);
  for (let i = changes.length - 1; i >= 0; i -= 1) {
    const { key, points } = changes[i] as CounterChange;
    const row = remaining.get(key) ?? { points: 0, endsAt: now };
    states[i] = { points: row.points, endsAt: Number(row.endsAt) };
    // Refunds of the same statement count before its additions.
    if (points > 0) row.points -= points;
  }
  return states;
}

/** Job: deletes counters whose window has ended and returns how many. */
export async function purgeRateLimits({ db, now }: Context): Promise<number> {
  const { count } = await db.rateLimit.deleteMany({ where: { expire: { lte: now().getTime() } } });
  return count;
}

const MAX_BLOCKED_KEYS = 50_000;

/** Caches the counters that are over their limit, so that a flood of blocked requests costs no statements. */
export function createBlockList(now: () => number) {
  const blocked = new LRUCache<string, { checkAgainAt: number; endsAt: number }>({
    maxSize: MAX_BLOCKED_KEYS,
    sizeCalculation: () => 1,
  });
  return {
    /** Returns when the window of a blocked counter ends, or null. */
    find(key: string): number | null {
      const block = blocked.get(key);
      if (block === undefined) return null;
      if (now() < block.checkAgainAt) return block.endsAt;
      blocked.delete(key);
      return null;
    },
    block: (key: string, endsAt: number, checkAgainAt = endsAt) =>
      void blocked.set(key, { endsAt, checkAgainAt: Math.min(endsAt, checkAgainAt) }),
    unblock: (key: string) => void blocked.delete(key),
    get isEmpty() {
      return blocked.size === 0;
    },
  };
}
