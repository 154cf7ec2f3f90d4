import { readdirSync } from 'node:fs';
import { listSources } from '../support/harness/template-cache.ts';

describe('the templates of test databases', () => {
  const sources = listSources();

  it('are created again after a change of a migration, of the sample data or of what these import', () => {
    const migrations = readdirSync('prisma/migrations', { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `prisma/migrations/${name}/migration.sql`);
    expect(sources).toEqual(
      expect.arrayContaining([
        ...migrations,
        ...['database.ts', 'worker/embedded.ts'].map((file) => `test/support/harness/${file}`),
        'test/support/factories/seed.ts',
        'src/demo/past-events.ts',
        'src/db/run-migration.ts',
        'src/db/generated/client.ts',
        'package-lock.json',
      ]),
    );
  });

  it('are used again after other changes', () => {
    expect(sources.filter((file) => /^src\/(graphql|rest|web)\//.test(file))).toEqual([]);
    expect(sources).not.toContain('test/harness/templates.test.ts');
  });
});
