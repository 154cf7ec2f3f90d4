import { z } from 'zod';
import { type AnyRow, describeField } from './row.ts';

type Columns = AnyRow['columns'];

type CreationShape<C extends Columns> = {
  [Name in keyof C as C[Name] extends { create: string } ? Name : never]: C[Name] extends {
    create: infer Create;
    schema: infer Schema extends z.ZodType;
  }
    ? Create extends 'required'
      ? Schema
      : z.ZodOptional<Schema>
    : never;
};

type ChangeShape<C extends Columns> = {
  [Name in keyof C as C[Name] extends { update: true } ? Name : never]: C[Name] extends {
    schema: infer Schema extends z.ZodType;
  }
    ? z.ZodOptional<Schema>
    : never;
};

/** Returns the schemas of the fields that people set when they create a row. */
export const toCreationShape = <Row extends AnyRow>(row: Row) =>
  toShape(row, 'create') as CreationShape<Row['columns']>;

/** Returns the schemas of the fields that people can change. An omitted field stays as it is, and null clears it. */
export const toChangeShape = <Row extends AnyRow>(row: Row) =>
  toShape(row, 'update') as ChangeShape<Row['columns']>;

/** Describes an input of changes: which of its fields null clears. */
export function describeChanges({ columns }: AnyRow): string {
  const names = Object.entries(columns).flatMap(([name, { update, schema }]) =>
    update && schema instanceof z.ZodNullable ? [name] : [],
  );
  const list = new Intl.ListFormat('en-GB').format(names);
  return `Omitted fields stay as they are${names.length > 0 ? `; null clears ${list}` : ''}`;
}

function toShape({ table, columns }: AnyRow, write: 'create' | 'update') {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, column] of Object.entries(columns)) {
    if (column[write] === undefined) continue;
    const { schema, description } = column;
    if (schema === undefined || description === undefined)
      throw new Error(`${table}.${name} can be written, so it needs a schema and a description`);
    const value: z.ZodType = column[write] === 'required' ? schema : schema.optional();
    shape[name] = value.meta({ description: describeField({ ...column, description }) });
  }
  return shape;
}
