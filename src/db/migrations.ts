import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Logger } from 'pino';
import { readPackageVersion } from '../core/package-version.ts';
import { DomainError } from '../errors.ts';
import { withAdvisoryLock } from './advisory-lock.ts';
import { refreshNameIndexes } from './name-collation.ts';
import { prepareStatement, type Sql } from './prepared-statement.ts';
import {
  describeOutcome,
  inMigrationTransaction,
  type LockWait,
  type Migration,
  migrationFailed,
  runMigration,
} from './run-migration.ts';
import {
  type AppliedMigration,
  assertNoOlderInstances,
  assertSuitable,
  findUnsuitable,
} from './schema-compatibility.ts';

export type { Migration };

const MIGRATIONS_DIRECTORY = new URL('../../prisma/migrations/', import.meta.url);
const ADVISORY_LOCK = 72_707_369; // the lock that Prisma's own tools use

/** Reads all migrations of this version of Foyer, oldest first. */
export function readMigrations(): Migration[] {
  return readdirSync(MIGRATIONS_DIRECTORY, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => ({
      name,
      sql: readFileSync(new URL(`${name}/migration.sql`, MIGRATIONS_DIRECTORY), 'utf8'),
    }));
}

interface MigrateOptions {
  log?: Logger;
  /** The version that this process runs as. */
  version?: string | undefined;
  lockWait?: LockWait | undefined;
}

/**
 * Applies pending migrations, each in its own transaction, and returns their names. Only one process at a time applies
 * them. They are recorded in Prisma's table, so that its tools work too.
 * @throws CONFLICT if a newer Foyer migrated the database and this version cannot run on it, if running instances of older
 * versions could not go on, or if the database is of an earlier 0.x version, whose migrations the baseline replaced. INTERNAL if a
 * migration fails.
 */
export async function migrate(
  pool: pg.Pool,
  known = readMigrations(),
  { log, version = readPackageVersion(), lockWait }: MigrateOptions = {},
): Promise<string[]> {
  return withMigrationLock(pool, async (client) => {
    await createMigrationsTable(client);
    const applied: Migration[] = [];
    const { missing, unknown } = await compareMigrations(client, known, version);
    if (missing.length > 0) await assertNoOlderInstances(client, missing, version);
    for (const migration of missing) {
      const isApplied = await applyMigration(client, migration, { version, lockWait }).catch(
        (error) => {
          throw migrationFailed(migration, error, describeOutcome(applied, error));
        },
      );
      if (isApplied) applied.push(migration);
    }
    await refreshNameIndexes(client);
    if (unknown.length > 0) {
      log?.info(
        { migrations: unknown.map(({ name }) => name), version },
        'a newer version migrated the database, and this version can run on it',
      );
    }
    return applied.map(({ name }) => name);
  });
}

/**
 * Only one process at a time migrates or restores a database.
 * @throws VALIDATION if the role of `DATABASE_URL` may not do that, with what to grant.
 */
export async function withMigrationLock<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  try {
    return await withAdvisoryLock(pool, ADVISORY_LOCK, work);
  } catch (error) {
    const denied = findDenied(error);
    throw denied ? await toMissingPrivileges(pool, denied) : error;
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Finds the error of PostgreSQL among the causes: a failed migration names its statement first. */
function findDenied(error: unknown): pg.DatabaseError | undefined {
  if (!(error instanceof Error)) return undefined;
  const isDenied = 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;
  return isDenied ? (error as pg.DatabaseError) : findDenied(error.cause);
}

const FIND_MISSING_GRANTS = `
  SELECT current_user AS role, array_remove(ARRAY[
    CASE WHEN NOT has_database_privilege(current_database(), 'CREATE')
      THEN format('GRANT CREATE ON DATABASE %I TO %I;', current_database(), current_user) END,
    CASE WHEN NOT has_schema_privilege(current_schema(), 'CREATE')
      THEN format('GRANT CREATE ON SCHEMA %I TO %I;', current_schema(), current_user) END], NULL) AS grants`;

async function toMissingPrivileges(pool: pg.Pool, cause: pg.DatabaseError): Promise<DomainError> {
  const { rows } = await pool.query<{ role: string; grants: string[] }>(FIND_MISSING_GRANTS);
  const [{ role, grants } = { role: '', grants: [] }] = rows;
  const remedy =
    grants.length > 0
      ? `As an administrator of this database, run: ${grants.join(' ')}`
      : 'Connect as the role that owns the tables.';
  return new DomainError(
    'VALIDATION',
    `DATABASE_URL: the role ${role} cannot migrate the database (${cause.message}). ${remedy}`,
    { reason: 'INVALID_CONFIGURATION' },
    { cause },
  );
}

let knownMigrationNames: Set<string> | undefined;

/**
 * Compares the database with the migrations of this version: whether it lacks one, or has one of a newer version beside which
 * this version cannot run.
 */
export async function findSchemaProblem(
  pipelinedSql: Sql,
): Promise<'not migrated' | 'too new for this version' | undefined> {
  const applied = await pipelinedSql<AppliedMigration>(LIST_APPLIED, []);
  knownMigrationNames ??= new Set(readMigrations().map(({ name }) => name));
  const names = new Set(applied.map(({ name }) => name));
  for (const name of knownMigrationNames) if (!names.has(name)) return 'not migrated';
  const unknown = applied.filter(({ name }) => !knownMigrationNames?.has(name));
  return findUnsuitable(unknown, readPackageVersion()).length > 0
    ? 'too new for this version'
    : undefined;
}

/**
 * Lists the migrations that the database lacks, and those that only it has.
 * @throws CONFLICT if this version cannot run on the database, as `migrate`.
 */
export async function compareMigrations(
  client: pg.PoolClient,
  known: Migration[],
  version: string,
): Promise<{ missing: Migration[]; unknown: AppliedMigration[] }> {
  const applied = await listAppliedMigrations(client);
  const unknown = applied.filter(({ name }) => !known.some((migration) => migration.name === name));
  const [baseline] = known;
  if (baseline && unknown.some(({ name }) => name < baseline.name)) {
    throw new DomainError(
      'CONFLICT',
      'An earlier 0.x version of Foyer created the database, and it cannot be upgraded. Start with an empty database, then import members, events and bookings.',
      { reason: 'DATABASE_UNREACHABLE' },
    );
  }
  assertSuitable(unknown, version);
  const names = new Set(applied.map(({ name }) => name));
  return { missing: known.filter(({ name }) => !names.has(name)), unknown };
}

// The columns of versions are read as JSON, because tables of Foyer 0.2 and of Prisma do not have them.
const LIST_APPLIED = prepareStatement(`
  SELECT migration_name AS name, to_jsonb(m) ->> 'foyer_version' AS "appliedBy", to_jsonb(m) ->> 'oldest_version' AS "oldestVersion"
  FROM _prisma_migrations m WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
  ORDER BY migration_name COLLATE "C"`);

/** Lists the migrations of the database by name. */
export async function listAppliedMigrations(
  database: pg.Pool | pg.PoolClient,
): Promise<AppliedMigration[]> {
  return (await database.query<AppliedMigration>(LIST_APPLIED.text)).rows;
}

/**
 * Applies a migration in a transaction of its own. Returns false if it has been applied meanwhile: all clients of the embedded
 * database share one session, and so the lock of `withMigrationLock`.
 */
export async function applyMigration(
  client: pg.PoolClient,
  migration: Migration,
  { version, lockWait }: Omit<MigrateOptions, 'log'> = {},
): Promise<boolean> {
  const work = async () => {
    const applied = await listAppliedMigrations(client);
    if (applied.some(({ name }) => name === migration.name)) return false;
    await runMigration(client, migration, version);
    return true;
  };
  return inMigrationTransaction(client, work, lockWait);
}

/** Creates Prisma's table of migrations, with two columns that Prisma ignores. */
export async function createMigrationsTable(client: pg.PoolClient): Promise<void> {
  await client.query(CREATE_MIGRATIONS_TABLE);
  // ALTER TABLE waits for exports even if the columns exist.
  if ((await client.query(HAS_VERSIONS)).rows.length > 0) return;
  await inMigrationTransaction(client, () => client.query(ADD_VERSIONS));
}

const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

const HAS_VERSIONS = `SELECT FROM pg_attribute
  WHERE attrelid = '_prisma_migrations'::regclass AND attname = 'oldest_version' AND NOT attisdropped`;

/** The version that applied a migration, and the oldest one that can run beside it. Null in rows of Foyer 0.2. */
const ADD_VERSIONS =
  'ALTER TABLE _prisma_migrations ADD COLUMN IF NOT EXISTS foyer_version TEXT, ADD COLUMN IF NOT EXISTS oldest_version TEXT';
