import { z } from 'zod';
import { toSnakeCase } from '../core/snake-case.ts';
import {
  type Projection,
  projectDate,
  projectInstant,
  projectNumber,
  projectUnescaped,
} from '../db/json-projection.ts';
import { toOutputSchema } from './output-schema.ts';
import { type AnyRow, listShownFields, type ShownName } from './row.ts';

/** Projects the fields that the APIs show, for the row with this alias. */
export const projectFields = <Row extends AnyRow, Excepted extends ShownName<Row> = never>(
  description: Row,
  row: string,
  { except = [] }: { except?: readonly Excepted[] } = {},
): Record<Exclude<ShownName<Row>, Excepted>, Projection[string]> =>
  Object.fromEntries(
    listShownFields(description, except).map(([name, { schema, sql }]) => [
      name,
      projectValue(schema, sql?.(row) ?? `${row}.${toSnakeCase(name)}`),
    ]),
  ) as Record<Exclude<ShownName<Row>, Excepted>, Projection[string]>;

/** Projects a value in the way that PostgreSQL writes values of its type fastest. */
function projectValue(schema: z.ZodType, expression: string): Projection[string] {
  const output = toOutputSchema(schema);
  const value = output instanceof z.ZodNullable ? output.unwrap() : output;
  if (value instanceof z.ZodISODateTime) return projectUnescaped(projectInstant(expression));
  if (value instanceof z.ZodISODate) return projectDate(expression);
  if (value instanceof z.ZodUUID || value instanceof z.ZodEnum) return projectUnescaped(expression);
  if (value instanceof z.ZodNumber || value instanceof z.ZodBoolean)
    return projectNumber(expression);
  return expression;
}
