import { type Context, runInTransaction } from '../context.ts';
import type { ActorKind } from '../db/generated/client.ts';
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
  actorKind: ActorKind;
  /** The client's IPv4 address or IPv6 /64. */
  address: string | null;
  at: string;
  isRedacted: boolean;
  /** The fields that changed, by the names of their columns. Null if the row was created. */
  before: Record<string, unknown> | null;
  /** Null if the row was deleted. */
  after: Record<string, unknown> | null;
}

/** Something that acts on changes, such as the webhooks. */
export interface JournalReader {
  /** Identifies its position. Never change it. */
  name: string;
  /** The types that it acts on, which may depend on the moment. Other changes are skipped without being read. */
  findTypes(ctx: Context): Promise<readonly ChangeType[]>;
  /** SQL of a condition, for frequent types of which it needs few changes. */
  where?: string;
  /**
   * Acts on a batch of changes, in order, in the transaction that also moves the position: what it writes to the database
   * happens exactly once. It must not call anything outside the database.
   */
  handle(ctx: Context, changes: RecordedChange[]): Promise<void>;
}

/** The number of changes that a reader handles in one transaction. */
export const MAX_BATCH_SIZE = 200;
/** The number of changes that it passes in one transaction, including those of other types. */
const MAX_SCANNED = 10_000;

const LOCK_READER = `
  SELECT reader.position::float8 AS position, least(head.position, reader.position + ${MAX_SCANNED})::float8 AS end,
    head.position::float8 AS last
  FROM journal_readers reader CROSS JOIN journal_head head WHERE reader.name = $1 FOR UPDATE OF reader`;
const LOCK = {
  wait: prepareStatement(LOCK_READER),
  skip: prepareStatement(`${LOCK_READER} SKIP LOCKED`),
};

// A new reader begins with the changes from then on.
const ADD_READER = prepareStatement(`
  INSERT INTO journal_readers (name, position, updated_at)
  SELECT $1, position, $2::timestamptz FROM journal_head ON CONFLICT DO NOTHING`);

const toReadBatchSql = (where = 'true') => `
  SELECT id, position::float8 AS position, type, subject_id AS "subjectId", location_id AS "locationId",
    actor_kind AS "actorKind", address, ${projectInstant('at')} AS at,
    redacted AS "isRedacted", before, after
  FROM changes WHERE position > $1::bigint AND position <= $2::bigint AND type = ANY ($3::text[]) AND (${where})
  ORDER BY position LIMIT $4::int`;

/** SQL: the changes of an object, with and without a position. Partial indexes find both. */
export const toHistorySql = (subjectId: string) => `(
    SELECT * FROM changes WHERE subject_id = ${subjectId} AND position IS NOT NULL
    UNION ALL SELECT * FROM changes WHERE subject_id = ${subjectId} AND position IS NULL)`;

const MOVE_READER = prepareStatement(`
  UPDATE journal_readers SET position = $2::bigint, updated_at = $3::timestamptz, failures = 0, retry_at = NULL
  WHERE name = $1`);

/** Registers a reader, which then reads every change that gets its position from now on. */
export async function addReader(
  ctx: Context,
  { name }: Pick<JournalReader, 'name'>,
): Promise<void> {
  await ctx.lockingSql(ADD_READER, [name, ctx.now()]);
}

/** Reads all changes that were committed before the call. Waits for another process that runs the reader. */
export async function catchUp(ctx: Context, reader: JournalReader): Promise<void> {
  await addReader(ctx, reader);
  await assignPositions(ctx);
  await readToEnd(ctx, reader, { waits: true, size: MAX_BATCH_SIZE });
}

interface ReadOptions {
  /** Whether to wait for another process that runs the reader, instead of leaving the changes to it. */
  waits: boolean;
  /** The number of changes that one transaction handles. */
  size: number;
  /** Aborts when the service stops. The current batch is then finished, and no other begins. */
  signal?: AbortSignal | undefined;
}

/** Handles all changes that have a position, one batch after the other, until `signal` aborts. */
export async function readToEnd(
  ctx: Context,
  reader: JournalReader,
  options: ReadOptions,
): Promise<void> {
  while (!options.signal?.aborted && (await readBatch(ctx, reader, options)));
}

/** Handles the next changes in a transaction. Returns whether there are more. */
export const readBatch = (
  ctx: Context,
  reader: JournalReader,
  options: ReadOptions,
): Promise<boolean> => runInTransaction(ctx, (ctx) => handleNext(ctx, reader, options));

async function handleNext(
  ctx: Context,
  reader: JournalReader,
  { waits, size }: ReadOptions,
): Promise<boolean> {
  const [locked] = await ctx.lockingSql<{ position: number; end: number; last: number }>(
    waits ? LOCK.wait : LOCK.skip,
    [reader.name],
  );
  // Whoever had to wait for the row sees its new position, and the head from before. The other process has read further.
  if (locked === undefined || locked.position >= locked.end) return false;
  // Later than the end, so that whatever made a type relevant before one of these changes is seen.
  const types = await reader.findTypes(ctx);
  const changes =
    types.length === 0
      ? []
      : await ctx.lockingSql<RecordedChange>(prepareStatement(toReadBatchSql(reader.where)), [
          locked.position,
          locked.end,
          types,
          size,
        ]);
  if (changes.length > 0) await reader.handle(ctx, changes);
  const end = changes.length === size ? (changes.at(-1)?.position ?? locked.end) : locked.end;
  await ctx.lockingSql(MOVE_READER, [reader.name, end, ctx.now()]);
  return end < locked.last;
}

/** How far a reader is behind. */
export interface ReaderLag {
  reader: string;
  /** The number of changes that it has not handled yet. */
  changes: number;
  /** The age of the oldest of them. 0 if there are none. */
  seconds: number;
  /** The number of changes that it has skipped because they failed again and again. */
  skipped: number;
}

// Positions have no gaps, so that their difference counts the changes that have one.
const READ_LAG = prepareStatement(`
  SELECT reader.name AS reader,
    (head.position - reader.position + pending.count)::float8 AS changes,
    greatest(extract(epoch FROM $1::timestamptz - coalesce(
      (SELECT at FROM changes WHERE position > reader.position ORDER BY position LIMIT 1), pending.oldest, $1::timestamptz)), 0)::float8
      AS seconds, reader.skipped
  FROM journal_head head CROSS JOIN journal_readers reader
  CROSS JOIN (SELECT count(*) AS count, min(at) AS oldest FROM changes WHERE position IS NULL) pending
  ORDER BY reader.name`);

/** Returns how far each reader is behind, for the metrics. */
export const readLag = ({ pipelinedSql, now }: Context): Promise<ReaderLag[]> =>
  pipelinedSql<ReaderLag>(READ_LAG, [now()]);
