import { readFileSync } from 'node:fs';
import { formatDistribution } from '../../prisma/scripts/distribution.ts';
import { ignoreColumnWidths, replacePart } from '../../prisma/scripts/docs.ts';
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
