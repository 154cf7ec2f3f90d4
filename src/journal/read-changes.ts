import { type Context, runInTransaction } from '../context.ts';
import { projectInstant } from '../db/json-projection.ts';
import { prepareStatement } from '../db/prepared-statement.ts';
import { assignPositions } from './assign-positions.ts';
import type { ChangeType } from './catalog.ts';

/** A change as readers of the journal see it. */
export interface RecordedChange {
  id: string;
  position: number;
  type: ChangeType;
  subjectId: string | null;
  locationId: string | null;
  at: string;
  /** The fields that changed, by the names of their columns. Null if the row was created. */
  before: Record<string, unknown> | null;
  /** Null if the row was deleted. */
  after: Record<string, unknown> | null;
}

/** Something that acts on changes, such as the webhooks. */
export interface JournalReader {
  /** Identifies its position. Never change it. */
  name: string;
  types: readonly ChangeType[];
  /**
   * Acts on a batch of changes, in order, in the transaction that also moves the position: what it writes to the database
   * happens exactly once. It must not call anything outside the database.
   */
  handle(ctx: Context, changes: RecordedChange[]): Promise<void>;
}

/** The number of changes that a reader handles in one transaction. */
const MAX_BATCH_SIZE = 200;

const LOCK_READER = prepareStatement(`
  SELECT position::float8 AS position FROM journal_readers WHERE name = $1 FOR UPDATE SKIP LOCKED`);

// A new reader begins with the changes from then on.
const ADD_READER = prepareStatement(`
  INSERT INTO journal_readers (name, position, updated_at)
  SELECT $1, position, $2::timestamptz FROM journal_head ON CONFLICT DO NOTHING`);

const READ_BATCH = prepareStatement(`
  SELECT id, position::float8 AS position, type, subject_id AS "subjectId", location_id AS "locationId",
    ${projectInstant('at')} AS at, before, after
  FROM changes WHERE position > $1::bigint ORDER BY position LIMIT ${MAX_BATCH_SIZE}`);

const MOVE_READER = prepareStatement(`
  UPDATE journal_readers SET position = $2::bigint, updated_at = $3::timestamptz WHERE name = $1`);

/** Registers a reader, which then reads every change that gets its position from now on. */
export async function addReader(ctx: Context, { name }: JournalReader): Promise<void> {
  await ctx.lockingSql(ADD_READER, [name, ctx.now()]);
}

/**
 * Reads all changes that a reader has not handled yet. If several processes run the same reader, one of them reads and the
 * others return at once. After a failure its position stays, and the next run reads the batch again.
 */
export async function runReader(ctx: Context, reader: JournalReader): Promise<void> {
  await assignPositions(ctx);
  for (;;) {
    const count = await runInTransaction(ctx, async (ctx) => {
      const [locked] = await ctx.lockingSql<{ position: number }>(LOCK_READER, [reader.name]);
      if (locked === undefined) return 0;
      const batch = await ctx.lockingSql<RecordedChange>(READ_BATCH, [locked.position]);
      const last = batch.at(-1);
      if (last === undefined) return 0;
      const changes = batch.filter(({ type }) => reader.types.includes(type));
      if (changes.length > 0) await reader.handle(ctx, changes);
      await ctx.lockingSql(MOVE_READER, [reader.name, last.position, ctx.now()]);
      return batch.length;
    });
    if (count < MAX_BATCH_SIZE) return;
  }
}
