import { createPipeline } from '../../src/db/postgres/pipeline.ts';
import { createStatementCache, MAX_COMPOSED_STATEMENTS } from '../../src/db/prepared-statement.ts';
import { serverUrl } from '../support/harness/database.ts';

// A server keeps what a connection has prepared until the connection ends.

const pipeline = createPipeline({ connectionString: serverUrl }, 1);
afterAll(() => pipeline.close());

it('replaces connections before they have prepared too many statements, and loses no response', async () => {
  const prepare = createStatementCache('test');
  const count = { name: 'count', text: 'SELECT count(*)::int FROM pg_prepared_statements' };
  let most = 0;
  for (let start = 0; start < 5 * MAX_COMPOSED_STATEMENTS; start += 50) {
    const numbers = Array.from({ length: 50 }, (_, n) => start + n);
    const rows = await Promise.all(
      numbers.map((n) => pipeline.sql<{ n: number }>(prepare(`SELECT ${n} AS n`), [])),
    );
    expect(rows.map(([row]) => row?.n)).toEqual(numbers);
    const [row] = await pipeline.sql<{ count: number }>(count, []);
    most = Math.max(most, row?.count ?? 0);
  }
  expect(most).toBeGreaterThan(MAX_COMPOSED_STATEMENTS);
  expect(most).toBeLessThan(2 * MAX_COMPOSED_STATEMENTS + 100);
});
