import { readFileSync } from 'node:fs';
import { formatDistribution } from '../../prisma/scripts/distribution.ts';
import { ignoreColumnWidths, replacePart } from '../../prisma/scripts/docs.ts';
import {
  DEFAULT_CONNECTIONS,
  divideConnections,
  MIN_CONNECTIONS,
} from '../../src/db/postgres/connection-sizes.ts';
import { openTestDatabase } from '../support/harness/database.ts';

it('lists what keeps the tables of the schema from being distributed', async () => {
  const { database, close } = await openTestDatabase();
  const part = await formatDistribution((text, values) => database.pool.query(text, values));
  await close();
  const page = readFileSync(new URL('../../docs/guides/scaling.md', import.meta.url), 'utf8');
  expect(ignoreColumnWidths(page)).toBe(
    ignoreColumnWidths(replacePart(page, 'distribution', part)),
  );
});

it('says how the connections of an instance are divided, and how many instances fit into PostgreSQL', () => {
  const page = readFileSync(new URL('../../docs/guides/scaling.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+)[^|]*\|([\d |]+)\|$/gm)].map(([, total, sizes = '']) => [
    Number(total),
    sizes.split('|').map(Number),
  ]);
  const totals = [MIN_CONNECTIONS, 9, DEFAULT_CONNECTIONS];
  const divided = totals.map((total) => [total, Object.values(divideConnections(total))]);
  expect(rows).toEqual(divided);
  for (const [total, sizes] of divided as [number, number[]][])
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(total);
  // PostgreSQL accepts 97, and commands and backups need some.
  expect([4 * DEFAULT_CONNECTIONS, 10 * 9]).toEqual([84, 90]);
});
