import { createPglite } from '../../src/db/embedded/embedded-database.ts';
import { readMigrations } from '../../src/db/migrations.ts';

/** The column by which Citus would distribute the tables. */
const COLUMN = 'location_id';

/** A table that has the column, and what Citus rejects about it: each of these must contain the column. */
export interface DistributedTable {
  name: string;
  /** The primary key, unique indexes and exclusion constraints without the column. */
  keys: string[];
  /** Tables that have the column, to which a foreign key without it refers. */
  references: string[];
}

export interface Distribution {
  distributed: DistributedTable[];
  /** Tables without the column: they need one, or every node needs a whole copy. */
  others: string[];
}

/** Compares the migrated schema with the rules of Citus for tables that are distributed by location. */
export async function findDistribution(): Promise<Distribution> {
  const pglite = await createPglite();
  try {
    for (const { sql } of readMigrations()) await pglite.exec(sql);
    const { rows } = await pglite.query<DistributedTable & { distributed: boolean }>(FIND_TABLES, [
      COLUMN,
    ]);
    const isDistributed = (name: string) =>
      rows.some((row) => row.name === name && row.distributed);
    return {
      distributed: rows
        .filter((row) => row.distributed)
        .map(({ name, keys, references }) => ({
          name,
          keys,
          references: references.filter(isDistributed),
        })),
      others: rows.filter((row) => !row.distributed).map(({ name }) => name),
    };
  } finally {
    await pglite.close();
  }
}

const FIND_TABLES = `
  SELECT tables.relname AS name, columns.attnum IS NOT NULL AS distributed,
    ARRAY(
      SELECT names.relname::text
      FROM pg_index AS indexes
      JOIN pg_class AS names ON names.oid = indexes.indexrelid
      WHERE indexes.indrelid = tables.oid AND (indexes.indisunique OR indexes.indisexclusion)
        AND NOT columns.attnum = ANY (indexes.indkey::int2[])
      ORDER BY indexes.indisprimary DESC, names.relname
    ) AS keys,
    ARRAY(
      SELECT DISTINCT targets.relname::text
      FROM pg_constraint AS constraints
      JOIN pg_class AS targets ON targets.oid = constraints.confrelid
      WHERE constraints.conrelid = tables.oid AND constraints.contype = 'f'
        AND NOT columns.attnum = ANY (constraints.conkey)
      ORDER BY 1
    ) AS references
  FROM pg_class AS tables
  LEFT JOIN pg_attribute AS columns ON columns.attrelid = tables.oid AND columns.attname = $1
  WHERE tables.relkind = 'r' AND tables.relnamespace = 'public'::regnamespace
  ORDER BY tables.relname`;
