import { z } from 'zod';
import type { Access } from '../auth/viewer.ts';
import type { Instant } from '../core/time/time-zone.ts';
import { uuid } from '../core/validation.ts';

// Each row is described once, in `rows.ts` of its noun. What the APIs show, what people can write, what the journal records
// and what an erasure changes follow from this description.

/**
 * What erasing a person does to a text or JSON column:
 * - `name`: becomes "Deleted person"
 * - `address`: becomes an undeliverable placeholder
 * - `clear`: becomes null
 * - `code`: an access code of the person; becomes a new code
 * - `copy`: a copy or a text about people; names and addresses in it are replaced
 * - `row`: personal, but its row is deleted as a whole
 * - `fields`: fields of other rows, in the journal; those that are personal become null
 * - `content`: a public text by staff; not changed, but reported if it names the person
 * - `technical`: codes, references and settings, which never contain a name or an address
 */
export type ErasureKind =
  | 'name'
  | 'address'
  | 'clear'
  | 'code'
  | 'copy'
  | 'row'
  | 'fields'
  | 'content'
  | 'technical';

/** A value that the APIs show. */
export interface ShownField {
  /** The type, whether it can be null, and the limits of what people can write. */
  schema: z.ZodType;
  description: string;
  /** What null means, such as "no limit". */
  whenNull?: string;
  /** What reading it requires, if that is more than reading the row. */
  access?: Access;
}

/** What people can write. */
interface Writable {
  /** Whether people set it when they create the row. */
  create?: 'required' | 'optional';
  /** Whether people can change it later. */
  update?: true;
}

/** A column that the APIs show under its own name. */
interface ShownColumn<Row, Value> extends ShownField, Writable {
  schema: z.ZodType<Value>;
  /** False if the journal leaves it out. A schema if it records the stored value in another form. */
  journal?: false | z.ZodType;
  /** Needed for text and JSON. */
  erasure?: ErasureKind;
  /** What the APIs show instead of the stored value: SQL for the row with this alias, and the same for a row in memory. */
  sql?: (row: string) => string;
  toValue?: (row: Row) => unknown;
}

/** A column that the APIs do not show under its own name. */
export interface HiddenColumn<Value> extends Writable {
  /** Why it is not shown, or where. */
  hidden: string;
  /** Needed if people can write it or the journal records it. */
  schema?: z.ZodType<Value>;
  description?: string;
  whenNull?: string;
  /** Whether the journal records it. */
  journal?: true;
  erasure?: ErasureKind;
}

/** A value that the APIs show and that no column stores in this form. */
export interface ComputedField<Row> extends ShownField {
  sql: (row: string) => string;
  /** By default, the row in memory has a field of this name. */
  toValue?: (row: Row) => unknown;
}

/** The value of a column. Prisma represents a date without a time as `Date`, and services represent it as text. */
type ColumnValue<Value> = Value extends Date ? Date | string : Value;

/** The rows of a table. `Row` is Prisma's type, so that the compiler asks for every column. */
export interface RowDescription<Row> {
  table: string;
  columns: {
    [Name in keyof Row]-?:
      | ShownColumn<Row, ColumnValue<Row[Name]>>
      | HiddenColumn<ColumnValue<Row[Name]>>;
  };
  computed?: Record<string, ComputedField<Row>>;
}

/** Any description, for functions that derive something from it. */
export interface AnyRow {
  table: string;
  // biome-ignore lint/suspicious/noExplicitAny: each description has its own type of row
  columns: Record<string, ShownColumn<any, any> | HiddenColumn<any>>;
  // biome-ignore lint/suspicious/noExplicitAny: each description has its own type of row
  computed?: Record<string, ComputedField<any>>;
}

/** The names of the fields that the APIs show. */
export type ShownName<Row extends AnyRow> = keyof ShownFields<Row>;

type ShownFields<Row extends AnyRow> = ShownColumns<Row['columns']> &
  (Row['computed'] extends object ? Row['computed'] : unknown);

type ShownColumns<Columns> = {
  [Name in keyof Columns as Columns[Name] extends { hidden: string } ? never : Name]: Columns[Name];
};

/** A row as services read it with a projection: what the APIs show, with times as text. */
export type ShownRow<Row extends AnyRow> = {
  -readonly [Name in ShownName<Row>]: ShownFields<Row>[Name] extends {
    schema: infer Schema extends z.ZodType;
  }
    ? ShownValue<z.output<Schema>>
    : never;
};

type ShownValue<Value> = Value extends Date ? Instant : Value;

/** The fields that the journal records, by the names of their columns. */
export type JournaledRow<Row extends AnyRow> = {
  -readonly [Name in keyof Row['columns'] as IsJournaled<Row['columns'][Name]> extends true
    ? SnakeCase<Name & string>
    : never]: Row['columns'][Name] extends { schema: infer Schema extends z.ZodType }
    ? ShownValue<z.output<Schema>>
    : never;
};

type IsJournaled<Column> = Column extends { hidden: string }
  ? Column extends { journal: true }
    ? true
    : false
  : Column extends { journal: false }
    ? false
    : true;

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Others}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Others>}`
  : Name;

export const isHidden = (column: object): column is HiddenColumn<unknown> => 'hidden' in column;

type Columns = AnyRow['columns'];

/** Describes columns that the APIs show in another place than the row. The journal records them. */
export const hideColumns = <Shown extends Columns>(columns: Shown, hidden: string) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, { ...column, hidden, journal: true }]),
  ) as { [Name in keyof Shown]: Shown[Name] & { hidden: string; journal: true } };

/** Lists the fields that the APIs show, by name. */
export function listShownFields(
  { columns, computed = {} }: AnyRow,
  except: readonly PropertyKey[] = [],
): [name: string, field: ShownField & Partial<ComputedField<unknown>>][] {
  const shown = Object.entries(columns).flatMap(([name, column]) =>
    isHidden(column) ? [] : ([[name, column]] as [string, ShownField][]),
  );
  return [...shown, ...Object.entries(computed)].filter(([name]) => !except.includes(name));
}

/** What a field means, for readers and writers. */
export const describeField = ({ description, whenNull }: Omit<ShownField, 'schema'>): string =>
  whenNull ? `${description}; ${whenNull}` : description;

// Columns that most tables have.

export const rowId = (description: string) =>
  ({ schema: uuid, description, journal: false }) as const;

export const createdAt = (description: string, access?: Access) =>
  ({ schema: z.date(), description, journal: false, ...(access && { access }) }) as const;

/** For rows that people update: a version, which they send back as `ifUpdatedAt`. */
export const updatedAt = (access?: Access) =>
  ({
    schema: z.date(),
    description:
      'When it last changed. Send it as ifUpdatedAt of an update, so that the update is rejected if someone else changed it after you read it.',
    journal: false,
    ...(access && { access }),
  }) as const;

export const hiddenUpdatedAt = { hidden: 'Changes whenever the row does' } as const;
