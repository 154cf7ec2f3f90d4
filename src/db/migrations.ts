import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { DomainError } from '../errors.ts';
import { withAdvisoryLock } from './advisory-lock.ts';
import { refreshNameIndexes } from './name-collation.ts';

const MIGRATIONS_DIRECTORY = new URL('../../prisma/migrations/', import.meta.url);
const ADVISORY_LOCK = 72_707_369; // the lock that Prisma's own tools use

export interface Migration {
  name: string;
  sql: string;
}

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

/**
 * Applies pending migrations, each in its own transaction, and returns their names. Only one process at a time applies
 * them. They are recorded in Prisma's table, so that its tools work too.
 * @throws CONFLICT if the database has unknown migrations: those of a newer Foyer, or those of an earlier 0.x version,
 * which the baseline replaced.
 */
export async function migrate(pool: pg.Pool, known = readMigrations()): Promise<string[]> {
  return withMigrationLock(pool, async (client) => {
    await client.query(CREATE_MIGRATIONS_TABLE);
    const applied: string[] = [];
    for (const migration of await findMissingMigrations(client, known))
      if (await applyMigration(client, migration)) applied.push(migration.name);
    await refreshNameIndexes(client);
    return applied;
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
    const denied = [error, error instanceof Error ? error.cause : undefined].find(isDenied);
    throw denied ? await toMissingPrivileges(pool, denied) : error;
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

const isDenied = (error: unknown): error is pg.DatabaseError =>
  error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;

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

let knownMigrationNames: string[] | undefined;

/** Lists the migrations that the database lacks. Unknown migrations are not reported here: `migrate` rejects them. */
export async function findPendingMigrations(pool: pg.Pool): Promise<string[]> {
  const applied = await listAppliedMigrations(pool);
  knownMigrationNames ??= readMigrations().map(({ name }) => name);
  return knownMigrationNames.filter((name) => !applied.has(name));
}

/**
 * Lists the migrations that the database lacks.
 * @throws CONFLICT as `migrate`.
 */
export async function findMissingMigrations(
  client: pg.PoolClient,
  known: Migration[],
): Promise<Migration[]> {
  const applied = await listAppliedMigrations(client);
  const unknown = [...applied].filter(
    (name) => !known.some((migration) => migration.name === name),
  );
  const [baseline] = known;
  if (baseline && unknown.some((name) => name < baseline.name)) {
    throw new DomainError(
      'CONFLICT',
      'An earlier 0.x version of Foyer created the database, and it cannot be upgraded. Start with an empty database, then import members, events and bookings.',
      { reason: 'DATABASE_UNREACHABLE' },
    );
  }
  if (unknown.length > 0) {
    throw new DomainError(
      'CONFLICT',
      `A newer version of Foyer created the database (unknown migrations: ${unknown.join(', ')}). Start that version instead.`,
      { reason: 'DATABASE_NEWER' },
    );
  }
  return known.filter(({ name }) => !applied.has(name));
}

/** Lists the migrations of the database by name. */
export async function listAppliedMigrations(
  database: pg.Pool | pg.PoolClient,
): Promise<Set<string>> {
  const { rows } = await database.query<{ migration_name: string }>(
    `SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
     ORDER BY migration_name COLLATE "C"`,
  );
  return new Set(rows.map((row) => row.migration_name));
}

/**
 * Applies a migration in a transaction of its own. Returns false if it has been applied meanwhile: all clients of the embedded
 * database share one session, and so the lock of `withMigrationLock`.
 * @throws INTERNAL if it fails.
 */
export async function applyMigration(
  client: pg.PoolClient,
  migration: Migration,
): Promise<boolean> {
  await client.query('BEGIN');
  try {
    if ((await listAppliedMigrations(client)).has(migration.name)) {
      await client.query('ROLLBACK');
      return false;
    }
    await runMigration(client, migration);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK');
    throw migrationFailed(migration, error);
  }
}

/** Runs and records a migration in the transaction of the client, which must be rolled back if this fails. */
export async function runMigration(client: pg.PoolClient, { name, sql }: Migration): Promise<void> {
  await client.query(sql);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), 1)`,
    [randomUUID(), createHash('sha256').update(sql).digest('hex'), name],
  );
}

export const migrationFailed = ({ name }: Migration, cause: unknown) =>
  new DomainError(
    'INTERNAL',
    `Migration ${name} failed and was rolled back: ${cause instanceof Error ? cause.message : cause}`,
    { reason: 'MIGRATION_FAILED' },
    { cause },
  );

export const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
