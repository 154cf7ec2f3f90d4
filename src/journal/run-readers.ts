import type { Context } from '../context.ts';
import { isDatabaseOutage } from '../db/outages.ts';
import { prepareStatement } from '../db/prepared-statement.ts';
import { assignPositions } from './assign-positions.ts';
import {
  addReader,
  type JournalReader,
  MAX_BATCH_SIZE,
  type RecordedChange,
  readBatch,
  readToEnd,
} from './read-changes.ts';

/** A change that fails this many times in a row is skipped, so that it does not hold up all others. */
const MAX_FAILURES = 10;
const MAX_DELAY_SECONDS = 60;

const FIND_STATE = prepareStatement(`
  SELECT reader.name IS NULL AS "isNew",
    reader.position < head.position AND (reader.retry_at IS NULL OR reader.retry_at <= $2::timestamptz) AS "isDue"
  FROM journal_head head LEFT JOIN journal_readers reader ON reader.name = $1`);

/**
 * Reads all changes that a reader has not handled yet. If several processes run the same reader, one of them reads and the
 * others return at once. Without new changes this takes two statements. When `signal` aborts, it returns after the current batch:
 * whoever runs the reader next continues there.
 *
 * If a batch fails, its changes are handled one by one up to the one that fails. That one is repeated after a growing delay,
 * for about four minutes, and then skipped.
 */
export async function runReader(
  ctx: Context,
  reader: JournalReader,
  signal?: AbortSignal,
): Promise<void> {
  await assignPositions(ctx, signal);
  const [state] = await ctx.pipelinedSql<{ isNew: boolean; isDue: boolean }>(FIND_STATE, [
    reader.name,
    ctx.now(),
  ]);
  if (state?.isNew) return addReader(ctx, reader);
  if (!state?.isDue) return;
  try {
    await readToEnd(ctx, reader, { waits: false, size: MAX_BATCH_SIZE, signal });
  } catch {
    await readOneByOne(ctx, reader, signal);
  }
}

/** Handles each change in a transaction of its own. @throws if the database fails before a change was read */
async function readOneByOne(
  ctx: Context,
  reader: JournalReader,
  signal: AbortSignal | undefined,
): Promise<void> {
  let failed: RecordedChange | undefined;
  const watched: JournalReader = {
    ...reader,
    findTypes: (ctx) => {
      failed = undefined;
      return reader.findTypes(ctx);
    },
    // Until the next batch: a change can also fail when its transaction is committed.
    handle: (ctx, changes) => {
      [failed] = changes;
      return reader.handle(ctx, changes);
    },
  };
  try {
    await readToEnd(ctx, watched, { waits: false, size: 1, signal });
  } catch (error) {
    if (failed === undefined || isDatabaseOutage(error)) throw error;
    await handleFailure(ctx, reader, failed, error);
  }
}

const COUNT_FAILURE = prepareStatement(`
  UPDATE journal_readers SET failures = failures + 1,
    retry_at = $2::timestamptz + make_interval(secs => least(2 ^ failures, ${MAX_DELAY_SECONDS}))
  WHERE name = $1 RETURNING failures`);
const COUNT_SKIPPED = prepareStatement(
  'UPDATE journal_readers SET skipped = skipped + 1 WHERE name = $1',
);

/** Delays a reader whose next change has failed, or skips the change. */
async function handleFailure(
  ctx: Context,
  reader: JournalReader,
  failed: RecordedChange,
  error: unknown,
): Promise<void> {
  const { name } = reader;
  const { id, type } = failed;
  const [counted] = await ctx.lockingSql<{ failures: number }>(COUNT_FAILURE, [name, ctx.now()]);
  const failures = counted?.failures ?? 0;
  if (failures < MAX_FAILURES) {
    ctx.log.warn(
      { err: error, reader: name, change: id, type, failures },
      'a journal reader failed; retrying',
    );
    return;
  }
  const skip: JournalReader['handle'] = async (ctx, changes) => {
    // Another process may have skipped it and come to the next one.
    if (changes[0]?.id !== id) return reader.handle(ctx, changes);
    await ctx.lockingSql(COUNT_SKIPPED, [name]);
    ctx.log.error(
      { err: error, reader: name, change: id, type },
      'a journal reader skipped a change that failed repeatedly',
    );
  };
  await readBatch(ctx, { ...reader, handle: skip }, { waits: true, size: 1 });
}
