import type { Connection } from '../../src/db/database.ts';
import { connectEmbedded, createPglite } from '../../src/db/embedded/embedded-database.ts';
import {
  createStatementCache,
  MAX_COMPOSED_STATEMENTS,
  prepareStatement,
} from '../../src/db/prepared-statement.ts';

// The embedded database has one session, which keeps what it has prepared.

let connection: Connection;
beforeAll(async () => {
  connection = connectEmbedded({ pglite: await createPglite() });
});
afterAll(() => connection.close());

const EARLY = prepareStatement("SELECT 'early' AS text");
const LATE = prepareStatement("SELECT 'late' AS text");

async function listPrepared(): Promise<string[]> {
  const { rows } = await connection.pool.query('SELECT name FROM pg_prepared_statements');
  return rows.map(({ name }: { name: string }) => name);
}

it('prepares every fixed statement, and only the first of the composed ones', async () => {
  const { pipelinedSql } = connection;
  const prepareComposed = createStatementCache('test');
  await pipelinedSql(EARLY, []);
  const numbers = Array.from({ length: MAX_COMPOSED_STATEMENTS + 50 }, (_, n) => n);
  for (const n of numbers)
    expect(await pipelinedSql(prepareComposed(`SELECT ${n} AS n`), [])).toEqual([{ n }]);
  expect(await pipelinedSql(LATE, [])).toEqual([{ text: 'late' }]);
  expect(await pipelinedSql(EARLY, [])).toEqual([{ text: 'early' }]);

  const prepared = await listPrepared();
  expect(prepared).toEqual(expect.arrayContaining([EARLY.name, LATE.name]));
  const composed = prepared.filter((name) => name.startsWith('test_'));
  expect(composed).toHaveLength(MAX_COMPOSED_STATEMENTS);
  expect(composed).toContain('test_0');
});
