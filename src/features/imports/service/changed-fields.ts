import type { Context } from '../../../context.ts';
import { type ImportChange, Prisma } from '../../../db/generated/client.ts';

type Value = string | string[] | number | Date | null;

/** Columns of a row, as JSON. */
export type ChangedFields = Record<string, string | string[] | number | null>;

/** The columns that an import changed, as they were and as it left them. */
export interface FieldChange {
  before: ChangedFields;
  after: ChangedFields;
}

/** What reports call a column, unless it is its own name. */
const LABELS: Record<string, string> = {
  ...{ startsAt: 'time', endsAt: 'time', occupiedUntil: 'time' },
  // Only imports change the name of a guest, when it is the title.
  ...{ locationId: 'location', teamId: 'team', guestName: 'title' },
  customerNumber: 'customer number',
  priceAmount: 'price',
  priceCurrency: 'price',
  membershipId: 'price',
  usageMonth: 'price',
  includedMinutes: 'price',
  clockChangeMinutes: 'price',
};

const toLabel = (field: string) => LABELS[field] ?? field;

/** Such as "time, title". */
export const formatFields = (fields: string[]): string =>
  [...new Set(fields.map(toLabel))].join(', ');

/** Finds the wanted columns that differ. Of times, all are recorded if one differs. */
export function findFieldChange<Wanted extends Record<keyof Wanted, Value>>(
  stored: Pick<Wanted, keyof Wanted>,
  wanted: Wanted,
): FieldChange | null {
  const fields = Object.keys(wanted) as (keyof Wanted & string)[];
  const differing = fields.filter((field) => !isSame(stored[field], wanted[field]));
  if (differing.length === 0) return null;
  const labels = new Set(differing.map(toLabel));
  const changed = fields.filter((field) => labels.has(toLabel(field)));
  const pick = (row: Pick<Wanted, keyof Wanted>): ChangedFields =>
    Object.fromEntries(changed.map((field) => [field, toJson(row[field])]));
  return { before: pick(stored), after: pick(wanted) };
}

const isSame = (one: Value | undefined, other: Value | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

const toJson = (value: Value) => (value instanceof Date ? value.toISOString() : value);

/** A row that an import changed, and that its undo can give its earlier fields. */
export interface Restoration extends FieldChange {
  subjectId: string;
}

/** Lists what an import changed of the rows of a table. */
export async function listFieldChanges(
  { db }: Context,
  importId: string,
  subjectType: 'member' | 'event' | 'booking',
): Promise<Restoration[]> {
  const changes: ImportChange[] = await db.importChange.findMany({
    where: { importId, subjectType, after: { not: Prisma.DbNull } },
    orderBy: { subjectId: 'asc' },
  });
  return changes.map(({ subjectId, before, after }) => ({
    subjectId,
    before: before as ChangedFields,
    after: after as ChangedFields,
  }));
}

/**
 * Divides the fields of a change into those that are still as the import left them, and those that were changed since. Imports fit
 * the buffers of bookings to each other, so a different end of one is no change.
 */
export function splitFields(
  row: Partial<Record<string, unknown>>,
  { after }: FieldChange,
): { same: string[]; kept: string[] } {
  const fields = Object.keys(after);
  const changed = fields.filter(
    (field) => field !== 'occupiedUntil' && !isSame(row[field] as Value, after[field]),
  );
  const labels = new Set(changed.map(toLabel));
  return {
    same: fields.filter((field) => !labels.has(toLabel(field))),
    kept: fields.filter((field) => labels.has(toLabel(field))),
  };
}

/** Reads columns from JSON. */
export const parseFields = (fields: ChangedFields, names: string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.map((name) => {
      const value = fields[name] ?? null;
      return [name, isDate(name) && typeof value === 'string' ? new Date(value) : value];
    }),
  );

const isDate = (field: string) => toLabel(field) === 'time' || field === 'usageMonth';

/** The note about fields that an undo leaves as they are. */
export const formatKept = (fields: string[]): string =>
  `Changed since the import, so it stays: ${formatFields(fields)}.`;
