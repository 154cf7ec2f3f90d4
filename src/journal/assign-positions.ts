import type { Context } from '../context.ts';
import { prepareStatement } from '../db/prepared-statement.ts';

/** The number of changes that one transaction assigns positions to. */
const MAX_BATCH_SIZE = 5_000;

const FIND_PENDING = prepareStatement(
  'SELECT EXISTS (SELECT FROM changes WHERE position IS NULL) AS "isPending"',
);
const LOCK_HEAD = prepareStatement(
  'SELECT position::float8 AS position FROM journal_head FOR UPDATE',
);

// The statement begins after the lock is granted, so it sees everything that the last holder assigned. It takes the position
// of the head as a parameter: if it joined the head, its estimates would be so high that it read the whole journal each time.
const ASSIGN = prepareStatement(`
  WITH pending AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY sequence) AS n FROM changes
    WHERE position IS NULL ORDER BY sequence LIMIT ${MAX_BATCH_SIZE}),
  assigned AS (
    UPDATE changes SET position = $1::bigint + pending.n FROM pending WHERE changes.id = pending.id),
  counted AS (SELECT count(*) AS count FROM pending)
  UPDATE journal_head SET position = $1::bigint + counted.count FROM counted RETURNING counted.count::int AS count`);

/**
 * Assigns positions to all committed changes that have none. Call it before you read the journal.
 *
 * Positions are complete: whoever has read position N finds no new change at N or below. One transaction at a time assigns
 * them, because it locks the head, and it assigns them to committed rows. Two changes of the same row keep their order: the
 * second one is recorded while its transaction locks the row, so after the first one has been committed, with a higher
 * sequence, and whoever sees the second one sees the first one too.
 *
 * If `signal` aborts, it finishes the current transaction and leaves the others for later.
 */
export async function assignPositions(ctx: Context, signal?: AbortSignal): Promise<void> {
  const [found] = await ctx.lockingSql<{ isPending: boolean }>(FIND_PENDING, []);
  if (!found?.isPending) return;
  while (!signal?.aborted) {
    const count = await ctx.sqlTransaction(async (sql) => {
      const [head] = await sql<{ position: number }>(LOCK_HEAD, []);
      const [assigned] = await sql<{ count: number }>(ASSIGN, [head?.position]);
      return assigned?.count ?? 0;
    });
    if (count < MAX_BATCH_SIZE) return;
  }
}
