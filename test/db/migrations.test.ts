import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { computeDrift } from '../../prisma/scripts/drift.ts';
import { findUnreadiness } from '../../src/db/database.ts';
import { findPendingMigrations, migrate, readMigrations } from '../../src/db/migrations.ts';
import { MAX_BUFFER_MINUTES } from '../../src/features/spaces/rows.ts';
import { printSortedSchema } from '../../src/graphql/schema.ts';
import { openTestDatabase, serverUrl, type TestDatabase } from '../support/harness/database.ts';

const toChecksum = (sql: string) => createHash('sha256').update(sql).digest('hex');

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
  const addMigration = (sql: string) => [
    ...readMigrations(),
    { name: '29990101000000_later', sql },
  ];
  let database: TestDatabase['database'];
  let close: TestDatabase['close'];

  beforeAll(async () => {
    ({ database, close } = await openTestDatabase());
  });
  afterAll(() => close());

  const tables = async () => {
    const { rows } = await database.pool.query(
      `SELECT relname AS name FROM pg_class WHERE relname LIKE 'half%' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('does nothing a second time', async () => {
    expect(await migrate(database.pool)).toEqual([]);
    expect(await findPendingMigrations(database.pool)).toEqual([]);
  });

  it('rolls back a failing migration, names it and stays usable', async () => {
    const failing = 'CREATE TABLE half (id int); INSERT INTO half VALUES (1); SELECT 1 / 0;';
    await expect(migrate(database.pool, addMigration(failing))).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'Migration 29990101000000_later failed and was rolled back: division by zero',
    });
    expect(await tables()).toEqual([]);
    expect(await findUnreadiness(database)).toBeUndefined();
  });

  it('applies it once after it is fixed', async () => {
    const mended = addMigration('CREATE TABLE half (id int)');
    const both = await Promise.all([
      migrate(database.pool, mended),
      migrate(database.pool, mended),
    ]);
    expect(both.flat()).toEqual(['29990101000000_later']);
    expect(await tables()).toEqual(['half']);
  });

  it('rejects a database with unknown migrations', async () => {
    await expect(migrate(database.pool)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('29990101000000_later'),
    });
  });

  it('rejects a database of an earlier 0.x version and changes nothing', async () => {
    const { database: old, close: closeOld } = await openTestDatabase();
    await old.pool.query(`UPDATE _prisma_migrations SET migration_name = '20261120120000_house'`);
    await expect(migrate(old.pool)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^An earlier 0\.x version of Foyer created the database/),
    });
    expect(await findUnreadiness(old)).toBe('not migrated');
    const { rows } = await old.pool.query(
      'SELECT DISTINCT migration_name AS name FROM _prisma_migrations',
    );
    expect(rows).toEqual([{ name: '20261120120000_house' }]);
    await closeOld();
  });

  it('keeps a running instance ready while a newer one migrates', async () => {
    expect(await findUnreadiness(database)).toBeUndefined();
  });

  it('must finish before an instance is ready', async () => {
    await database.pool.query('DELETE FROM _prisma_migrations');
    expect(await findUnreadiness(database)).toBe('not migrated');
  });
});
