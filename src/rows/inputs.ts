import { z } from 'zod';
import { type AnyRow, describeField, isHidden, type ShownColumn } from './row.ts';

type Columns = AnyRow['columns'];

type CreationShape<C extends Columns> = {
  [Name in keyof C as C[Name] extends { create: string } ? Name : never]: C[Name] extends {
    create: 'required';
    schema: infer Schema extends z.ZodType;
  }
    ? Schema
    : C[Name] extends { schema: infer Schema extends z.ZodType }
      ? z.ZodOptional<WithoutNull<Schema>>
      : never;
};

type ChangeShape<C extends Columns> = {
  [Name in keyof C as C[Name] extends { update: true } ? Name : never]: C[Name] extends {
    schema: infer Schema extends z.ZodType;
  }
    ? z.ZodOptional<Schema>
    : never;
};

type WithoutNull<Schema extends z.ZodType> =
  Schema extends z.ZodNullable<infer Inner extends z.ZodType> ? Inner : Schema;

/** Returns the schemas of the fields that people set when they create a row. */
export const toCreationShape = <Row extends AnyRow>({ columns }: Row) =>
  mapColumns(columns, (column) => {
    const { create, schema } = column;
    if (create === undefined) return undefined;
    const description = describeField(column);
    if (create === 'required') return schema.meta({ description });
    const value = schema instanceof z.ZodNullable ? (schema.unwrap() as z.ZodType) : schema;
    return value.optional().meta({ description });
  }) as CreationShape<Row['columns']>;

/** Returns the schemas of the fields that people can change. An omitted field stays as it is, and null clears it. */
export const toChangeShape = <Row extends AnyRow>({ columns }: Row) =>
  mapColumns(columns, (column) =>
    column.update
      ? column.schema.optional().meta({ description: describeField(column) })
      : undefined,
  ) as ChangeShape<Row['columns']>;

/** Describes an input with these fields: which of them null clears. */
export function describeChanges({ columns }: AnyRow): string {
  const names = Object.entries(columns).flatMap(([name, column]) =>
    !isHidden(column) && column.update && column.schema instanceof z.ZodNullable ? [name] : [],
  );
  const list = new Intl.ListFormat('en-GB').format(names);
  return `Omitted fields stay as they are${names.length > 0 ? `; null clears ${list}` : ''}`;
}

function mapColumns(
  columns: Columns,
  toSchema: (column: ShownColumn<unknown, unknown>) => z.ZodType | undefined,
): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, column] of Object.entries(columns)) {
    const schema = isHidden(column) ? undefined : toSchema(column);
    if (schema) shape[name] = schema;
  }
  return shape;
}
