import type pg from 'pg';
import { DomainError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { type Migration, readMigrations, withMigrationLock } from '../migrations.ts';
import type { RowCopier, RowWriter, TableColumns } from '../row-copier.ts';
import { migrationFailed, runMigration } from '../run-migration.ts';
import { unreadable } from './format.ts';
import { type ExportPart, readExport } from './read-export.ts';
import { assertEmpty, prepareSchema, splitMigrations } from './restore-schema.ts';
import { dropIndexes, listTables, setSequences } from './tables.ts';

export type RestorePhase = 'rows' | 'indexes' | 'migrations';

interface Restored {
  /** The number of rows of each table that has any. */
  rows: Record<string, number>;
  /** The migrations that the file did not contain yet. */
  migrated: string[];
}

/**
 * Restores an export into an empty database, all or nothing. It creates the schema that the file had, loads the rows, and
 * applies the migrations that came later, so that these change the rows as in any other database.
 * @throws CONFLICT if the database contains rows or if a newer version created the file, BAD_REQUEST for an incomplete or
 * changed file.
 */
export async function restoreDatabase(
  { pool, rowCopier }: Pick<Database, 'pool' | 'rowCopier'>,
  pieces: AsyncIterable<Buffer>,
  {
    onPhase = () => {},
    known = readMigrations(),
  }: { onPhase?: (phase: RestorePhase) => void; known?: Migration[] } = {},
): Promise<Restored> {
  const parts = readExport(pieces);
  const first = (await parts.next()).value as ExportPart | undefined;
  if (first?.kind !== 'head') throw unreadable('The file is empty.');
  const { contained, later } = splitMigrations(first.head, known);
  return withMigrationLock(pool, async (client) => {
    await prepareSchema(client, contained);
    await client.query('BEGIN');
    try {
      await client.query(SETTINGS);
      const tables = await lockEmptyTables(client);
      const indexes = await dropIndexes(client, [...tables.keys()]);
      onPhase('rows');
      const rows = await loadRows(client, { parts, tables, rowCopier });
      await setSequences(client);
      onPhase('indexes');
      for (const create of indexes) await client.query(create).catch(rejectRow);
      // Until then, PostgreSQL plans for empty tables.
      await client.query('ANALYZE');
      if (later.length > 0) {
        onPhase('migrations');
        for (const migration of later) {
          await runMigration(client, migration).catch((error) => {
            throw migrationFailed(migration, error);
          });
        }
        await client.query('ANALYZE');
      }
      await client.query('COMMIT');
      return { rows, migrated: later.map(({ name }) => name) };
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw addOutcome(error);
    }
  });
}

// Texts have the same meaning whatever the settings of the server are. Operators limit the statements of services, but a
// large table takes long.
const SETTINGS = `SET LOCAL datestyle = ISO; SET LOCAL intervalstyle = postgres; SET LOCAL timezone = 'UTC';
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

/** Locks the tables, so that a running service adds no rows, and removes the rows of migrations. */
async function lockEmptyTables(client: pg.PoolClient): Promise<Map<string, TableColumns>> {
  const tables = await listTables(client);
  const all = tables.map(({ name }) => `"${name}"`).join(', ');
  await client.query(`LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`);
  await assertEmpty(client);
  await client.query(`TRUNCATE ${all}`);
  return new Map(tables.map((table) => [table.name, table]));
}

/** Loads rows without firing triggers, since the file already contains the rows that triggers wrote. */
async function loadRows(
  client: pg.PoolClient,
  {
    parts,
    tables,
    rowCopier,
  }: {
    parts: AsyncIterable<ExportPart>;
    tables: Map<string, TableColumns>;
    rowCopier: RowCopier;
  },
): Promise<Record<string, number>> {
  for (const name of tables.keys())
    await client.query(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
  let writer: RowWriter | undefined;
  let counts: Record<string, number> = {};
  try {
    for await (const part of parts) {
      if (part.kind === 'table' || part.kind === 'end') await writer?.finish();
      if (part.kind === 'table')
        writer = rowCopier.writeRows(client, matchTable(tables, part.table));
      if (part.kind === 'rows') await writer?.write(part.piece);
      if (part.kind === 'records') await insertRecords(client, tables, part);
      if (part.kind === 'end') counts = part.rows;
    }
  } catch (error) {
    await writer?.abort();
    rejectRow(error);
  }
  for (const name of tables.keys()) await client.query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function matchTable(
  tables: Map<string, TableColumns>,
  { name, columns }: TableColumns,
): TableColumns {
  const table = tables.get(name);
  const differing =
    table === undefined
      ? []
      : [...new Set([...columns, ...table.columns])].filter(
          (column) => !columns.includes(column) || !table.columns.includes(column),
        );
  if (table === undefined || differing.length > 0) {
    const unknown = [name, ...differing].join('.');
    throw unreadable(`The file does not fit its migrations: ${unknown}. Use another backup.`);
  }
  return { name, columns };
}

async function insertRecords(
  client: pg.PoolClient,
  tables: Map<string, TableColumns>,
  { table, records }: { table: string; records: string[] },
): Promise<void> {
  const columns = tables.get(table)?.columns ?? [];
  matchTable(tables, { name: table, columns });
  await client.query(
    `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $1)`,
    [`[${records.join(',')}]`],
  );
}

/** Classes of SQLSTATE: invalid values, violated constraints. */
const INVALID_ROW = /^2[23]/;

function rejectRow(error: unknown): never {
  const { code, message } = error as { code?: unknown; message?: string };
  if (error instanceof DomainError || typeof code !== 'string' || !INVALID_ROW.test(code))
    throw error;
  throw unreadable(`The file contains an invalid row (${message}). Use another backup.`, error);
}

/** A message about the file says what happened to the database. */
function addOutcome(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code === 'CONFLICT') return error;
  const message = `${error.message.replace(/\.$/, '')}. Nothing was restored.`;
  return new DomainError(error.code, message, error.details, { cause: error });
}
