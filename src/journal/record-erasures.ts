import type { Context } from '../context.ts';
import { toBatches } from '../core/batches.ts';
import { prepareStatement } from '../db/prepared-statement.ts';
import { CHANGE_TYPES, type ChangeType } from './catalog.ts';
import { recordWithFields } from './record-changes.ts';
import { listColumns, listReferences } from './shape.ts';
import { SHAPES } from './shapes.ts';
import { SUBJECTS, type Subject, type SubjectName } from './subjects.ts';

// Removing personal data is a change like any other, so that copies of the data follow. These changes and those that were recorded
// before keep which fields they are about, without the values: they are redacted.

/** A subject whose rows can lose personal data. */
export type ErasedSubject = {
  [Name in SubjectName]: `${Name}.erased` extends ChangeType ? Name : never;
}[SubjectName];

/** A type of change that says that rows were deleted. */
export type PurgedType = Extract<ChangeType, `${string}.deleted`>;

const isErasable = (name: SubjectName): name is ErasedSubject =>
  CHANGE_TYPES.includes(`${name}.erased` as ChangeType);

/** Finds the subject of the rows of a table, if these can lose personal data. */
export const findErasedSubject = (table: string): ErasedSubject | undefined =>
  (Object.keys(SUBJECTS) as SubjectName[])
    .filter(isErasable)
    .find((name) => SUBJECTS[name].table === table);

/** Whether REST shows the names of members in these rows, which change when a member is erased. */
export const showsMembers = (subject: ErasedSubject): boolean =>
  listMemberColumns(subject).length > 0;

const listMemberColumns = (subject: SubjectName) =>
  Object.values(SHAPES[subject]?.fields ?? {})
    .flatMap(listReferences)
    .filter(({ table }) => table === 'members')
    .map(({ column }) => column);

/** The fields that a change of this type records: the personal ones, and those that REST shows together with them. */
function listErasedFields(subject: ErasedSubject): string[] {
  const { personal = [] }: Subject = SUBJECTS[subject];
  const groups = Object.values(SHAPES[subject]?.fields ?? {})
    .map(listColumns)
    .filter((columns) => columns.some((name) => personal.includes(name)));
  return [...new Set([...personal, ...groups.flat(), ...listMemberColumns(subject)])];
}

/** The number of rows that one statement records. */
const BATCH_SIZE = 1_000;

/**
 * Records rows whose personal data was removed, with what they contain now, and redacts their earlier changes. Call it after the
 * rows were changed.
 */
export async function recordErased(
  ctx: Context,
  subject: ErasedSubject,
  ids: readonly string[],
): Promise<void> {
  const { personal = [] }: Subject = SUBJECTS[subject];
  const names = listErasedFields(subject);
  const kept = names.filter((name) => !personal.includes(name));
  for (const batch of toBatches(ids, BATCH_SIZE)) {
    await redactChanges(ctx, batch);
    await recordWithFields(ctx, `${subject}.erased`, batch, {
      before: `${toSelectionSql(kept)} || ${toNullsSql(personal)}`,
      after: toSelectionSql(names),
    });
  }
}

/** Records rows that are about to be deleted because their time is over, without personal data, and redacts their earlier changes. */
export async function recordPurged(
  ctx: Context,
  type: PurgedType,
  ids: readonly string[],
): Promise<void> {
  const subject = type.slice(0, -'.deleted'.length) as SubjectName;
  const { personal = [] }: Subject = SUBJECTS[subject];
  for (const batch of toBatches(ids, BATCH_SIZE)) {
    await redactChanges(ctx, batch);
    await recordWithFields(ctx, type, batch, {
      before: `now.fields || ${toNullsSql(personal)}`,
      after: 'NULL',
    });
  }
}

const toTextArray = (names: readonly string[]) =>
  `ARRAY[${names.map((name) => `'${name}'`).join(', ')}]::text[]`;

const toSelectionSql = (names: readonly string[]) =>
  `coalesce((SELECT jsonb_object_agg(field.key, field.value) FROM jsonb_each(now.fields) field WHERE field.key = ANY (${toTextArray(names)})), '{}')`;

const toNullsSql = (names: readonly string[]) =>
  `coalesce((SELECT jsonb_object_agg(name, 'null'::jsonb) FROM unnest(${toTextArray(names)}) name), '{}')`;

/** SQL: the names of the personal fields of a change `t`. */
const PERSONAL_FIELDS = `CASE split_part(t.type, '.', 1)
  ${Object.entries(SUBJECTS)
    .filter(([, { personal = [] }]: [string, Subject]) => personal.length > 0)
    .map(
      ([name, { personal = [] }]: [string, Subject]) =>
        `WHEN '${name}' THEN ${toTextArray(personal)}`,
    )
    .join('\n  ')}
  ELSE '{}' END`;

/**
 * SQL: the assignments that redact the changes `t` of an UPDATE. Personal fields become null, and so do other fields with one of
 * the values in `texts`, an array in lower case.
 */
export function toRedactionSql(texts = NO_TEXTS): string[] {
  const isPersonal = toPersonalFieldSql(texts);
  const redact = (column: string) => `${column} = (
    SELECT coalesce(jsonb_object_agg(field.key, CASE WHEN ${isPersonal} THEN 'null' ELSE field.value END), '{}')
    FROM jsonb_each(t.${column}) field WHERE t.${column} IS NOT NULL HAVING t.${column} IS NOT NULL)`;
  return [redact('before'), redact('after'), `redacted = t.redacted OR ${toHasPersonalSql(texts)}`];
}

const NO_TEXTS = `'{}'::text[]`;

const toPersonalFieldSql = (texts: string) =>
  `(field.key = ANY (${PERSONAL_FIELDS}) OR lower(btrim(field.value #>> '{}')) = ANY (${texts}))`;

const toHasPersonalSql = (texts: string) => `EXISTS (
  SELECT FROM jsonb_each(coalesce(t.before, '{}') || coalesce(t.after, '{}')) field WHERE ${toPersonalFieldSql(texts)})`;

const REDACT = prepareStatement(`
  UPDATE changes t SET ${toRedactionSql().join(', ')}
  WHERE t.subject_id = ANY ($1::uuid[]) AND ${toHasPersonalSql(NO_TEXTS)}`);

/** Removes personal data from the changes of these objects that contain some. All others stay as they are. */
const redactChanges = ({ lockingSql }: Context, ids: readonly string[]) =>
  lockingSql(REDACT, [ids]);
