import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { exportDatabase } from '../../src/db/backup/export-database.ts';
import { prepareSchema } from '../../src/db/backup/restore-schema.ts';
import { addPrisma, type Database } from '../../src/db/database.ts';
import { connectEmbedded, createPglite } from '../../src/db/embedded/embedded-database.ts';
import { migrate, readMigrations, withMigrationLock } from '../../src/db/migrations.ts';
import {
  countRows,
  describeSchema,
  digestRows,
  exportAll,
  exportInFirstFormat,
  restoreAll,
} from '../support/backups.ts';
import { openTestDatabase, serverUrl, type TestDatabase } from '../support/harness/database.ts';
import { checkProperty, propertyRuns, takeSample } from '../support/harness/property-runs.ts';

let full: TestDatabase;
let file: Buffer;

beforeAll(async () => {
  full = await openTestDatabase('seeded');
  const change = { type: 'team.created', actorKind: 'system', at: full.ctx.now() } as const;
  await full.ctx.db.change.create({ data: { ...change, sequence: 41 } });
  await full.ctx.db.journalHead.updateMany({ data: { position: 7 } });
  file = await exportAll(full.database);
});
afterAll(() => full.close());

/** Runs `work` with a database that it can fill, and closes it. */
async function withEmpty<T>(work: (test: TestDatabase) => Promise<T>): Promise<T> {
  const empty = await openTestDatabase();
  try {
    return await work(empty);
  } finally {
    await empty.close();
  }
}

async function hasTable({ database }: TestDatabase, name: string): Promise<boolean> {
  const { rows } = await database.pool.query('SELECT to_regclass($1) IS NOT NULL AS exists', [
    name,
  ]);
  return rows[0].exists;
}

it('an export has no time limits, however slow its output is', () =>
  withEmpty(async ({ database: { pool, rowCopier } }) => {
    const client = await pool.connect();
    await client.query(
      `SET statement_timeout = '1h'; SET idle_in_transaction_session_timeout = '1h'`,
    );
    const onlyClient = { connect: async () => client } as unknown as Database['pool'];
    const pieces = exportDatabase({ pool: onlyClient, rowCopier });
    await pieces.next();
    const { rows } = await client.query(`SELECT current_setting('statement_timeout') AS statement,
      current_setting('idle_in_transaction_session_timeout') AS idle`);
    await pieces.return({});
    expect(rows).toEqual([{ statement: '0', idle: '0' }]);
  }));

describe('an export whose output fails', () => {
  /** More rows than the connection, the copy and the output hold between them. */
  const FILL = `INSERT INTO teams (id, name) SELECT gen_random_uuid(), n || repeat('x', 180) FROM generate_series(1, 20000) n`;

  it('ends with that error and returns its connection', () =>
    withEmpty(async ({ database }) => {
      await database.pool.query(FILL);
      const full = new Writable({
        write: (piece: Buffer, _encoding, done) =>
          done(piece.includes('xxx') ? new Error('no space left on device') : null),
      });
      await expect(pipeline(exportDatabase(database), full)).rejects.toThrow('no space left');
      const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM teams');
      expect(rows).toEqual([{ n: 20_000 }]);
    }));
});

describe('restoring an export', () => {
  it('brings back every row, the schema, its triggers, sequences and statistics', () =>
    withEmpty(async ({ database, ctx }) => {
      const schema = await describeSchema(database);
      const { rows, migrated } = await restoreAll(database, file, { pieceBytes: 1009 });
      expect([rows.bookings, migrated]).toEqual([await full.ctx.db.booking.count(), []]);
      expect(digestRows(await exportAll(database))).toEqual(digestRows(file));
      expect(await describeSchema(database)).toEqual(schema);

      // The journal continues.
      expect(await ctx.db.journalHead.findMany()).toMatchObject([{ position: 7n }]);
      const change = { type: 'team.created', actorKind: 'system', at: ctx.now() } as const;
      expect(await ctx.db.change.create({ data: change })).toMatchObject({ sequence: 42n });
      const { rows: planned } = await database.pool.query(
        `SELECT reltuples::int AS count FROM pg_class WHERE relname = 'bookings'`,
      );
      expect(planned[0].count).toBe(rows.bookings);
    }));

  it('rejects a database with rows', async () => {
    await expect(restoreAll(full.database, file)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^The database is not empty: \w+ contains rows\./),
    });
    expect(digestRows(await exportAll(full.database))).toEqual(digestRows(file));
  });
});

describe('a failed restore changes nothing', () => {
  let empty: TestDatabase;

  beforeAll(async () => {
    empty = await openTestDatabase();
  });
  afterAll(() => empty.close());

  const expectEmpty = async () => {
    expect(await countRows(empty.database)).toBe(0);
    const head = await empty.database.pool.query('SELECT FROM journal_head');
    expect(head.rowCount).toBe(1);
  };

  it.each<[string, (all: Buffer) => Buffer]>([
    ['without its second half', (all) => all.subarray(0, all.length / 2)],
    ['with a changed row', (all) => replaceOnce(all, 'ada@example.org', 'eve@example.org')],
    ['with an invalid row', (all) => replaceOnce(all, '@example.org\t', '@example.org\r')],
    ['with an unknown column', (all) => replaceOnce(all, '"booking_id"', '"buchung_id"')],
  ])('for a file %s', async (_, damage) => {
    await expect(restoreAll(empty.database, damage(file))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/Use another backup\. Nothing was restored\.$/),
      details: { reason: 'EXPORT_UNREADABLE' },
    });
    await expectEmpty();
  });

  it('for a file of the first format whose rows violate a constraint', async () => {
    const damaged = replaceOnce(await exportInFirstFormat(full.database), '"owner"', '"king" ');
    await expect(restoreAll(empty.database, damaged)).rejects.toThrow(
      /^The file contains an invalid row \(.*king.*\)\. Use another backup\. Nothing was restored\.$/,
    );
    await expectEmpty();
  });

  it('if a later migration fails', async () => {
    const failing = { name: '29990101000000_later', sql: 'DELETE FROM sessions; SELECT 1 / 0' };
    const known = [...readMigrations(), failing];
    await expect(restoreAll(empty.database, file, { known })).rejects.toMatchObject({
      message:
        'Migration 29990101000000_later failed at line 1 of its migration.sql: division by zero. Nothing was restored.',
      details: { reason: 'MIGRATION_FAILED' },
    });
    await expectEmpty();
  });

  it('so that a file of the first format can be restored after all', async () => {
    await restoreAll(empty.database, await exportInFirstFormat(full.database));
    expect(digestRows(await exportAll(empty.database))).toEqual(digestRows(file));
  });
});

describe('values of every type', () => {
  const known = [
    ...readMigrations(),
    {
      name: '29990101000000_every_type',
      sql: `CREATE TYPE mood AS ENUM ('so so', 'it''s, {great}');
      CREATE TABLE every_type (
        id serial PRIMARY KEY, text text, "order" text[], bytes bytea, hashes bytea[], json json, jsonb jsonb,
        amount numeric, exact numeric(30, 9), ratio double precision, small real, big bigint, yes boolean, at timestamptz,
        day date, span tstzrange, days daterange, uuid uuid, pause interval, mood mood, moods mood[], code char(5)
      )`,
    },
  ];

  it('survive a backup unchanged', () =>
    withEmpty(async (source) => {
      await migrate(source.database.pool, known);
      await checkProperty(
        fc.asyncProperty(fc.array(anyRow, { minLength: 40, maxLength: 60 }), async (rows) => {
          const { pool } = source.database;
          await pool.query('TRUNCATE every_type');
          for (const row of rows) {
            const names = Object.keys(row).map((name) => `"${name}"`);
            const values = names.map((_, index) => `$${index + 1}`);
            await pool.query(
              `INSERT INTO every_type (${names}) VALUES (${values})`,
              Object.values(row),
            );
          }
          const exported = await exportAll(source.database, known);
          await withEmpty(async ({ database }) => {
            await restoreAll(database, exported, { known, pieceBytes: 501 });
            expect(digestRows(await exportAll(database, known))).toEqual(digestRows(exported));
            expect(await readValues(database)).toEqual(await readValues(source.database));
          });
        }),
        { numRuns: propertyRuns(1), endOnFailure: true },
      );
    }));

  const readValues = async ({ pool }: Database) =>
    (await pool.query('SELECT every_type::text AS row FROM every_type ORDER BY id')).rows;
});

describe('an export of an older version', () => {
  const all = readMigrations();
  const openAt = async (count: number) => {
    const old = await openTestDatabase();
    await old.database.pool.query('DROP SCHEMA IF EXISTS pristine CASCADE'); // of the templates
    await withMigrationLock(old.database.pool, (client) =>
      prepareSchema(client, all.slice(0, count)),
    );
    return old;
  };
  const later = Array.from({ length: all.length - 2 }, (_, index) => index + 2);

  it.each([1, ...takeSample(later, 1)])(
    'with %i migrations is restored and then migrated',
    async (count) => {
      const old = await openAt(count);
      const { pool } = old.database;
      await pool.query(
        `INSERT INTO teams (id, name) VALUES (gen_random_uuid(), E'Tab\\tand\\nline')`,
      );
      await pool.query(`INSERT INTO webhook_endpoints (id, url, events, secret, owner_kind)
      VALUES (gen_random_uuid(), 'https://example.org', '{order.refunded}', 'whsec_x', 'user')`);
      if (await hasTable(old, 'event_outbox'))
        await pool.query(`INSERT INTO event_outbox (type, subject_id, at)
        VALUES ('order.refunded', gen_random_uuid(), now())`);
      if (await hasTable(old, 'reminder_opt_outs'))
        await pool.query(`INSERT INTO reminder_opt_outs VALUES ('ada@example.org')`);
      const exported = await exportAll(old.database);

      // The same as if the old database had been migrated in place, except for when this happened.
      await withEmpty(async ({ database }) => {
        await database.pool.query('DROP SCHEMA IF EXISTS pristine CASCADE');
        const schema = await describeSchema(database);
        const { migrated } = await restoreAll(database, exported);
        expect(migrated).toEqual(all.slice(count).map(({ name }) => name));
        expect(await describeSchema(database)).toEqual(schema);
        await migrate(pool);
        for (const rows of [
          'SELECT id, name FROM teams',
          'SELECT events FROM webhook_endpoints',
          'SELECT type, subject_id, at FROM changes',
          'SELECT recipient_key, kind FROM email_opt_outs',
          'SELECT name, position FROM journal_readers ORDER BY 1',
          'SELECT position FROM journal_head',
          'SELECT migration_name, checksum FROM _prisma_migrations ORDER BY 1',
        ])
          expect((await database.pool.query(rows)).rows).toEqual((await pool.query(rows)).rows);
        expect(await describeSchema(old.database)).toEqual(schema);
      });
      await old.close();
    },
  );

  it('does not replace a schema on which something else depends', () =>
    withEmpty(async ({ database }) => {
      const exported = replaceOnce(file, `,"${all.at(-1)?.name}"`, '');
      await database.pool.query('DROP SCHEMA IF EXISTS pristine CASCADE');
      await database.pool.query('CREATE VIEW own AS SELECT name FROM teams');
      await expect(restoreAll(database, exported)).rejects.toMatchObject({
        message: expect.stringMatching(/^The database contains objects that are not part of Foyer/),
      });
      await database.pool.query('DROP VIEW own');
    }));
});

if (serverUrl) {
  it('moves from PostgreSQL to a new embedded database and back', async () => {
    const embedded = addPrisma(connectEmbedded({ pglite: await createPglite() }));
    await restoreAll(embedded, file);
    const moved = await exportAll(embedded);
    expect(digestRows(moved)).toEqual(digestRows(file));
    await withEmpty(async ({ database }) => {
      await restoreAll(database, moved);
      expect(digestRows(await exportAll(database))).toEqual(digestRows(file));
      expect(await describeSchema(database)).toEqual(await describeSchema(full.database));
    });
    await embedded.close();
  });
}

function replaceOnce(file: Buffer, from: string, to: string): Buffer {
  const at = file.indexOf(from);
  expect(at).toBeGreaterThanOrEqual(0);
  return Buffer.concat([file.subarray(0, at), Buffer.from(to), file.subarray(at + from.length)]);
}

/** PostgreSQL stores neither NUL characters nor halves of surrogate pairs. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '',
      '\\.',
      '\\N',
      '\\',
      '\n\\.\n',
      '\t',
      '\r\n',
      '\u0001',
      '{"end":true}',
      'NULL',
    ),
    fc.constant('Läng€ \\ 𝄞'.repeat(20_000)),
  )
  .map((text) => text.replaceAll('\0', ''));
const anyBytes = fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes));
const anyJson = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.stringify(value).replaceAll('\\u0000', ''));
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 6 });
const mood = fc.constantFrom('so so', "it's, {great}");

const anyRow = fc.record({
  text: orNull(anyText),
  order: orNull(fc.array(orNull(anyText), { maxLength: 3 })),
  bytes: orNull(anyBytes),
  hashes: orNull(fc.array(anyBytes, { maxLength: 3 })),
  json: orNull(anyJson),
  jsonb: orNull(fc.oneof(anyJson, fc.constant('null'))),
  amount: orNull(
    fc.constantFrom('NaN', '-0.00000000000000000001', '12345678901234567890.123', '1e300'),
  ),
  exact: orNull(fc.constantFrom('123456789012345678901.123456789', '-0.1')),
  ratio: orNull(
    fc.oneof(fc.double(), fc.constantFrom('-0', 'Infinity', '-Infinity', 'NaN')).map(String),
  ),
  small: orNull(fc.float().map(String)),
  big: orNull(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  yes: orNull(fc.boolean()),
  at: orNull(
    fc.constantFrom(
      'infinity',
      '-infinity',
      '0044-03-15 12:00:00+00 BC',
      '2026-03-29T01:30:00.123456Z',
    ),
  ),
  day: orNull(fc.constantFrom('0001-01-01 BC', '2024-02-29', 'infinity')),
  span: orNull(
    fc.constantFrom(
      'empty',
      '(,)',
      '[2026-01-01 00:00+00,2026-01-02 00:00:00.000001+00)',
      '(,infinity]',
    ),
  ),
  days: orNull(fc.constantFrom('empty', '[2026-01-01,)', '[2026-01-01,2026-01-02]')),
  uuid: orNull(fc.uuid()),
  pause: orNull(fc.constantFrom('-1 mon +2 days -03:04:05.678', '10 years')),
  mood: orNull(mood),
  moods: orNull(fc.array(mood, { maxLength: 3 })),
  code: orNull(fc.constantFrom('', 'a', 'a  ', '\\\\')),
});
