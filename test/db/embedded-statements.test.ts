import type { Connection } from '../../src/db/database.ts';
import {
  createStatementCache,
  MAX_COMPOSED_STATEMENTS,
  prepareStatement,
} from '../../src/db/prepared-statement.ts';
import { openEmbeddedCopy } from '../support/harness/database.ts';

// The embedded database has one session, which keeps what it has prepared.

let connection: Connection;
beforeAll(async () => {
  connection = await openEmbeddedCopy();
});
afterAll(async () => {
  await connection.pool.query('DEALLOCATE ALL');
  await connection.close();
});

const EARLY = prepareStatement("SELECT 'early' AS text");
const LATE = prepareStatement("SELECT 'late' AS text");

async function listPrepared(): Promise<string[]> {
  const { rows } = await connection.pool.query('SELECT name FROM pg_prepared_statements');
  return rows.map(({ name }: { name: string }) => name);
}

it('prepares every fixed statement, and only the first of the composed ones', async () => {
  const { pipelinedSql } = connection;
  const prepareComposed = createStatementCache('number');
  await pipelinedSql(EARLY, []);
  const numbers = Array.from({ length: MAX_COMPOSED_STATEMENTS + 50 }, (_, n) => n);
  for (const n of numbers)
    expect(await pipelinedSql(prepareComposed(`SELECT ${n} AS n`), [])).toEqual([{ n }]);
  expect(await pipelinedSql(LATE, [])).toEqual([{ text: 'late' }]);
  expect(await pipelinedSql(EARLY, [])).toEqual([{ text: 'early' }]);

  const prepared = await listPrepared();
  expect(prepared).toEqual(expect.arrayContaining([EARLY.name, LATE.name]));
  const composed = prepared.filter((name) => name.startsWith('number_'));
  expect(composed).toHaveLength(MAX_COMPOSED_STATEMENTS);
  expect(composed).toContain('number_0');
});

it('keeps a statement that was prepared with a value that cannot be converted', async () => {
  const statement = prepareStatement('SELECT $1::text AS text');
  const wrong = {
    toPostgres: () => {
      throw new Error('cannot be converted');
    },
  };
  await expect(connection.pipelinedSql(statement, [wrong])).rejects.toThrow('cannot be converted');
  for (const text of ['once', 'twice'])
    expect(await connection.pipelinedSql(statement, [text])).toEqual([{ text }]);
});

it('lets other work go first during a long transaction', async () => {
  const client = await connection.pool.connect();
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  });
  await client.query('BEGIN');
  for (let n = 0; n < 10; n += 1)
    await client.query('SELECT count(*) FROM generate_series(1, 100000)');
  await client.query('COMMIT');
  clearInterval(timer);
  client.release();
  expect(turns).toBeGreaterThan(2);
});
