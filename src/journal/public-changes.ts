import type { Context } from '../context.ts';
import { prepareStatement } from '../db/prepared-statement.ts';
import { type ChangeType, toSubjectName } from './catalog.ts';
import { readFields } from './record-changes.ts';
import {
  listColumns,
  listOwnColumns,
  listReferences,
  type ReferencedFields,
  toValue,
} from './shape.ts';
import { SHAPES } from './shapes.ts';
import { hasSubjectId, ONLY_ROW, SUBJECTS, type Subject, type SubjectName } from './subjects.ts';

// The journal stores the columns that differ, as the database has them. They are converted to the names and shapes of REST when
// they are read, so that stored changes stay as they are when REST shows something in another way.

interface StoredChange {
  type: ChangeType;
  subjectId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Converts what changes store to the names and shapes of REST, in two statements at most, and adds their `subjectKey`. */
export async function toPublicChanges<Change extends StoredChange>(
  ctx: Context,
  changes: Change[],
): Promise<(Change & { subjectKey: string })[]> {
  const completed = await completeGroups(ctx, changes);
  const referenced = await findReferencedFields(ctx, completed);
  return completed.map((change) => {
    const subject = toSubjectName(change.type);
    const convert = (stored: Record<string, unknown> | null) =>
      stored && toPublicFields(subject, stored, referenced);
    return {
      ...change,
      subjectKey: toSubjectKey(change),
      before: convert(change.before),
      after: convert(change.after),
    };
  });
}

/** What each change has that tells its subject from all others: the id, and for settings, which have none, their name. */
const toSubjectKey = ({ type, subjectId, before, after }: StoredChange): string =>
  subjectId ?? [toSubjectName(type), findSettingKey({ type, before, after })].join(':');

/** The key of the row of settings that has changed: 1 if there is only one. */
export function findSettingKey({ type, before, after }: Omit<StoredChange, 'subjectId'>): string {
  const { key }: Subject = SUBJECTS[toSubjectName(type)];
  return key === undefined ? ONLY_ROW : String((after ?? before)?.[key]);
}

/** Converts stored columns to the names and shapes of REST. */
function toPublicFields(
  subject: SubjectName,
  stored: Record<string, unknown>,
  referenced: ReferencedFields,
): Record<string, unknown> {
  const { fields = {}, leftOut = {} } = SHAPES[subject] ?? {};
  const shapes = Object.entries(fields);
  const hidden = new Set([
    ...shapes.flatMap(([, shape]) => listHidden(shape)),
    ...Object.keys(leftOut),
  ]);
  const own = Object.entries(stored).filter(([name]) => !hidden.has(name));
  const shaped = shapes
    .filter(([, shape]) => listOwnColumns(shape).some((name) => name in stored))
    .map(([name, shape]) => [name, toValue(shape, stored, referenced)]);
  return { ...Object.fromEntries(own), ...Object.fromEntries(shaped) };
}

/** The columns that a shape shows. A status keeps its own name. */
const listHidden = (shape: Parameters<typeof listColumns>[0]) =>
  shape.kind === 'whileStatus' ? [shape.column] : listColumns(shape);

/**
 * Adds the other columns of a shape to changes that lack them: statements that record only a status, and changes from before
 * version 0.3. What the change does not contain has not changed by it, so the row mostly still has it.
 */
async function completeGroups<Change extends StoredChange>(
  ctx: Context,
  changes: Change[],
): Promise<Change[]> {
  const missing = changes.map((change) => listMissing(change));
  const ids = new Map<SubjectName, Set<string>>();
  for (const [index, { type, subjectId }] of changes.entries()) {
    if (missing[index]?.length === 0 || subjectId === null) continue;
    const subject = toSubjectName(type);
    ids.set(subject, (ids.get(subject) ?? new Set()).add(subjectId));
  }
  if (ids.size === 0) return changes;
  const rows = new Map<string, Record<string, unknown>>();
  for (const [subject, selected] of ids)
    for (const { key, fields } of await readFields(ctx, subject, [...selected]))
      rows.set(key, fields);
  return changes.map((change, index) => {
    const row = rows.get(change.subjectId ?? '');
    const names = missing[index] ?? [];
    if (row === undefined || names.length === 0) return change;
    const added = Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
    const complete = (stored: Record<string, unknown> | null) => stored && { ...added, ...stored };
    return { ...change, before: complete(change.before), after: complete(change.after) };
  });
}

function listMissing({ type, before, after }: StoredChange): string[] {
  const stored = { ...before, ...after };
  const shapes = Object.values(SHAPES[toSubjectName(type)]?.fields ?? {});
  return shapes
    .filter((shape) => listOwnColumns(shape).some((name) => name in stored))
    .flatMap((shape) => listColumns(shape).filter((name) => !(name in stored)));
}

/** The tables that shapes refer to, with the columns that they show. */
const REFERENCED_TABLES = new Map<string, Set<string>>();
for (const { fields = {} } of Object.values(SHAPES))
  for (const { table, fields: columns } of Object.values(fields).flatMap(listReferences))
    REFERENCED_TABLES.set(table, new Set([...(REFERENCED_TABLES.get(table) ?? []), ...columns]));

const FIND_REFERENCED = prepareStatement(
  [...REFERENCED_TABLES]
    .map(
      ([table, columns]) =>
        `SELECT row.id, jsonb_build_object(${[...columns]
          .map((name) => `'${name}', row.${name}`)
          .join(', ')}) AS fields FROM ${table} row WHERE row.id = ANY ($1::uuid[])`,
    )
    .join('\n  UNION ALL '),
);

async function findReferencedFields(
  { pipelinedSql }: Context,
  changes: StoredChange[],
): Promise<ReferencedFields> {
  const ids = new Set(changes.flatMap(listReferencedIds));
  if (ids.size === 0) return new Map();
  const rows = await pipelinedSql<{ id: string; fields: Record<string, unknown> }>(
    FIND_REFERENCED,
    [[...ids]],
  );
  return new Map(rows.map(({ id, fields }) => [id, fields]));
}

function listReferencedIds({ type, before, after }: StoredChange): string[] {
  const fields = Object.values(SHAPES[toSubjectName(type)]?.fields ?? {});
  const columns = fields.flatMap(listReferences).map(({ column }) => column);
  return [before, after].flatMap((stored) =>
    columns.flatMap((name) => {
      const id = stored?.[name];
      return typeof id === 'string' ? [id] : [];
    }),
  );
}

/** SQL: whether the object of a change no longer exists. */
export const toIsDeletedSql = (change: string): string => `(CASE split_part(${change}.type, '.', 1)
    ${Object.entries(SUBJECTS)
      .filter(([, subject]) => hasSubjectId(subject))
      .map(
        ([name, { table }]) =>
          `WHEN '${name}' THEN NOT EXISTS (SELECT FROM ${table} row WHERE row.id = ${change}.subject_id)`,
      )
      .join('\n    ')}
    ELSE false END)`;
