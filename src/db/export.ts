import type pg from 'pg';
import { z } from 'zod';
import { DomainError } from '../errors.ts';

const FORMAT = 'foyer-export-1';
const EXPORT_BATCH_SIZE = 500;

// Tables come after the tables that they refer to, so that rows can be restored in file order.
const LIST_TABLES = `
  WITH RECURSIVE tables AS (
    SELECT oid, relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT IN ('_prisma_migrations', 'rate_limits')
  ), depth AS (
    SELECT oid, relname, 0 AS level FROM tables
    UNION ALL
    SELECT tables.oid, tables.relname, depth.level + 1
    FROM depth JOIN pg_constraint ON contype = 'f' AND confrelid = depth.oid AND conrelid <> confrelid
    JOIN tables ON tables.oid = conrelid
  )
  SELECT relname AS name FROM depth GROUP BY relname ORDER BY max(level), relname`;

/**
 * Exports all rows of one snapshot, one per line. The export contains hashes of secrets and the signing secrets of
 * webhooks, so protect it like the database.
 */
export async function* exportDatabase(pool: pg.Pool): AsyncGenerator<string> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const migrations = await listMigrations(client);
    yield JSON.stringify({ format: FORMAT, migrations });
    let rowCount = 0;
    for (const table of await listTables(client)) {
      await client.query(
        `DECLARE rows CURSOR FOR SELECT row_to_json(t)::text AS row FROM "${table}" t`,
      );
      for (;;) {
        const { rows } = await client.query<{ row: string }>(
          `FETCH ${EXPORT_BATCH_SIZE} FROM rows`,
        );
        for (const { row } of rows) yield `{"table":"${table}","row":${row}}`;
        rowCount += rows.length;
        if (rows.length < EXPORT_BATCH_SIZE) break;
      }
      await client.query('CLOSE rows');
    }
    yield JSON.stringify({ end: true, rows: rowCount });
  } finally {
    await client.query('ROLLBACK').catch(() => {});
    client.release();
  }
}

const headSchema = z.object({ format: z.literal(FORMAT), migrations: z.array(z.string()) });
const tailSchema = z.object({ end: z.literal(true), rows: z.int() });
const entrySchema = z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) });

/**
 * Restores an export into an empty database and returns the number of rows per table.
 * @throws CONFLICT if the database contains data or has another version, BAD_REQUEST for an incomplete file.
 */
export async function restoreDatabase(
  pool: pg.Pool,
  file: string,
): Promise<Record<string, number>> {
  const lines = file.split('\n').filter((line) => line.trim() !== '');
  const { migrations } = parseLine(headSchema, lines[0], 1);
  const rows = new Map<string, unknown[]>();
  const end = parseLine(tailSchema, lines.at(-1), lines.length);
  const body = lines.slice(1, -1);
  if (end.rows !== body.length) throw invalidExport(lines.length);
  body.forEach((line, index) => {
    const { table, row } = parseLine(entrySchema, line, index + 2);
    const tableRows = rows.get(table);
    if (tableRows) tableRows.push(row);
    else rows.set(table, [row]);
  });
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const applied = await listMigrations(client);
    if (applied.join() !== migrations.join()) {
      throw new DomainError(
        'CONFLICT',
        'A different version of Foyer created the file. Use the same version for export and restore.',
        { reason: 'EXPORT_VERSION' },
      );
    }
    const counts: Record<string, number> = {};
    const tables = await listTables(client);
    // The export already contains the rows that triggers wrote.
    for (const table of tables) await client.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`);
    const unknown = [...rows.keys()].filter((table) => !tables.includes(table));
    if (unknown.length > 0) {
      throw new DomainError(
        'BAD_REQUEST',
        `The file has unknown tables: ${unknown.join(', ')}. Nothing was restored.`,
        { reason: 'EXPORT_UNREADABLE' },
      );
    }
    // The rows that migrations inserted
    await client.query('DELETE FROM journal_head');
    await client.query('DELETE FROM journal_readers');
    for (const table of tables) {
      await assertEmpty(client, table);
      const tableRows = rows.get(table) ?? [];
      if (tableRows.length === 0) continue;
      // One statement per table, since rows can refer to other rows of the same table.
      await client.query(
        `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $1)`,
        [JSON.stringify(tableRows)],
      );
      counts[table] = tableRows.length;
    }
    await client.query(`
      SELECT setval(pg_get_serial_sequence('changes', 'sequence'), max(sequence)) FROM changes HAVING count(*) > 0`);
    for (const table of tables) await client.query(`ALTER TABLE "${table}" ENABLE TRIGGER USER`);
    await client.query('COMMIT');
    return counts;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function assertEmpty(client: pg.PoolClient, table: string): Promise<void> {
  const { rows } = await client.query(`SELECT 1 FROM "${table}" LIMIT 1`);
  if (rows.length > 0) {
    throw new DomainError(
      'CONFLICT',
      `The database is not empty: ${table} contains rows. Restore into a new database.`,
      { reason: 'NOT_EMPTY' },
    );
  }
}

function parseLine<Schema extends z.ZodType>(
  schema: Schema,
  line: string | undefined,
  lineNumber: number,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(line ?? ''));
  } catch {
    throw invalidExport(lineNumber);
  }
}

async function listMigrations(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query('SELECT migration_name FROM _prisma_migrations ORDER BY 1');
  return rows.map(({ migration_name }) => migration_name);
}

async function listTables(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query(LIST_TABLES);
  return rows.map(({ name }) => name);
}

const invalidExport = (line: number) =>
  new DomainError(
    'BAD_REQUEST',
    `Line ${line} is invalid or the file is incomplete. Nothing was restored.`,
    { reason: 'EXPORT_UNREADABLE' },
  );
