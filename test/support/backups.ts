import { createHash } from 'node:crypto';
import { exportDatabase } from '../../src/db/backup/export-database.ts';
import { type RestorePhase, restoreDatabase } from '../../src/db/backup/restore-database.ts';
import type { Connection, Database } from '../../src/db/database.ts';
import { type Migration, readMigrations } from '../../src/db/migrations.ts';

/** A database without Prisma is enough for backups. */
export type BackupDatabase = Pick<Database | Connection, 'pool' | 'rowCopier'>;

export async function exportAll(
  database: BackupDatabase,
  known: Migration[] = readMigrations(),
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of exportDatabase(database, known)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Restores a file that arrives in pieces of this size. */
export const restoreAll = (
  database: BackupDatabase,
  file: Buffer,
  options?: { known?: Migration[]; pieceBytes?: number; onPhase?: (phase: RestorePhase) => void },
) => restoreDatabase(database, cut(file, options?.pieceBytes), options);

export async function* cut(file: Buffer, pieceBytes = 64 * 1024): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += pieceBytes) yield file.subarray(at, at + pieceBytes);
}

/** A file in the format that versions without checksums wrote. */
export async function exportInFirstFormat({ pool }: BackupDatabase): Promise<Buffer> {
  const { rows: migrations } = await pool.query(
    'SELECT migration_name FROM _prisma_migrations ORDER BY 1',
  );
  const head = {
    format: 'foyer-export-1',
    migrations: migrations.map((row) => row.migration_name),
  };
  const lines = [JSON.stringify(head)];
  const { rows: tables } = await pool.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     AND relname NOT IN ('_prisma_migrations', 'rate_limits')`,
  );
  for (const { name } of tables) {
    const { rows } = await pool.query(`SELECT row_to_json(t)::text AS row FROM "${name}" t`);
    for (const { row } of rows) lines.push(`{"table":"${name}","row":${row}}`);
  }
  lines.push(JSON.stringify({ end: true, rows: lines.length - 1 }));
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** A digest of the rows of each table, whatever their order. */
export function digestRows(file: Buffer): Record<string, string> {
  const digests: Record<string, string> = {};
  let table = '';
  let rows: string[] = [];
  for (const line of file.toString('utf8').split('\n')) {
    if (line.startsWith('{"table":')) {
      table = line;
      rows = [];
    } else if (line === '\\.') {
      digests[table] = createHash('sha256').update(rows.sort().join('\n')).digest('hex');
    } else rows.push(line);
  }
  return digests;
}

/** Counts the rows of all tables, except those that migrations insert. */
export async function countRows({ pool }: BackupDatabase): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     AND relname NOT IN ('_prisma_migrations', 'rate_limits', 'journal_head', 'journal_readers')`,
  );
  const counts = rows.map(({ name }) => `(SELECT count(*) FROM "${name}")`);
  const { rows: total } = await pool.query(
    `SELECT (${['0', ...counts].join(' + ')})::int AS total`,
  );
  return total[0].total;
}

/** Describes everything that migrations can create, one object a line. */
export async function describeSchema({ pool }: BackupDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(SCHEMA);
  return rows.map(({ line }) => line);
}

const SCHEMA = `
  WITH tables AS (
    SELECT oid, relname, relkind, reloptions, relacl, relreplident FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations' AND relname NOT LIKE '\\_prisma%'
  ), described AS (
    SELECT concat_ws(' ', 'table', relname, relkind, reloptions, relacl, relreplident) AS line FROM tables
    UNION ALL
    SELECT concat_ws(' ', 'column', relname, attname, attnum, format_type(atttypid, atttypmod), attnotnull, attstorage,
      attcompression, attstattarget, attacl, pg_get_expr(adbin, adrelid))
    FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE relkind IN ('r', 'S')
    UNION ALL
    SELECT concat_ws(' ', 'constraint', relname, conname, contype, convalidated, condeferrable, condeferred,
      pg_get_constraintdef(c.oid))
    FROM tables JOIN pg_constraint c ON conrelid = tables.oid
    UNION ALL
    SELECT concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisunique, indisprimary, indisexclusion, indimmediate,
      indisclustered, indisvalid, indisready, indisreplident)
    FROM tables JOIN pg_index ON indrelid = tables.oid
    UNION ALL
    SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), tgenabled)
    FROM tables JOIN pg_trigger t ON tgrelid = tables.oid WHERE NOT tgisinternal
    UNION ALL
    SELECT concat_ws(' ', 'trigger of a foreign key', relname, tgfoid::regproc, tgenabled)
    FROM tables JOIN pg_trigger t ON tgrelid = tables.oid WHERE tgisinternal
    UNION ALL
    SELECT concat_ws(' ', 'function', CASE WHEN prokind = 'f' THEN pg_get_functiondef(oid) END, proacl)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT concat_ws(' ', 'type', typname, enumlabel, rank() OVER (PARTITION BY typname ORDER BY enumsortorder))
    FROM pg_type JOIN pg_enum ON enumtypid = pg_type.oid
    UNION ALL
    SELECT concat_ws(' ', 'comment', i.type, i.identity, description)
    FROM pg_description d, pg_identify_object(classoid, objoid, objsubid) i
    WHERE i.schema = 'public' OR i.type = 'trigger'
    UNION ALL
    SELECT concat_ws(' ', 'statistics', stxname) FROM pg_statistic_ext
    UNION ALL
    SELECT concat_ws(' ', 'extension', extname) FROM pg_extension
  )
  SELECT line FROM described ORDER BY line COLLATE "C"`;
