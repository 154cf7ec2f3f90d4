import { v7 } from 'uuid';
import { getStaffId } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { toBatches } from '../../../core/batches.ts';
import { isUuid } from '../../../core/ids.ts';
import type { InputOf } from '../../../core/validation.ts';
import type { ImportKind, ImportOutcome } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordCreated, recordUpdated } from '../../../journal/record-changes.ts';
import { findRow, findRows } from '../../../lists/read-list.ts';
import {
  type CreationFilter,
  matchCreation,
  matchEnum,
  type RowList,
} from '../../../lists/row-list.ts';
import type { startImportInput } from '../inputs.ts';
import {
  type Import,
  type ImportedEntry,
  toImportedEntryProjection,
  toImportProjection,
  type UndoNote,
} from '../types.ts';
import type { FieldChange } from './changed-fields.ts';

interface ImportFilter extends CreationFilter {
  kind?: ImportKind | undefined;
}

const importProjection = toImportProjection('item');

/** Imports, newest first. Callers check that the viewer manages the space. */
export const importList = {
  name: 'imports',
  table: 'imports',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of the start' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { kind, ...creation }, { bind }) => [
    ...(kind ? [matchEnum(`${row}.kind`, [kind])] : []),
    ...matchCreation(row, creation, bind),
  ],
  toItem: () => ({ projection: importProjection, joins: '' }),
  findByIds: (ctx, ids): Promise<Import[]> => findRows(ctx, importList, ids),
} satisfies RowList<Import, ImportFilter, 'CREATED_AT'>;

interface EntryFilter {
  importId?: string | undefined;
  outcome?: ImportOutcome | undefined;
}

const entryProjection = toImportedEntryProjection('item');

/** What imports did with the entries of their files, by line. Callers check that the viewer manages the space. */
export const importedEntryList = {
  name: 'imported entries',
  table: 'import_rows',
  sortKeys: { LINE: { column: 'line', type: 'int', label: 'line' } },
  defaultOrder: 'LINE_ASC',
  where: (row, { importId, outcome }, { bind }) => [
    ...(importId ? [`${row}.import_id = ${bind(importId, 'uuid')}`] : []),
    ...(outcome ? [matchEnum(`${row}.outcome`, [outcome])] : []),
  ],
  toItem: () => ({ projection: entryProjection, joins: '' }),
  findByIds: (ctx, ids): Promise<ImportedEntry[]> => findRows(ctx, importedEntryList, ids),
} satisfies RowList<ImportedEntry, EntryFilter, 'LINE'>;

/** Gets an import. @throws NOT_FOUND */
export async function getImport(ctx: Context, id: string): Promise<Import> {
  const row = isUuid(id)
    ? await findRow<Import>(ctx, importList, (row, bind) => `${row}.id = ${bind(id, 'uuid')}`)
    : null;
  if (row === null) throw notFound('import');
  return row;
}

/** Starts an import, to which the parts of a file then belong. Returns its id. */
export const startImport = (
  ctx: Context,
  {
    kind,
    fileName,
    updatesExisting = false,
    resourceId,
  }: InputOf<typeof startImportInput> & { resourceId?: string | null | undefined },
): Promise<string> =>
  runInTransaction(ctx, async (ctx) => {
    const { id } = await ctx.db.import.create({
      data: {
        ...{ kind, fileName, updatesExisting, resourceId },
        startedById: getStaffId(ctx.viewer),
        createdAt: ctx.now(),
      },
      select: { id: true },
    });
    await recordCreated(ctx, 'import.started', [id]);
    return id;
  });

/** Says that a file was imported completely. Does nothing if it was said before. @throws NOT_FOUND; CONFLICT, reason IMPORT_ENDED */
export const finishImport = (ctx: Context, id: string): Promise<Import> =>
  runInTransaction(ctx, async (ctx) => {
    const { state } = await lockImport(ctx, id);
    if (state === 'undone') throw importEnded();
    if (state === 'running')
      await recordUpdated(ctx, 'import.finished', [id], () =>
        ctx.db.import.update({
          where: { id },
          data: { state: 'finished', finishedAt: ctx.now() },
        }),
      );
    return getImport(ctx, id);
  });

/**
 * Locks an import for its next part, until the transaction ends, so that it cannot be undone meanwhile.
 *
 * @throws NOT_FOUND; CONFLICT, reason IMPORT_ENDED, if it is finished or undone; VALIDATION, reason IMPORT_KIND, for another kind
 */
export async function continueImport(ctx: Context, id: string, kind: ImportKind): Promise<void> {
  const row = await lockImport(ctx, id);
  if (row.state !== 'running') throw importEnded();
  if (row.kind !== kind)
    throw new DomainError('VALIDATION', `This is an import of ${row.kind}. Start another one.`, {
      reason: 'IMPORT_KIND',
      fields: ['importId'],
    });
}

const importEnded = () =>
  new DomainError(
    'CONFLICT',
    'This import has ended. Start another one, and import the file again.',
    { reason: 'IMPORT_ENDED' },
  );

/** Locks an import until the transaction ends. @throws NOT_FOUND */
export async function lockImport({ db }: Context, id: string) {
  if (isUuid(id)) await db.$queryRaw`SELECT 1 FROM imports WHERE id = ${id}::uuid FOR UPDATE`;
  const row = isUuid(id) ? await db.import.findUnique({ where: { id } }) : null;
  if (row === null) throw notFound('import');
  return row;
}

/** What an import did with an entry of its file. */
interface EntryRecord {
  line: number;
  outcome: ImportOutcome;
  reason?: string | undefined;
  /** The member, event or booking. */
  subjectId?: string | undefined;
}

export type ImportSubject = 'member' | 'membership' | 'team' | 'event' | 'booking';

/** What an import created or changed. */
export interface ImportChangeRecord {
  subjectType: ImportSubject;
  subjectId: string;
  /** The fields before and after. Absent if the import created the row. */
  changed?: FieldChange;
}

// One parameter for all rows, whose number has no limit. With $3, what is recorded already stays as it is: the answer to a part
// can get lost, and then the part is sent again.
const INSERT_ROWS = prepareStatement(`
  WITH added AS (
    INSERT INTO import_rows (id, import_id, line, outcome, reason, subject_id)
    SELECT r.id, $1::uuid, r.line, r.outcome, r.reason, r.subject_id
    FROM jsonb_to_recordset($2::jsonb) r (id uuid, line int, outcome import_outcome, reason text, subject_id uuid)
    WHERE NOT $3::boolean OR NOT EXISTS (
      SELECT FROM import_rows known
      WHERE known.import_id = $1::uuid AND known.line = r.line AND known.subject_id IS NOT DISTINCT FROM r.subject_id
        AND (known.outcome IN ('imported', 'updated') OR (known.outcome, known.reason) IS NOT DISTINCT FROM (r.outcome, r.reason)))
    RETURNING outcome)
  UPDATE imports SET
    imported_count = imported_count + (SELECT count(*) FROM added WHERE outcome = 'imported'),
    updated_count = updated_count + (SELECT count(*) FROM added WHERE outcome = 'updated'),
    unchanged_count = unchanged_count + (SELECT count(*) FROM added WHERE outcome = 'unchanged'),
    skipped_count = skipped_count + (SELECT count(*) FROM added WHERE outcome = 'skipped')
  WHERE id = $1::uuid RETURNING 1 AS row`);

const INSERT_CHANGES = prepareStatement(`
  INSERT INTO import_changes (id, import_id, subject_type, subject_id, before, after)
  SELECT r.id, $1::uuid, r.subject_type, r.subject_id, r.before, r.after
  FROM jsonb_to_recordset($2::jsonb) r (id uuid, subject_type text, subject_id uuid, before jsonb, after jsonb)
  RETURNING 1 AS row`);

const MAX_ROWS_PER_STATEMENT = 5_000;

interface DoneEntries {
  entries: EntryRecord[];
  changes: ImportChangeRecord[];
  /** Whether they are of one part of the file, which can have been sent before. */
  isPart: boolean;
}

/** Records what an import did, in its transaction. The import must be locked. */
export async function recordEntries(
  ctx: Context,
  importId: string,
  { entries, changes, isPart }: DoneEntries,
): Promise<void> {
  const insert = async (statement: typeof INSERT_ROWS, rows: object[], ...settings: unknown[]) => {
    for (const batch of toBatches(rows, MAX_ROWS_PER_STATEMENT))
      await ctx.lockingSql(statement, [importId, JSON.stringify(batch), ...settings]);
  };
  await insert(
    INSERT_ROWS,
    entries.map(({ line, outcome, reason, subjectId }) => ({
      // A text that was cut can end with half of a character, which JSON in PostgreSQL cannot have.
      ...{ id: v7(), line, outcome, reason: reason?.toWellFormed() },
      subject_id: subjectId,
    })),
    isPart,
  );
  await insert(
    INSERT_CHANGES,
    changes.map(({ subjectType, subjectId, changed }) => ({
      ...{ id: v7(), subject_type: subjectType, subject_id: subjectId },
      ...changed,
    })),
  );
}

/** SQL: whether an import that was not undone has changed a row since another one created it. */
export const toChangedByImportSql = (id: string) => `EXISTS (
  SELECT FROM import_changes later JOIN imports other ON other.id = later.import_id
  WHERE later.subject_id = ${id} AND later.before IS NOT NULL AND other.state <> 'undone')`;

const FIND_LINES = prepareStatement(`
  SELECT subject_id AS id, min(line) AS line FROM import_rows
  WHERE import_id = $1::uuid AND subject_id = ANY ($2::uuid[]) GROUP BY subject_id`);

/** Adds the lines of the file to what there is to say about members, bookings or events, by their ids. */
export async function toNotes(
  ctx: Context,
  importId: string,
  reasons: Map<string, string>,
): Promise<UndoNote[]> {
  const rows = await ctx.lockingSql<{ id: string; line: number }>(FIND_LINES, [
    importId,
    [...reasons.keys()],
  ]);
  const lines = new Map(rows.map(({ id, line }) => [id, line]));
  return [...reasons]
    .map(([id, reason]) => ({ line: lines.get(id) ?? 1, reason }))
    .toSorted((one, other) => one.line - other.line);
}
