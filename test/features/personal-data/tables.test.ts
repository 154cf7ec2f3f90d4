import { readFileSync } from 'node:fs';
import { POLICIES } from '../../../src/features/personal-data/policies.ts';
import {
  EXPORTED_TABLES,
  NOT_EXPORTED,
} from '../../../src/features/personal-data/service/export.ts';
import type { Retention } from '../../../src/features/personal-data/table-entry.ts';
import {
  listColumnsOfKind,
  SUBJECT_TABLES,
  TABLES,
} from '../../../src/features/personal-data/tables.ts';
import { jobs } from '../../../src/jobs/job-definitions.ts';
import { openTestDatabase, type TestDatabase } from '../../support/harness/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

/** Numbers, instants, IDs, enums and hashes do not identify people. */
const TEXT_TYPES = ['text', 'character varying', 'character', 'json', 'jsonb', 'ARRAY', 'citext'];

async function textColumns(): Promise<Record<string, string[]>> {
  const { rows } = await test.database.pool.query(
    `SELECT t.table_name AS name, array_remove(array_agg(
        CASE WHEN c.data_type = ANY ($1::text[]) THEN c.column_name::text END ORDER BY c.column_name), NULL) AS columns
     FROM information_schema.tables t JOIN information_schema.columns c
       ON c.table_schema = t.table_schema AND c.table_name = t.table_name
     WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND t.table_name <> '_prisma_migrations'
     GROUP BY 1 ORDER BY 1`,
    [TEXT_TYPES],
  );
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

describe('the list of tables', () => {
  it('has every table of the database, with every column of text or JSON', async () => {
    const declared = Object.fromEntries(
      Object.entries(TABLES).map(([name, { columns }]) => [name, Object.keys(columns).sort()]),
    );
    expect(declared).toEqual(await textColumns());
  });

  it('names the person of each row with a personal column', () => {
    const personal = ['name', 'address', 'clear', 'code', 'row'] as const;
    const missing = Object.entries(TABLES).filter(
      ([, entry]) =>
        entry.find === undefined &&
        personal.some((kind) => listColumnsOfKind(entry, kind).length > 0),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('exports rows of every table with personal rows', () => {
    expect([...EXPORTED_TABLES, ...NOT_EXPORTED].sort()).toEqual(
      SUBJECT_TABLES.map(({ name }) => name).sort(),
    );
  });

  it('names jobs that exist', () => {
    const known = new Set([...jobs.map(({ name }) => name)]);
    const named = Object.values(TABLES).flatMap(({ retention }) => {
      const fixed = 'policy' in retention ? retention.alsoPurgedBy : retention;
      return fixed && 'job' in fixed ? [fixed.job] : [];
    });
    expect(named.filter((job) => !known.has(job))).toEqual([]);
    expect(known).toContain('retention.purge');
  });

  it('equals the documentation', () => {
    const docs = readFileSync(new URL('../../../docs/personal-data.md', import.meta.url), 'utf8');
    const rows = Object.entries(TABLES).map(
      ([name, { retention }]) => `| \`${name}\` | ${inWords(retention)} |`,
    );
    const documented = docs
      .match(/^\| `[a-z_]+` +\|.*\|$/gm)
      ?.map((row) => row.replace(/ +/g, ' '));
    expect(documented).toEqual(rows);
  });
});

function inWords(retention: Retention): string {
  if ('keep' in retention) return retention.keep;
  if ('job' in retention) return `${retention.period} (job \`${retention.job}\`)`;
  const { defaultDays, title } = POLICIES[retention.policy];
  const period =
    defaultDays === null ? 'forever' : defaultDays === 1 ? '1 day' : `${defaultDays} days`;
  const setting = `setting "${title}": ${period} by default`;
  return retention.alsoPurgedBy ? `${setting}; ${inWords(retention.alsoPurgedBy)}` : setting;
}
