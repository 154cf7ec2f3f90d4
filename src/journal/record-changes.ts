import type { z } from 'zod';
import type { Context } from '../context.ts';
import { projectInstant } from '../db/json-projection.ts';
import { prepareStatement, type Statement } from '../db/prepared-statement.ts';
import { DomainError } from '../errors.ts';
import { type ChangeType, toSubjectName } from './catalog.ts';
import { listGroups } from './shapes.ts';
import { hasSubjectId, SUBJECTS, type Subject, type SubjectName } from './subjects.ts';

// Services call these functions in the transaction of the change itself, so that a change is recorded if and only if it is
// committed. The ids are those of the rows that change. All return without a statement if there are none.

/** Records rows that were just created, with their fields. */
export const recordCreated = (ctx: Context, type: ChangeType, ids: string[]): Promise<void> =>
  record(ctx, 'created', type, ids);

/**
 * Locks rows that are about to be deleted and records them, with their fields. Without the lock, a concurrent change could
 * be recorded after the deletion.
 */
export async function recordDeleted(ctx: Context, type: ChangeType, ids: string[]): Promise<void> {
  assertInTransaction(ctx);
  if (ids.length === 0) return;
  await ctx.lockingSql(STATEMENTS[toSubjectName(type)].lockToDelete, [ids]);
  await record(ctx, 'deleted', type, ids);
}

/**
 * Records something that happened to rows and changes none of their stored fields, such as a new secret. Lock the rows
 * before, for example by changing their other columns.
 */
export const recordAction = (ctx: Context, type: ChangeType, ids: string[]): Promise<void> =>
  record(ctx, 'action', type, ids);

/**
 * Locks the rows, changes them and records the fields that differ afterwards. Rows without a difference are not recorded,
 * unless `isAction` says that something else has changed, such as a code. Lock the parents of the rows before, as `change`
 * would.
 *
 * @returns the result of `change`
 * @throws CHANGED_MEANWHILE if a row has another version than its editor has read
 */
export async function recordUpdated<Result>(
  ctx: Context,
  type: ChangeType,
  ids: string[],
  change: () => Promise<Result>,
  { isAction = false } = {},
): Promise<Result> {
  assertInTransaction(ctx);
  if (ids.length === 0) return change();
  const { lock, read } = STATEMENTS[toSubjectName(type)];
  assertExpectedVersion(ctx, await ctx.lockingSql<LockedRow>(lock, [ids]));
  const rows = await ctx.lockingSql<{ json: string }>(read, [ids]);
  const result = await change();
  const before = `[${rows.map(({ json }) => json).join(',')}]`;
  await record(ctx, isAction ? 'changed' : 'updated', type, ids, before);
  return result;
}

interface LockedRow {
  key: string;
  /** Null if the table has no such column. */
  updatedAt: string | null;
}

function assertExpectedVersion({ expectedVersion: expected }: Context, rows: LockedRow[]): void {
  const row = rows.find(({ key }) => key === expected?.key);
  if (!expected || !row || expected.isConfirmed) return;
  if (row.updatedAt !== expected.updatedAt.toISOString()) throw changedMeanwhile(row.updatedAt);
  expected.isConfirmed = true;
}

const changedMeanwhile = (updatedAt: string | null) =>
  new DomainError(
    'VALIDATION',
    'Someone else changed it after you read it. Read it again, then change it.',
    { reason: 'CHANGED_MEANWHILE', updatedAt },
  );

/**
 * Records rows with `before` and `after` as SQL of `now.fields`, their fields now. For changes that remove personal data, which are
 * redacted from the beginning.
 */
export async function recordWithFields(
  ctx: Context,
  type: ChangeType,
  ids: readonly string[],
  { before, after }: { before: string; after: string },
): Promise<void> {
  assertInTransaction(ctx);
  if (ids.length === 0) return;
  const text = toInsertSql(toSubjectName(type), { before, after, redacted: 'true' });
  await ctx.lockingSql(prepareStatement(text), [ids, type, JSON.stringify(toOrigin(ctx))]);
}

type Kind = 'created' | 'updated' | 'changed' | 'deleted' | 'action';

async function record(
  ctx: Context,
  kind: Kind,
  type: ChangeType,
  ids: string[],
  before?: string,
): Promise<void> {
  assertInTransaction(ctx);
  if (ids.length === 0) return;
  const statement = STATEMENTS[toSubjectName(type)][kind];
  await ctx.lockingSql(statement, [
    ids,
    type,
    JSON.stringify(toOrigin(ctx)),
    ...(before === undefined ? [] : [before]),
  ]);
}

function assertInTransaction({ isInTransaction }: Context): void {
  if (!isInTransaction) throw new Error('a change must be recorded in its own transaction');
}

/** Who made a change, when and from where, as columns of `changes`. */
export interface Origin {
  actor_kind: Context['viewer']['kind'];
  actor_id?: string;
  job?: string | undefined;
  address?: string | undefined;
  request_id?: string | undefined;
  agent?: string | undefined;
  at: Date;
}

export const toOrigin = (ctx: Context): Origin => ({
  actor_kind: ctx.viewer.kind,
  ...('id' in ctx.viewer ? { actor_id: ctx.viewer.id } : {}),
  job: ctx.job,
  // The service does some work while it handles a request of someone else, such as expiring orders.
  address: ctx.viewer.kind === 'system' ? undefined : ctx.clientAddress,
  request_id: ctx.requestId,
  agent: ctx.agent,
  at: ctx.now(),
});

const ORIGIN_COLUMNS = 'actor_kind, actor_id, job, address, request_id, agent, at';

/** SQL: the columns of `Origin` with their types, for statements that read several rows with their origins from JSON. */
export const ORIGIN_COLUMN_TYPES =
  'actor_kind actor_kind, actor_id uuid, job text, address text, request_id text, agent text, at timestamptz';

/** SQL: the origin in a parameter, with the alias `origin`. */
export const toOriginSql = (parameter: string) =>
  `jsonb_to_record(${parameter}::jsonb) AS origin(${ORIGIN_COLUMN_TYPES})`;

export interface RecordSqlOptions {
  subject: SubjectName;
  /** SQL of the type. */
  type: string;
  /**
   * Everything after FROM: the rows with the alias `row` and all their columns as of after the change, and the columns of
   * `Origin` with the alias `origin`.
   */
  source: string;
  /** SQL of the fields that changed. By default, the rows were created. */
  before?: string;
  after?: string;
  /** SQL of the location, if it is known already. */
  location?: string;
}

/**
 * Renders the INSERT that records changes, for statements that change the rows themselves. Changes of several subjects are
 * recorded in this order.
 */
export const toRecordSql = (...changes: RecordSqlOptions[]): string => `
  INSERT INTO changes (type, subject_id, location_id, before, after, ${ORIGIN_COLUMNS})
  ${changes.map(toSelectSql).join('\n  UNION ALL\n  ')}`;

const toSelectSql = ({
  subject,
  type,
  source,
  before = 'NULL::jsonb',
  after = toFieldsSql(SUBJECTS[subject], 'row'),
  location = toLocationSql(SUBJECTS[subject], 'row'),
}: RecordSqlOptions) => `
  SELECT ${type}, row.id, ${location}, ${before}, ${after}, ${toOriginColumns('origin')}
  FROM ${source}`;

/** SQL: the field `status`, as `before` or `after` of a change. */
export const toStatusSql = (status: string) => `jsonb_build_object('status', ${status})`;

const toOriginColumns = (alias: string) =>
  ORIGIN_COLUMNS.split(', ')
    .map((column) => `${alias}.${column}`)
    .join(', ');

/** SQL of the stored fields of the row with this alias, as jsonb. */
export function toFieldsSql({ fields, computed }: Subject, row: string): string {
  const pairs = Object.entries(fields.shape).map(([column, schema]) => {
    const expression = computed?.[column]?.(row) ?? `${row}.${column}`;
    return `'${column}', ${isInstant(schema) ? projectInstant(expression) : expression}`;
  });
  return `jsonb_build_object(${pairs.join(', ')})`;
}

/** Whether PostgreSQL must format the value. It writes dates and all others as their schemas say. */
function isInstant(schema: unknown): boolean {
  const { type, format, innerType } = (schema as z.core.$ZodType & { def: object }).def as {
    type: string;
    format?: string;
    innerType?: unknown;
  };
  return type === 'nullable' ? isInstant(innerType) : format === 'datetime';
}

const toLocationSql = ({ fields, toLocation }: Subject, row: string): string =>
  toLocation?.(row) ?? ('location_id' in fields.shape ? `${row}.location_id` : 'NULL::uuid');

/**
 * The fields of an object that differ from those of another. If one field of a group differs, all of them are recorded: an
 * amount with its currency.
 */
function toDifferenceSql(from: string, to: string, groups: string[][]): string {
  const differs = (name: string) => `${from} -> '${name}' IS DISTINCT FROM ${to} -> '${name}'`;
  const inGroups = groups.map(
    (names) =>
      `OR field.key IN (${names.map((name) => `'${name}'`).join(', ')}) AND (${names.map(differs).join(' OR ')})`,
  );
  return `(
  SELECT jsonb_object_agg(field.key, field.value) FROM jsonb_each(${from}) field
  WHERE field.value IS DISTINCT FROM ${to} -> field.key ${inGroups.join(' ')})`;
}

const STATEMENTS = Object.fromEntries(
  (Object.keys(SUBJECTS) as SubjectName[]).map((name) => [name, createStatements(name)]),
) as Record<SubjectName, Statements>;

/** Reads the stored fields of rows as they are now. */
export async function readFields(
  { pipelinedSql }: Context,
  subject: SubjectName,
  ids: string[],
): Promise<{ key: string; fields: Record<string, unknown> }[]> {
  const rows = await pipelinedSql<{ json: string }>(STATEMENTS[subject].read, [ids]);
  return rows.map(({ json }) => JSON.parse(json));
}

type Statements = Record<Kind | 'lock' | 'lockToDelete' | 'read', Statement>;

function createStatements(name: SubjectName): Statements {
  const subject: Subject = SUBJECTS[name];
  const groups = listGroups(name);
  const { table, key = 'id' } = subject;
  const type = getKeyType(subject);
  const fields = toFieldsSql(subject, 'row');
  const old = `jsonb_to_recordset($4::jsonb) old (key ${type}, fields jsonb)`;
  const insert = (before: string, after: string, source: string) =>
    prepareStatement(toInsertSql(name, { before, after, source }));
  // Without a subject_id, the key says which setting changed.
  const identify = (difference: string) =>
    subject.key === undefined
      ? difference
      : `${difference} || jsonb_build_object('${key}', now.key)`;
  const version = subject.hasUpdatedAt ? projectInstant('updated_at') : 'NULL';
  const lock = `SELECT ${key}::text AS key, ${version} AS "updatedAt" FROM ${table} WHERE ${key} = ANY ($1::${type}[]) ORDER BY ${key} FOR`;
  return {
    // Statements of their own, since a statement that waits for a lock reads other tables as of before the wait.
    lock: prepareStatement(`${lock} NO KEY UPDATE`),
    lockToDelete: prepareStatement(`${lock} UPDATE`),
    read: prepareStatement(
      `SELECT jsonb_build_object('key', row.${key}, 'fields', ${fields})::text AS json FROM ${table} row
       WHERE row.${key} = ANY ($1::${type}[])`,
    ),
    created: insert('NULL', 'now.fields', ''),
    deleted: insert('now.fields', 'NULL', ''),
    action: insert(identify(`'{}'::jsonb`), identify(`'{}'::jsonb`), ''),
    changed: insert(
      identify(`coalesce(${toDifferenceSql('old.fields', 'now.fields', groups)}, '{}')`),
      identify(`coalesce(${toDifferenceSql('now.fields', 'old.fields', groups)}, '{}')`),
      `JOIN ${old} ON old.key = now.key`,
    ),
    updated: insert(
      identify(toDifferenceSql('old.fields', 'now.fields', groups)),
      identify(toDifferenceSql('now.fields', 'old.fields', groups)),
      `JOIN ${old} ON old.key = now.key AND old.fields <> now.fields`,
    ),
  };
}

function getKeyType(subject: Subject): string {
  if (hasSubjectId(subject)) return 'uuid';
  return subject.isOnlyRow ? 'smallint' : 'text';
}

/** Renders the INSERT of changes of the rows with the keys `$1`, as `now` with their `fields`. `$2` is the type, `$3` the origin. */
function toInsertSql(
  name: SubjectName,
  {
    before,
    after,
    source = '',
    redacted = 'false',
  }: { before: string; after: string; source?: string; redacted?: string },
): string {
  const subject: Subject = SUBJECTS[name];
  const { table, key = 'id' } = subject;
  const type = getKeyType(subject);
  const rows = `SELECT row.${key} AS key, ${toFieldsSql(subject, 'row')} AS fields, ${toLocationSql(subject, 'row')} AS location_id
    FROM ${table} row WHERE row.${key} = ANY ($1::${type}[])`;
  return `
      INSERT INTO changes (type, subject_id, location_id, before, after, redacted, ${ORIGIN_COLUMNS})
      SELECT $2, ${hasSubjectId(subject) ? 'now.key' : 'NULL'}, now.location_id, ${before}, ${after}, ${redacted}, ${toOriginColumns('origin')}
      FROM (${rows} ORDER BY row.${key}) now ${source}
      CROSS JOIN jsonb_populate_record(NULL::changes, $3::jsonb) origin
      ORDER BY now.key`;
}
