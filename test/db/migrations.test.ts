import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { computeDrift } from '../../prisma/scripts/drift.ts';
import { findUnreadiness } from '../../src/db/database.ts';
import { migrate, readMigrations } from '../../src/db/migrations.ts';
import { readOldestVersion } from '../../src/db/schema-compatibility.ts';
import { splitStatements } from '../../src/db/sql-statements.ts';
import { MAX_BUFFER_MINUTES } from '../../src/features/spaces/rows.ts';
import { printSortedSchema } from '../../src/graphql/schema.ts';
import { openTestDatabase, serverUrl, type TestDatabase } from '../support/harness/database.ts';

const toChecksum = (sql: string) => createHash('sha256').update(sql).digest('hex');

/** Those before it run only beside versions that contain them. */
const FIRST_THAT_SAYS = '20261128000000';
/** Those before it were written when no space had much data. */
const FIRST_WITH_SHORT_LOCKS = '20261127180000';

/** Whether statements alter a table and then write its rows, or check them all at once. */
function readsRowsUnderLock(statements: string[]): boolean {
  const altered = new Set<string>();
  return statements.some((text) => {
    const table = text.match(/^(?:ALTER TABLE|UPDATE|DELETE FROM) +"?(\w+)/)?.[1] ?? '';
    if (!text.startsWith('ALTER TABLE')) return altered.has(table);
    altered.add(table);
    return /\bCHECK\b/.test(text) && !/\bNOT VALID\b/.test(text);
  });
}

describe('generated files are up to date', () => {
  // It uses an embedded database, wherever the other tests run.
  if (!serverUrl) {
    it('the migrations produce exactly the schema files', async () => {
      expect(await computeDrift()).toBe('');
    });
  }

  it('released migrations have not changed', () => {
    const file = new URL('../../prisma/released-migrations.json', import.meta.url);
    const released: object = JSON.parse(readFileSync(file, 'utf8'));
    const current = readMigrations().map(({ name, sql }) => [name, toChecksum(sql)]);
    expect(Object.fromEntries(current)).toMatchObject(released);
  });

  it('migrations say beside which version they run', () => {
    const silent = readMigrations()
      .filter(({ name, sql }) => name > FIRST_THAT_SAYS && readOldestVersion(sql) === null)
      .map(({ name }) => name);
    expect(silent).toEqual([]);
  });

  it('migrations read no rows while reads wait for their lock', () => {
    const long = readMigrations()
      .filter(({ name }) => name > FIRST_WITH_SHORT_LOCKS)
      .filter(({ sql }) => readsRowsUnderLock(splitStatements(sql).map(({ text }) => text)))
      .map(({ name }) => name);
    expect(long).toEqual([]);
  });

  it('schema.graphql equals the served schema', () => {
    const committed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
    expect(committed).toBe(printSortedSchema());
  });
});

describe('the schema', () => {
  let database: TestDatabase['database'];
  let close: TestDatabase['close'];

  beforeAll(async () => {
    ({ database, close } = await openTestDatabase());
  });
  afterAll(() => close());

  it('has a comment with the invariant on every trigger', async () => {
    const { rows } = await database.pool.query(
      `SELECT tgname AS name FROM pg_trigger
       WHERE NOT tgisinternal AND coalesce(obj_description(oid, 'pg_trigger'), '') = ''`,
    );
    expect(rows).toEqual([]);
  });

  it('has no constraint that was not validated', async () => {
    const { rows } = await database.pool.query(
      'SELECT conname AS name FROM pg_constraint WHERE NOT convalidated',
    );
    expect(rows).toEqual([]);
  });

  it('limits buffers as the booking rules assume', async () => {
    const { rows } = await database.pool.query(
      `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'resources_minutes'`,
    );
    expect(rows[0].definition).toContain(`buffer_minutes <= ${MAX_BUFFER_MINUTES}`);
  });

  it('requires an owner for webhooks', async () => {
    const insert = database.pool.query(`INSERT INTO webhook_endpoints (id, url, events, secret)
      VALUES (gen_random_uuid(), 'https://example.org', ARRAY['*'], 'whsec_x')`);
    await expect(insert).rejects.toThrow(/owner_kind/);
  });
});

describe('migrating', () => {
  const NAME = '29990101000000_later';
  const addMigration = (sql: string) => [...readMigrations(), { name: NAME, sql }];
  let database: TestDatabase['database'];
  let close: TestDatabase['close'];

  beforeAll(async () => {
    ({ database, close } = await openTestDatabase());
  });
  afterAll(async () => {
    await database.pool.query('DROP TABLE half');
    await close();
  });

  const tables = async () => {
    const { rows } = await database.pool.query(
      `SELECT relname AS name FROM pg_class WHERE relname LIKE 'half%' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('does nothing a second time', async () => {
    expect(await migrate(database.pool)).toEqual([]);
    expect(await findUnreadiness(database)).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ['a row', 'INSERT INTO half\nSELECT 1 / 0;', '5 of its migration.sql: division by zero'],
    [
      'a name',
      'SELECT id\nFROM half\nWHERE nme = 1;',
      '7 of its migration.sql: column "nme" does not exist',
    ],
  ])(
    'rolls back a migration with a wrong %s, and says where it failed',
    async (_, wrong, where) => {
      const failing = `-- Two tables; one comment.\nCREATE TABLE half (id int);\n\n/* then */\n${wrong}\nSELECT 2`;
      await expect(migrate(database.pool, addMigration(failing))).rejects.toMatchObject({
        code: 'INTERNAL',
        message:
          `Migration ${NAME} failed at line ${where}. Everything was rolled back. Remove the cause, and start again, ` +
          'which continues with this migration; or start the previous version again, since nothing was changed.',
        details: { reason: 'MIGRATION_FAILED' },
      });
      expect(await tables()).toEqual([]);
      expect(await findUnreadiness(database)).toBeUndefined();
    },
  );

  it.each<[string, string, string]>([
    ['0.1.0', '-- Runs beside: 0.1.0\n', 'or start version 0.1.0 or later again, which can run'],
    ['unknown versions', '', 'or restore the backup from before the upgrade'],
  ])(
    'keeps the migrations before the one that fails, and says how to go back to %s',
    async (_, line, back) => {
      const known = [
        ...addMigration(`${line}CREATE TABLE half (id int)`),
        { name: '29990102000000_last', sql: 'SELECT 1 / 0' },
      ];
      await expect(migrate(database.pool, known)).rejects.toThrow(
        `It was rolled back as a whole; ${NAME} before it was applied and stays. Remove the cause, and start again, which continues with this migration; ${back}`,
      );
      expect(await tables()).toEqual(['half']);
      await database.pool.query('DROP TABLE half');
      await database.pool.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [NAME]);
    },
  );

  it('applies it once after it is fixed', async () => {
    const mended = addMigration('CREATE TABLE half (id int)');
    const both = await Promise.all([
      migrate(database.pool, mended),
      migrate(database.pool, mended),
    ]);
    expect(both.flat()).toEqual([NAME]);
    expect(await tables()).toEqual(['half']);
  });

  it('rejects a database with unknown migrations that do not say beside what they run', async () => {
    await expect(migrate(database.pool)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(NAME),
      details: { reason: 'DATABASE_NEWER' },
    });
    expect(await findUnreadiness(database)).toBe('too new for this version');
  });

  it('rejects a database of an earlier 0.x version and changes nothing', async () => {
    await database.pool.query(
      `UPDATE _prisma_migrations SET migration_name = '20261120120000_house'`,
    );
    await expect(migrate(database.pool)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^An earlier 0\.x version of Foyer created the database/),
    });
    expect(await findUnreadiness(database)).toBe('not migrated');
    const { rows } = await database.pool.query(
      'SELECT DISTINCT migration_name AS name FROM _prisma_migrations',
    );
    expect(rows).toEqual([{ name: '20261120120000_house' }]);
  });

  it('must finish before an instance is ready', async () => {
    await database.pool.query('DELETE FROM _prisma_migrations');
    expect(await findUnreadiness(database)).toBe('not migrated');
  });
});
