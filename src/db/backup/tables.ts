import type pg from 'pg';
import type { TableColumns } from '../row-copier.ts';

// The tables of Foyer are those in the schema `public`, except the list of migrations and the counters of rate limits.

const LIST_TABLES = `
  SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT IN ('_prisma_migrations', 'rate_limits')
    AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  GROUP BY relname ORDER BY relname COLLATE "C"`;

export async function listTables(client: pg.PoolClient): Promise<TableColumns[]> {
  return (await client.query<TableColumns>(LIST_TABLES)).rows;
}

/** Sets sequences to the highest values of their columns. */
export async function setSequences(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ sequence: string; column: string; table: string }>(`
    SELECT format('%I', sequence.relname) AS sequence, format('%I', attname) AS column, format('%I', owner.relname) AS table
    FROM pg_depend JOIN pg_class sequence ON sequence.oid = objid AND sequence.relkind = 'S'
    JOIN pg_class owner ON owner.oid = refobjid JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
    WHERE deptype IN ('a', 'i') AND sequence.relnamespace = 'public'::regnamespace`);
  for (const { sequence, column, table } of rows) {
    await client.query(
      `SELECT setval('${sequence}', max(${column})) FROM ${table} HAVING count(*) > 0`,
    );
  }
}

interface Definition {
  drop: string;
  create: string;
}

/**
 * Drops all indexes, keys and foreign keys of these tables, and returns the statements that create them again. Creating an
 * index once is faster than updating it for each row.
 */
export async function dropIndexes(client: pg.PoolClient, tables: string[]): Promise<string[]> {
  const { rows: indexes } = await client.query<Definition>(LIST_INDEXES, [tables]);
  const { rows: foreignKeys } = await client.query<Definition>(LIST_FOREIGN_KEYS, [tables]);
  for (const { drop } of [...foreignKeys, ...indexes]) await client.query(drop);
  return [...indexes, ...foreignKeys].map(({ create }) => create);
}

// Foreign keys need the keys that they refer to. The order decides which of two equal indexes a plan uses.
const LIST_INDEXES = `
  SELECT
    CASE WHEN contype IS NULL THEN format('DROP INDEX %I', index.relname)
      ELSE format('ALTER TABLE %I DROP CONSTRAINT %I', owner.relname, conname) END AS drop,
    CASE WHEN contype IS NULL THEN pg_get_indexdef(indexrelid)
      ELSE format('ALTER TABLE %I ADD CONSTRAINT %I %s', owner.relname, conname, pg_get_constraintdef(c.oid)) END AS create
  FROM pg_index JOIN pg_class index ON index.oid = indexrelid JOIN pg_class owner ON owner.oid = indrelid
  LEFT JOIN pg_constraint c ON conindid = indexrelid AND contype IN ('p', 'u', 'x')
  WHERE owner.relname = ANY ($1) AND owner.relnamespace = 'public'::regnamespace
  ORDER BY indexrelid`;

const LIST_FOREIGN_KEYS = `
  SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', owner.relname, conname) AS drop,
    format('ALTER TABLE %I ADD CONSTRAINT %I %s', owner.relname, conname, pg_get_constraintdef(c.oid)) AS create
  FROM pg_constraint c JOIN pg_class owner ON owner.oid = conrelid
  WHERE contype = 'f' AND owner.relname = ANY ($1) AND owner.relnamespace = 'public'::regnamespace
  ORDER BY c.oid`;
