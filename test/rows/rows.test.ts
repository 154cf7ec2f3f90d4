import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { toSnakeCase } from '../../src/core/letter-case.ts';
import { toOutputSchema } from '../../src/rows/output-schema.ts';
import type { AnyRow } from '../../src/rows/row.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const features = new URL('../../src/features/', import.meta.url);
const files = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(^|\/)rows\.ts$/.test(file),
);
const modules = await Promise.all(
  files.map((file): Promise<object> => import(new URL(file, features).href)),
);
const rows = modules.flatMap((module) =>
  Object.entries(module).flatMap(([name, row]): [string, AnyRow][] =>
    name.endsWith('Row') ? [[name, row]] : [],
  ),
);

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

/** Reads the columns of a table: their types, and whether they can be null. */
async function readColumns(table: string): Promise<Map<string, string>> {
  const { rows } = await test.database.pool.query(
    `SELECT column_name AS name, data_type || CASE is_nullable WHEN 'YES' THEN ' or null' ELSE '' END AS type
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
    [table],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** The types of PostgreSQL that store the values of an output schema. */
function toTypes(output: z.ZodType): string[] {
  if (output instanceof z.ZodNullable) {
    return toTypes(output.unwrap() as z.ZodType).map((type) => `${type} or null`);
  }
  if (output instanceof z.ZodUUID) return ['uuid'];
  if (output instanceof z.ZodISODateTime) return ['timestamp with time zone'];
  if (output instanceof z.ZodISODate) return ['date'];
  if (output instanceof z.ZodNumber) return ['integer'];
  if (output instanceof z.ZodBoolean) return ['boolean'];
  if (output instanceof z.ZodEnum) return ['USER-DEFINED'];
  // Prisma creates columns of lists without NOT NULL.
  if (output instanceof z.ZodArray) return ['ARRAY', 'ARRAY or null'];
  return ['text', 'character'];
}

describe('the description of', () => {
  it.each(rows)('%s has the columns of its table', async (_, { table, columns }) => {
    const stored = await readColumns(table);
    expect(Object.keys(columns).map(toSnakeCase).sort()).toEqual([...stored.keys()].sort());
    for (const [name, { schema, journal }] of Object.entries(columns)) {
      const storedAs = typeof journal === 'object' ? journal : schema;
      if (storedAs)
        expect([name, toTypes(toOutputSchema(storedAs))]).toEqual([
          name,
          expect.arrayContaining([stored.get(toSnakeCase(name))]),
        ]);
    }
  });
});
