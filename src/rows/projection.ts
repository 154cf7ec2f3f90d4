import { z } from 'zod';
import { toSnakeCase } from '../core/letter-case.ts';
import {
  type Projection,
  projectDate,
  projectInstant,
  projectNumber,
  projectUnescaped,
} from '../db/json-projection.ts';
import { toOutputSchema } from './output-schema.ts';
import { type AnyRow, listShownFields, type ShownName } from './row.ts';

type ProjectField = (row: string) => Projection[string];

/** Every request projects rows, so what follows from a description is computed once. */
const projectors = new WeakMap<AnyRow, [name: string, project: ProjectField][]>();

/** Projects the fields that the APIs show, for the row with this alias. */
export function projectFields<Row extends AnyRow, Excepted extends ShownName<Row> = never>(
  description: Row,
  row: string,
  { except = [] }: { except?: readonly Excepted[] } = {},
): Record<Exclude<ShownName<Row>, Excepted>, Projection[string]> {
  const fields = projectors.get(description) ?? createProjectors(description);
  projectors.set(description, fields);
  const projection: Projection = {};
  for (const [name, project] of fields)
    if (!except.includes(name as never)) projection[name] = project(row);
  return projection as Record<Exclude<ShownName<Row>, Excepted>, Projection[string]>;
}

const createProjectors = (description: AnyRow) =>
  listShownFields(description).map(([name, { schema, sql }]): [string, ProjectField] => {
    const project = chooseProjection(schema);
    const column = toSnakeCase(name);
    return [name, (row) => project(sql?.(row) ?? `${row}.${column}`)];
  });

/** Chooses how PostgreSQL writes values of a type fastest. */
function chooseProjection(schema: z.ZodType): (expression: string) => Projection[string] {
  const output = toOutputSchema(schema);
  const value = output instanceof z.ZodNullable ? output.unwrap() : output;
  if (value instanceof z.ZodISODateTime)
    return (expression) => projectUnescaped(projectInstant(expression));
  if (value instanceof z.ZodISODate) return projectDate;
  if (value instanceof z.ZodUUID || value instanceof z.ZodEnum) return projectUnescaped;
  if (value instanceof z.ZodNumber || value instanceof z.ZodBoolean) return projectNumber;
  return (expression) => expression;
}
