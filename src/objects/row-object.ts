import { z } from 'zod';
import type { Context } from '../context.ts';
import { toPascalCase, toSnakeCase } from '../core/letter-case.ts';
import { type Projection, projectInstant, toJsonSql } from '../db/json-projection.ts';
import { prepareStatement, type Statement } from '../db/prepared-statement.ts';
import { type NamedSchemas, projectShape, toShapeSchema } from '../journal/shape.ts';
import { SHAPES } from '../journal/shapes.ts';
import { SUBJECTS, type Subject, type SubjectName } from '../journal/subjects.ts';
import { toOutputSchema } from '../rows/output-schema.ts';
import { projectFields } from '../rows/projection.ts';
import { type AnyRow, describeField, listShownFields, type ShownField } from '../rows/row.ts';
import { ONLY_IN_GRAPHQL } from './row-fields.ts';
import {
  memberRefSchema,
  moneySchema,
  namedSchema,
  resourceRefSchema,
  zonedLocationSchema,
} from './schemas.ts';

interface FindOptions {
  /** Whether codes that admit people are shown. Otherwise they are null. */
  showsCodes: boolean;
}

/** What REST shows of a subject of the journal: in `GET`, and in webhook messages. */
export interface RestObject {
  schema: z.ZodObject;
  /** Whoever has this scope sees the codes that it contains. */
  codeScope?: 'orders:write' | 'members:write';
  /** Finds objects by id, as REST shows them. Callers check that the viewer can see them. */
  find(ctx: Context, ids: string[], options: FindOptions): Promise<Map<string, object>>;
}

interface RowObjectOptions {
  description: string;
  /** The name of the schema. By default that of the subject. */
  id?: string;
  /** Names of the fields of the row that REST does not show, in camelCase. */
  except?: readonly string[];
  /** More fields, with SQL for the row `item`. */
  extra?: Record<string, { schema: z.ZodType; sql: string }>;
}

const TABLES: Record<string, z.ZodObject> = {
  locations: zonedLocationSchema,
  members: memberRefSchema,
  resources: resourceRefSchema,
  teams: namedSchema.meta({ id: 'TeamRef', description: 'A team' }),
};

const NAMED: NamedSchemas = {
  money: moneySchema,
  toReference: ({ table, fields }) => {
    const schema = TABLES[table];
    if (!schema || Object.keys(schema.shape).join() !== ['id', ...fields].join())
      throw new Error(`REST has no schema for ${fields.join()} of ${table}`);
    return schema;
  },
};

/** Describes what REST shows of a row: the fields that the APIs share, and the shapes of its other columns. */
export function describeRowObject(
  name: SubjectName,
  row: AnyRow | null,
  { description, id = toPascalCase(name), except = [], extra = {} }: RowObjectOptions,
): RestObject {
  const { table, noun, fields, computed = {} }: Subject = SUBJECTS[name];
  const shapes = SHAPES[name]?.fields ?? {};
  const isReadable = ({ access }: ShownField) => access === undefined || access === `${noun}:read`;
  const shown = row
    ? listShownFields(row, [...except, ...ONLY_IN_GRAPHQL]).filter(
        ([field, description]) => isReadable(description) && !(toSnakeCase(field) in shapes),
      )
    : [];
  const shownNames = shown.map(([field]) => toSnakeCase(field));
  // What the journal stores beside the columns of the row, such as the benefits of a plan.
  const stored = Object.keys(row ? computed : fields.shape).filter(
    (field) => field in fields.shape && !shownNames.includes(field) && !(field in shapes),
  );
  const toSql = (column: string) => computed[column]?.('item') ?? `item.${column}`;
  const schemas = fields.shape as Record<string, z.ZodType>;
  const projected: Projection = row ? projectFields(row, 'item') : {};
  const projection: Projection = {
    id: 'item.id',
    ...Object.fromEntries(shown.map(([field]) => [field, projected[field]])),
    ...Object.fromEntries(stored.map((field) => [field, toSql(field)])),
    ...Object.fromEntries(
      Object.entries(shapes).map(([field, shape]) => [field, projectShape(shape, toSql, schemas)]),
    ),
    ...Object.fromEntries(Object.entries(extra).map(([field, { sql }]) => [field, sql])),
  };
  const schema = z
    .object({
      id: namedSchema.shape.id,
      ...Object.fromEntries(
        shown.map(([field, description]) => [
          toSnakeCase(field),
          toOutputSchema(description.schema).meta({ description: describeField(description) }),
        ]),
      ),
      ...Object.fromEntries(stored.map((field) => [field, schemas[field] as z.ZodType])),
      ...Object.fromEntries(
        Object.entries(shapes).map(([field, shape]) => [
          field,
          toShapeSchema(shape, schemas, NAMED),
        ]),
      ),
      ...Object.fromEntries(Object.entries(extra).map(([field, { schema }]) => [field, schema])),
    })
    .meta({ id, description });
  const statement = toStatement(table, projection);
  return { schema, find: (ctx, ids) => findObjects(ctx, statement, ids) };
}

const toStatement = (table: string, projection: Projection): Statement =>
  prepareStatement(`SELECT item.id, ${toJsonSql(projection, 'snake')} AS object
    FROM ${table} item CROSS JOIN (SELECT $2::timestamptz AS now) clock WHERE item.id = ANY ($1::uuid[])`);

async function findObjects(ctx: Context, statement: Statement, ids: string[]) {
  const rows = await ctx.pipelinedSql<{ id: string; object: object }>(statement, [ids, ctx.now()]);
  return new Map(rows.map(({ id, object }) => [id, object]));
}

/** A time of the row `item`, for `extra`. */
export const toInstantField = (column: string, description: string) => ({
  schema: z.iso.datetime().meta({ description }),
  sql: projectInstant(`item.${column}`),
});
