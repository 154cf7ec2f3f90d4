import { z } from 'zod';
import { uuid } from '../core/validation.ts';
import {
  type Projection,
  projectInstant,
  projectMoney,
  projectNumber,
  projectRow,
  projectUnescaped,
  projectWhen,
} from '../db/json-projection.ts';

// How REST shows what a row stores in several columns, or in another form. REST objects, the JSON of changes and the schemas of
// both follow from it. Columns have the names of the database, and fields those of REST.

/** A row that REST shows with some of its fields in the place of its id. */
export interface Reference {
  kind: 'reference';
  column: string;
  table: string;
  fields: readonly string[];
}

export type Shape =
  /** The value as stored, or in place of null another one. */
  | { kind: 'column'; column: string; inPlaceOfNull?: string }
  /** Whether the column has a value. */
  | { kind: 'isSet'; column: string }
  /** Null once the row has another status. */
  | { kind: 'whileStatus'; column: string; status: string }
  /** The currency is in another column, or in the row of another table. */
  | { kind: 'money'; amount: string; currency: string | Reference }
  | Reference
  /** Several fields. Null where the column `nullIf` is null. */
  | ({ kind: 'object'; fields: Record<string, Shape> } & ObjectOptions);

interface ObjectOptions {
  nullIf?: string;
  description?: string;
  /** The name of its schema, if several objects contain it. */
  id?: string;
}

export const column = (name: string): Shape => ({ kind: 'column', column: name });

/** In minor units, with its currency. Null if the amount is null. */
export const money = (amount: string, currency: string | Reference): Shape => ({
  kind: 'money',
  amount,
  currency,
});

export const reference = (
  name: string,
  table: string,
  fields: readonly string[] = ['name'],
): Reference => ({ kind: 'reference', column: name, table, fields });

export const object = (fields: Record<string, Shape>, options: ObjectOptions = {}): Shape => ({
  kind: 'object',
  fields,
  ...options,
});

/** A name and an address. Null if there is no name. */
export const person = (prefix: string): Shape =>
  object(
    { name: column(`${prefix}_name`), email: column(`${prefix}_email`) },
    { nullIf: `${prefix}_name` },
  );

/** Lists the columns that a shape is made of. A change of one of them records all. */
export function listColumns(shape: Shape): string[] {
  switch (shape.kind) {
    case 'money':
      return [
        shape.amount,
        typeof shape.currency === 'string' ? shape.currency : shape.currency.column,
      ];
    case 'whileStatus':
      return [shape.column, 'status'];
    case 'object': {
      const nested = Object.values(shape.fields).flatMap(listColumns);
      return [...new Set(shape.nullIf === undefined ? nested : [...nested, shape.nullIf])];
    }
    default:
      return [shape.column];
  }
}

/** Lists the columns whose change is a change of the shape. A currency alone is not. */
export function listOwnColumns(shape: Shape): string[] {
  if (shape.kind === 'money') return [shape.amount];
  return shape.kind === 'object'
    ? Object.values(shape.fields).flatMap(listOwnColumns)
    : listColumns(shape);
}

/** Lists the rows of other tables that a shape shows. */
export function listReferences(shape: Shape): Reference[] {
  switch (shape.kind) {
    case 'reference':
      return [shape];
    case 'money':
      return typeof shape.currency === 'string' ? [] : [shape.currency];
    case 'object':
      return Object.values(shape.fields).flatMap(listReferences);
    default:
      return [];
  }
}

/** The fields of rows of other tables, by the id of the row. */
export type ReferencedFields = ReadonlyMap<string, Record<string, unknown>>;

/** Converts the stored values of a row. */
export function toValue(
  shape: Shape,
  stored: Record<string, unknown>,
  referenced: ReferencedFields,
): unknown {
  switch (shape.kind) {
    case 'column':
      return stored[shape.column] ?? shape.inPlaceOfNull ?? null;
    case 'isSet':
      return stored[shape.column] != null;
    case 'whileStatus':
      return stored.status === shape.status ? (stored[shape.column] ?? null) : null;
    case 'money': {
      const amount = stored[shape.amount];
      return amount == null
        ? null
        : { amount, currency: toCurrency(shape.currency, stored, referenced) };
    }
    case 'reference': {
      const id = stored[shape.column];
      if (typeof id !== 'string') return null;
      const found = referenced.get(id);
      const fields = shape.fields.map((name) => [name, found?.[name] ?? null]);
      return { id, ...Object.fromEntries(fields) };
    }
    case 'object':
      return shape.nullIf !== undefined && stored[shape.nullIf] == null
        ? null
        : Object.fromEntries(
            Object.entries(shape.fields).map(([name, field]) => [
              name,
              toValue(field, stored, referenced),
            ]),
          );
  }
}

function toCurrency(
  currency: string | Reference,
  stored: Record<string, unknown>,
  referenced: ReferencedFields,
) {
  if (typeof currency === 'string') return stored[currency] ?? null;
  const [field = ''] = currency.fields;
  return referenced.get(String(stored[currency.column]))?.[field] ?? null;
}

/** Projects a shape for the row with this alias. `toSql` returns the SQL of a column. */
export function projectShape(
  shape: Shape,
  toSql: (column: string) => string,
  schemas: Record<string, z.ZodType>,
): Projection[string] {
  switch (shape.kind) {
    case 'column': {
      const value = projectColumn(toSql(shape.column), schemas[shape.column]);
      return shape.inPlaceOfNull === undefined
        ? value
        : `coalesce(${toSql(shape.column)}::text, '${shape.inPlaceOfNull}')`;
    }
    case 'isSet':
      return projectNumber(`(${toSql(shape.column)} IS NOT NULL)`);
    case 'whileStatus':
      return projectColumn(
        `CASE WHEN ${toSql('status')} = '${shape.status}' THEN ${toSql(shape.column)} END`,
        schemas[shape.column],
      );
    case 'money': {
      const { amount, currency } = shape;
      const sql =
        typeof currency === 'string'
          ? toSql(currency)
          : `(SELECT paid.${currency.fields[0]} FROM ${currency.table} paid WHERE paid.id = ${toSql(currency.column)})`;
      const value = projectMoney(toSql(amount), sql);
      return schemas[amount] instanceof z.ZodNullable
        ? projectWhen(`${toSql(amount)} IS NOT NULL`, value)
        : value;
    }
    case 'reference':
      return projectRow(shape.table, toSql(shape.column), (row) => ({
        id: projectUnescaped(`${row}.id`),
        ...Object.fromEntries(shape.fields.map((name) => [name, `${row}.${name}`])),
      }));
    case 'object': {
      const fields = Object.fromEntries(
        Object.entries(shape.fields).map(([name, field]) => [
          name,
          projectShape(field, toSql, schemas),
        ]),
      );
      return shape.nullIf === undefined
        ? fields
        : projectWhen(`${toSql(shape.nullIf)} IS NOT NULL`, fields);
    }
  }
}

const projectColumn = (sql: string, schema: z.ZodType | undefined) => {
  const value = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  return value instanceof z.ZodISODateTime ? projectInstant(sql) : sql;
};

/** The schemas by which objects in REST show money, and rows of other tables. */
export interface NamedSchemas {
  money: z.ZodObject;
  toReference(reference: Reference): z.ZodObject;
}

/**
 * The schema of a shape. `schemas` are those of the columns, with their descriptions. Without `named`, it is that of changes, which
 * can name rows that no longer exist: of those they have only the id.
 */
export function toShapeSchema(
  shape: Shape,
  schemas: Record<string, z.ZodType>,
  named?: NamedSchemas,
): z.ZodType {
  const schema = toBareSchema(shape, schemas, named);
  if (shape.kind === 'object') {
    const { description, id } = shape;
    return schema.meta({ ...(description && { description }), ...(id && named && { id }) });
  }
  const [first = ''] = listOwnColumns(shape);
  const description = schemas[first]?.description;
  return description === undefined ? schema : schema.meta({ description });
}

function toBareSchema(
  shape: Shape,
  schemas: Record<string, z.ZodType>,
  named: NamedSchemas | undefined,
): z.ZodType {
  const orNull = (schema: z.ZodType, name: string) =>
    named === undefined || schemas[name] instanceof z.ZodNullable ? schema.nullable() : schema;
  switch (shape.kind) {
    case 'column': {
      const schema = schemas[shape.column] ?? z.unknown();
      const isFilled = named && shape.inPlaceOfNull && schema instanceof z.ZodNullable;
      return isFilled ? (schema.unwrap() as z.ZodType) : schema;
    }
    case 'isSet':
      return z.boolean();
    case 'whileStatus':
      return schemas[shape.column] ?? z.unknown();
    case 'money':
      return orNull(named?.money ?? changedMoney, shape.amount);
    case 'reference':
      return orNull(named?.toReference(shape) ?? toChangedReference(shape), shape.column);
    case 'object': {
      const fields = Object.fromEntries(
        Object.entries(shape.fields).map(([name, field]) => [
          name,
          toShapeSchema(field, schemas, named),
        ]),
      );
      return shape.nullIf === undefined ? z.object(fields) : z.object(fields).nullable();
    }
  }
}

const changedMoney = z.object({
  amount: z.int().meta({ description: 'Minor units, such as cents' }),
  currency: z.string().nullable().meta({ description: 'ISO 4217' }),
});

const toChangedReference = ({ fields }: Reference) =>
  z.object({
    id: uuid,
    ...Object.fromEntries(fields.map((name) => [name, z.string().nullable()])),
  });
