import type { Context } from '../context.ts';
import { prepareStatement, type Sql } from '../db/prepared-statement.ts';
import { createQueryBatcher } from '../db/query-batcher.ts';

// Counters over fixed windows, kept in the database so that they hold across instances. A window begins with the first
// point and ends at its time, whatever is counted meanwhile: requests during a block never extend the wait.
//
// Changes that arrive together share one statement, however many counters they concern. A request that counts by address,
// by network and by account costs a fraction of one statement under load, and at most one when it is alone. Libraries that
// count in PostgreSQL send a statement for each counter.

/** Points to add to a counter, or, if negative, to give back. */
export interface CounterChange {
  key: string;
  points: number;
  windowSeconds: number;
}

export interface CounterState {
  points: number;
  /** When the window ends, in milliseconds since 1970. */
  endsAt: number;
}

export interface RateLimitCounters {
  now(): number;
  /** Applies one change and returns the counter as this change left it. Never call it within a transaction. */
  add(change: CounterChange): Promise<CounterState>;
}

// Rows are written in the order of their keys, so that two instances never wait for each other in a circle. What is given
// back to a counter that does not exist makes none.
const ADD = prepareStatement(`
  INSERT INTO rate_limits AS counter (key, points, expire)
  SELECT change.key, change.points, change.expire
  FROM unnest($1::text[], $2::int[], $3::bigint[]) AS change (key, points, expire)
  WHERE change.points >= 0 OR EXISTS (SELECT FROM rate_limits known WHERE known.key = change.key)
  ORDER BY change.key
  ON CONFLICT (key) DO UPDATE SET
    points = greatest(EXCLUDED.points + CASE WHEN counter.expire <= $4::bigint THEN 0 ELSE counter.points END, 0),
    expire = CASE WHEN counter.expire <= $4::bigint THEN EXCLUDED.expire ELSE counter.expire END
  RETURNING key, points, expire::text AS "endsAt"`);

export function createRateLimitCounters(sql: Sql, now: () => Date): RateLimitCounters {
  const add = createQueryBatcher<CounterChange, CounterState>(async (changes) => {
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
    return statesAfter(changes, rows, at);
  });
  return {
    now: () => now().getTime(),
    add: async (change) => {
      const state = await add(change);
      if (state === null) throw new Error('a counter was not returned');
      return state;
    },
  };
}

/** Splits the sum of each counter among the changes that made it: the last one sees the whole, each one before it less. */
function statesAfter(
  changes: readonly CounterChange[],
  rows: { key: string; points: number; endsAt: string }[],
  now: number,
): CounterState[] {
  const left = new Map(rows.map((row) => [row.key, { ...row }]));
  const states = new Array<CounterState>(changes.length);
  for (let i = changes.length - 1; i >= 0; i -= 1) {
    const { key, points } = changes[i] as CounterChange;
    const row = left.get(key) ?? { points: 0, endsAt: now };
    states[i] = { points: row.points, endsAt: Number(row.endsAt) };
    // What was given back in the same statement counts as given back before anything was added.
    if (points > 0) row.points -= points;
  }
  return states;
}

/** Timed work: deletes counters whose window is over, and says how many there were. */
export async function purgeRateLimits({ db, now }: Context): Promise<number> {
  const { count } = await db.rateLimit.deleteMany({ where: { expire: { lte: now().getTime() } } });
  return count;
}

const MAX_BLOCKED_KEYS = 50_000;

/** Which counters this process knows to be over their limit: a flood that is blocked costs no statement. */
export function createBlockList(now: () => number) {
  const blocked = new Map<string, { checkAgainAt: number; endsAt: number }>();
  return {
    /** When the window of a blocked counter ends, or null. */
    find(key: string): number | null {
      const block = blocked.get(key);
      if (block === undefined) return null;
      if (now() < block.checkAgainAt) return block.endsAt;
      blocked.delete(key);
      return null;
    },
    block(key: string, endsAt: number, checkAgainAt = endsAt): void {
      blocked.set(key, { endsAt, checkAgainAt: Math.min(endsAt, checkAgainAt) });
      const [oldest] = blocked.keys();
      if (blocked.size > MAX_BLOCKED_KEYS && oldest !== undefined) blocked.delete(oldest);
    },
    unblock: (key: string) => void blocked.delete(key),
    get isEmpty() {
      return blocked.size === 0;
    },
  };
}
