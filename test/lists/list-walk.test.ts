import { parse, validate } from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import { NOW } from '../support/factories/seed.ts';
import { openTestDatabase } from '../support/harness/database.ts';
import { findListFields } from '../support/list-walk/list-fields.ts';
import { writeListOperations } from '../support/list-walk/list-operations.ts';

// `npm run bench:history` and the query plans read every list with every filter. They cannot start if a filter has no examples.

it('knows values for every filter of every list of the schema', async () => {
  const { database, close } = await openTestDatabase('seeded');
  try {
    const operations = await writeListOperations(database.pool, NOW);
    const fields = new Set(operations.map(({ name }) => name.slice(0, name.indexOf('('))));
    const roots = findListFields().filter(({ parent }) => parent === null);
    expect(roots.filter(({ name }) => !fields.has(name))).toEqual([]);
    const queries = new Set(operations.map(({ query }) => query));
    expect([...queries].flatMap((query) => validate(schema, parse(query)))).toEqual([]);
  } finally {
    await close();
  }
});
