import type { Context } from '../context.ts';
import { prepareStatement, type Statement } from '../db/prepared-statement.ts';
import { assignPositions } from './assign-positions.ts';

/** The number of changes that one poll reads at most. */
export const MAX_POLLED = 2_000;

const READ_HEAD = prepareStatement('SELECT position::float8 AS last FROM journal_head');

/**
 * Returns a function that reads the changes since its last call, for a feed of this process. The first call returns none.
 * `statement` selects changes with a position above `$1` and up to `$2`, in order, and at most MAX_POLLED.
 */
export function createPoll<Row extends { position: number }>(
  ctx: Context,
  statement: Statement,
): () => Promise<Row[]> {
  let position: number | undefined;
  return async () => {
    await assignPositions(ctx);
    const [head] = await ctx.pipelinedSql<{ last: number }>(READ_HEAD, []);
    const last = head?.last ?? 0;
    const after = position ?? last;
    position = last;
    if (after === last) return [];
    const rows = await ctx.pipelinedSql<Row>(statement, [after, last]);
    if (rows.length === MAX_POLLED) position = rows.at(-1)?.position ?? last;
    return rows;
  };
}
