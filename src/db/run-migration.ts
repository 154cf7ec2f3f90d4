import { createHash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { readPackageVersion } from '../core/package-version.ts';
import { DomainError } from '../errors.ts';
import { describeWayBack, readOldestVersion } from './schema-compatibility.ts';
import { type SqlStatement, splitStatements, toLine } from './sql-statements.ts';

export interface Migration {
  name: string;
  sql: string;
}

/** How migrations wait for the locks of others. */
export interface LockWait {
  /** Requests wait behind a migration that waits for a lock, so it gives up early: before PostgreSQL looks for deadlocks, after a second. */
  timeoutMs: number;
  attempts: number;
  /** In which the requests that waited go on. */
  pauseMs: number;
}

const LOCK_WAIT: LockWait = { timeoutMs: 500, attempts: 60, pauseMs: 1_000 };

// Operators limit the statements of services, but a large table takes long.
const toSettings = ({ timeoutMs }: LockWait) =>
  `SET LOCAL lock_timeout = ${timeoutMs}; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

/** SQLSTATEs: a lock did not become free in time, and a deadlock with a request. */
const LOCKED = ['55P03', '40P01'];

/** Runs the work in a transaction, and again if another transaction kept a lock that it needs. */
export async function inMigrationTransaction<T>(
  client: pg.PoolClient,
  work: () => Promise<T>,
  wait: LockWait = LOCK_WAIT,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query('BEGIN');
    try {
      await client.query(toSettings(wait));
      const result = await work();
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // Without a connection, the server rolls back. The first error says why it was lost.
      await client.query('ROLLBACK').catch(() => {});
      if (!isLocked(error) || attempt >= wait.attempts) throw error;
    }
    await setTimeout(wait.pauseMs);
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof StatementError ? isLocked(error.cause) : LOCKED.includes(toSqlState(error));

const toSqlState = (error: unknown) => String((error as { code?: unknown } | undefined)?.code);

/** A statement of a migration failed. */
class StatementError extends Error {
  readonly line: number;

  constructor(statement: SqlStatement, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    const position = Number((cause as { position?: unknown } | undefined)?.position);
    this.line = Number.isInteger(position) ? toLine(statement, position) : statement.line;
  }
}

/** Runs and records a migration in the transaction of the client, which must be rolled back if this fails. */
export async function runMigration(
  client: pg.PoolClient,
  { name, sql }: Migration,
  version = readPackageVersion(),
): Promise<void> {
  for (const statement of splitStatements(sql)) {
    await client.query(statement.text).catch((error) => {
      throw new StatementError(statement, error);
    });
  }
  await client.query(
    `INSERT INTO _prisma_migrations
       (id, checksum, migration_name, finished_at, applied_steps_count, foyer_version, oldest_version)
     VALUES ($1, $2, $3, now(), 1, $4, $5)`,
    [
      randomUUID(),
      createHash('sha256').update(sql).digest('hex'),
      name,
      version,
      readOldestVersion(sql),
    ],
  );
}

/** Says where a migration failed, and why. `outcome` are sentences about what that means. */
export function migrationFailed({ name }: Migration, cause: unknown, outcome = ''): DomainError {
  const where =
    cause instanceof StatementError ? ` at line ${cause.line} of its migration.sql` : '';
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
  return new DomainError(
    'INTERNAL',
    `Migration ${name} failed${where}: ${reason}.${outcome && ` ${outcome}`}`,
    { reason: 'MIGRATION_FAILED' },
    { cause },
  );
}

/** Says what a failed migration leaves behind, and how to go on. `applied` are the migrations before it. */
export function describeOutcome(applied: Migration[], cause: unknown): string {
  const earlier =
    applied.length === 0
      ? 'Everything was rolled back.'
      : `It was rolled back as a whole; ${applied.map(({ name }) => name).join(', ')} before it ${applied.length === 1 ? 'was' : 'were'} applied and ${applied.length === 1 ? 'stays' : 'stay'}.`;
  const remedy = isLocked(cause)
    ? 'Wait until long transactions end, such as backups, or end them'
    : 'Remove the cause';
  return `${earlier} ${remedy}, and start again, which continues with this migration; ${describeWayBack(applied)}.`;
}
