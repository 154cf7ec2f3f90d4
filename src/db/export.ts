import type pg from 'pg';
import { z } from 'zod';
import { DomainError } from '../errors.ts';

const FORMAT = 'foyer-export-1';
const EXPORT_BATCH_SIZE = 500;

// Tables come after those that they refer to, so that rows can be put back in the order in which they stand.
const LIST_TABLES = `
  WITH RECURSIVE own AS (
    SELECT oid, relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT IN ('_prisma_migrations', 'rate_limits')
  ), depth AS (
    SELECT oid, relname, 0 AS level FROM own
    UNION ALL
    SELECT own.oid, own.relname, depth.level + 1
    FROM depth JOIN pg_constraint ON contype = 'f' AND confrelid = depth.oid AND conrelid <> confrelid
    JOIN own ON own.oid = conrelid
  )
  SELECT relname AS name FROM depth GROUP BY relname ORDER BY max(level), relname`;

/**
 * Every row, a line each, as of one moment. Hashes of secrets are among them, and what webhooks are signed with: keep it as
 * safe as the database.
 */
export async function* exportDatabase(pool: pg.Pool): AsyncGenerator<string> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const migrations = await listMigrations(client);
    yield JSON.stringify({ format: FORMAT, migrations });
    let written = 0;
    for (const table of await listTables(client)) {
      await client.query(
        `DECLARE rows CURSOR FOR SELECT row_to_json(t)::text AS row FROM "${table}" t`,
      );
      for (;;) {
        const { rows } = await client.query<{ row: string }>(
          `FETCH ${EXPORT_BATCH_SIZE} FROM rows`,
        );
        for (const { row } of rows) yield `{"table":"${table}","row":${row}}`;
        written += rows.length;
        if (rows.length < EXPORT_BATCH_SIZE) break;
      }
      await client.query('CLOSE rows');
    }
    yield JSON.stringify({ end: true, rows: written });
  } finally {
    await client.query('ROLLBACK').catch(() => {});
    client.release();
  }
}

const headSchema = z.object({ format: z.literal(FORMAT), migrations: z.array(z.string()) });
const tailSchema = z.object({ end: z.literal(true), rows: z.int() });
const entrySchema = z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) });

/** Throws CONFLICT when the database holds something already or is of another version, BAD_REQUEST for a file that is not whole. */
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
    const own = rows.get(table);
    if (own) own.push(row);
    else rows.set(table, [row]);
  });
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const here = await listMigrations(client);
    if (here.join() !== migrations.join()) {
      throw new DomainError(
        'CONFLICT',
        'The file was written by another version of Foyer. Use the same version for export and restore.',
        { reason: 'EXPORT_VERSION' },
      );
    }
    const counts: Record<string, number> = {};
    const tables = await listTables(client);
    // What triggers wrote then is among the rows.
    for (const table of tables) await client.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`);
    const unknown = [...rows.keys()].filter((table) => !tables.includes(table));
    if (unknown.length > 0) {
      throw new DomainError(
        'BAD_REQUEST',
        `There is no table ${unknown.join(', ')}; nothing was restored.`,
        { reason: 'EXPORT_UNREADABLE' },
      );
    }
    for (const table of tables) {
      await assertEmpty(client, table);
      const own = rows.get(table) ?? [];
      if (own.length === 0) continue;
      // One statement a table: rows may refer to others of the same table.
      await client.query(
        `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $1)`,
        [JSON.stringify(own)],
      );
      counts[table] = own.length;
    }
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
      `The database is not empty: there are ${table}. Restore into a new one.`,
      {
        reason: 'NOT_EMPTY',
      },
    );
  }
}

function parseLine<Schema extends z.ZodType>(
  schema: Schema,
  line: string | undefined,
  number: number,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(line ?? ''));
  } catch {
    throw invalidExport(number);
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
    `Line ${line} is not as export writes it, or the file is cut off; nothing was restored.`,
    { reason: 'EXPORT_UNREADABLE' },
  );
