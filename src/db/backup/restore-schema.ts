import type pg from 'pg';
import { DomainError } from '../../errors.ts';
import {
  applyMigration,
  createMigrationsTable,
  listAppliedMigrations,
  type Migration,
} from '../migrations.ts';
import { migrationFailed } from '../run-migration.ts';
import type { ExportHead } from './format.ts';
import { listTables } from './tables.ts';

/** Migrations insert rows into these. */
const FILLED_BY_MIGRATIONS = ['journal_head', 'journal_readers'];

/**
 * Splits the migrations of this version into those that the file contains and those that its rows still need.
 * @throws CONFLICT if a newer version, or an earlier 0.x version with other migrations, created the file.
 */
export function splitMigrations(
  { migrations, version }: ExportHead,
  known: Migration[],
): { contained: Migration[]; later: Migration[] } {
  const unknown = migrations.filter((name) => !known.some((migration) => migration.name === name));
  const isEarlier = unknown.some((name) => name < (known[0]?.name ?? ''));
  if (unknown.length > 0) {
    throw new DomainError(
      'CONFLICT',
      isEarlier
        ? 'An earlier 0.x version of Foyer created the file, and its rows cannot be upgraded. Restore it with that version.'
        : `A newer version of Foyer created the file (unknown migrations: ${unknown.join(', ')}). ` +
            `Restore it with ${version ? `version ${version} or later` : 'that version'}.`,
      { reason: 'EXPORT_VERSION' },
    );
  }
  const isContained = ({ name }: Migration) => migrations.includes(name);
  return {
    contained: known.filter(isContained),
    later: known.filter((migration) => !isContained(migration)),
  };
}

/**
 * Gives an empty database the schema of these migrations. Each step is committed, and the database stays empty.
 * @throws CONFLICT if it contains rows.
 */
export async function prepareSchema(client: pg.PoolClient, wanted: Migration[]): Promise<void> {
  await createMigrationsTable(client);
  await assertEmpty(client);
  const applied = new Set((await listAppliedMigrations(client)).map(({ name }) => name));
  const isNewer = [...applied].some((name) => !wanted.some((migration) => migration.name === name));
  if (isNewer) await dropSchema(client);
  for (const migration of wanted) {
    if (!isNewer && applied.has(migration.name)) continue;
    await applyMigration(client, migration).catch((error) => {
      throw migrationFailed(migration, error);
    });
  }
}

/** @throws CONFLICT if a table contains rows, except those that migrations insert. */
export async function assertEmpty(client: pg.PoolClient): Promise<void> {
  for (const { name } of await listTables(client)) {
    if (FILLED_BY_MIGRATIONS.includes(name)) continue;
    const { rows } = await client.query(`SELECT 1 FROM "${name}" LIMIT 1`);
    if (rows.length > 0) {
      throw new DomainError(
        'CONFLICT',
        `The database is not empty: ${name} contains rows. Restore into a new database.`,
        { reason: 'NOT_EMPTY' },
      );
    }
  }
}

/** Drops the tables, functions and types of Foyer, but nothing that depends on them. */
async function dropSchema(client: pg.PoolClient): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`LOCK TABLE ${await listQuoted(client)} IN ACCESS EXCLUSIVE MODE`);
    await assertEmpty(client);
    const { rows } = await client.query<{ drop: string }>(LIST_OBJECTS);
    for (const { drop } of rows) await client.query(drop);
    await client.query('DELETE FROM _prisma_migrations');
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    if ((error as { code?: string }).code !== DEPENDENT_OBJECTS) throw error;
    throw new DomainError(
      'CONFLICT',
      `The database contains objects that are not part of Foyer (${(error as Error).message}). Restore into a new database.`,
      { reason: 'NOT_EMPTY' },
      { cause: error },
    );
  }
}

const DEPENDENT_OBJECTS = '2BP01';

async function listQuoted(client: pg.PoolClient): Promise<string> {
  return (await listTables(client)).map(({ name }) => `"${name}"`).join(', ');
}

// What belongs to extensions stays.
const LIST_OBJECTS = `
  WITH objects AS (
    SELECT 1 AS step, 'pg_class'::regclass AS class, oid, NULL AS drop FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'
    UNION ALL
    SELECT 2, 'pg_proc'::regclass, oid, 'DROP FUNCTION ' || oid::regprocedure FROM pg_proc
    WHERE prokind = 'f' AND pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 3, 'pg_type'::regclass, oid, 'DROP TYPE ' || oid::regtype FROM pg_type
    WHERE typtype = 'e' AND typnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 4, 'pg_collation'::regclass, oid, 'DROP COLLATION ' || oid::regcollation FROM pg_collation
    WHERE collnamespace = 'public'::regnamespace
  ), own AS (
    SELECT * FROM objects o WHERE NOT EXISTS (
      SELECT FROM pg_depend WHERE classid = o.class AND objid = o.oid AND deptype = 'e')
  )
  SELECT drop FROM (
    SELECT step, drop FROM own WHERE step > 1
    UNION ALL
    SELECT 1, 'DROP TABLE ' || string_agg(oid::regclass::text, ', ') FROM own WHERE step = 1 HAVING count(*) > 0
  ) ordered ORDER BY step`;
