import { createHash } from 'node:crypto';
import type pg from 'pg';
import { readPackageVersion } from '../../core/package-version.ts';
import { DomainError } from '../../errors.ts';
import type { Database } from '../database.ts';
import {
  compareMigrations,
  listAppliedMigrations,
  type Migration,
  readMigrations,
} from '../migrations.ts';
import { findNewestVersion } from '../schema-compatibility.ts';
import { END_OF_ROWS, FORMAT } from './format.ts';
import { listTables } from './tables.ts';

const NEW_LINE = 0x0a;

/** Numbers, times and binary values have the same text whatever the settings of the server are. */
const SET_TEXT_FORMAT = `SET LOCAL datestyle = ISO; SET LOCAL intervalstyle = postgres; SET LOCAL timezone = 'UTC';
  SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = hex`;

/** Operators limit the statements of services, but a large table takes long, and so does a slow output. */
const WITHOUT_TIME_LIMITS =
  'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/**
 * Exports all rows of one snapshot as the pieces of a file. Changes nothing, not even the version of the schema. The export
 * contains hashes of secrets and the signing secrets of webhooks, so protect it like the database.
 * @throws NOT_FOUND if the database is not one of Foyer, CONFLICT as `migrate`.
 */
export async function* exportDatabase(
  { pool, rowCopier }: Pick<Database, 'pool' | 'rowCopier'>,
  known = readMigrations(),
): AsyncGenerator<Buffer, Record<string, number>> {
  const client = await pool.connect();
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let isComplete = false;
  const toPiece = (text: string) => {
    const piece = Buffer.from(`${text}\n`);
    hash.update(piece);
    return piece;
  };
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(SET_TEXT_FORMAT);
    await client.query(WITHOUT_TIME_LIMITS);
    const version = await findRestoringVersion(client, known);
    const migrations = (await listAppliedMigrations(client)).map(({ name }) => name);
    yield toPiece(JSON.stringify({ format: FORMAT, version, migrations }));
    for (const table of await listTables(client)) {
      yield toPiece(JSON.stringify({ table: table.name, columns: table.columns }));
      let rowCount = 0;
      for await (const piece of rowCopier.readRows(client, table)) {
        hash.update(piece);
        rowCount += countLines(piece);
        yield piece;
      }
      counts[table.name] = rowCount;
      yield toPiece(END_OF_ROWS);
    }
    const end = { end: true, rows: counts, sha256: hash.digest('hex') };
    yield Buffer.from(`${JSON.stringify(end)}\n`);
    isComplete = true;
    return counts;
  } finally {
    // A connection on which a COPY was not read to its end answers no further statement.
    if (isComplete) await client.query('ROLLBACK').catch(() => {});
    client.release(!isComplete);
  }
}

/** Returns the version that can restore the rows: a newer one than this if it has migrated the database. */
async function findRestoringVersion(client: pg.PoolClient, known: Migration[]): Promise<string> {
  const { rows } = await client.query(`SELECT to_regclass('public._prisma_migrations') AS name`);
  if (rows[0].name === null) {
    throw new DomainError(
      'NOT_FOUND',
      'The database contains no tables of Foyer. Check DATABASE_URL or DATA_DIR.',
      { reason: 'NOT_FOUND' },
    );
  }
  const version = readPackageVersion();
  const { unknown } = await compareMigrations(client, known, version);
  return findNewestVersion(unknown) ?? version;
}

function countLines(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(NEW_LINE); at >= 0; at = piece.indexOf(NEW_LINE, at + 1)) count += 1;
  return count;
}
