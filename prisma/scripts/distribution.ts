import { toTable } from './docs.ts';

/** The column by which Citus would distribute the tables. */
const COLUMN = 'location_id';

/** A table that has the column, and what Citus rejects about it: each of these must contain the column. */
interface DistributedTable {
  name: string;
  /** The primary key, unique indexes and exclusion constraints without the column. */
  keys: string[];
  /** Tables that have the column, to which a foreign key without it refers. */
  references: string[];
}

interface Distribution {
  distributed: DistributedTable[];
  /** Tables without the column: they need one, or every node needs a whole copy. */
  others: string[];
}

type Query = (text: string, values: string[]) => Promise<{ rows: unknown[] }>;

/** Compares a migrated schema with the rules of Citus for tables that are distributed by location. */
async function findDistribution(query: Query): Promise<Distribution> {
  const { rows } = await query(FIND_TABLES, [COLUMN]);
  const tables = rows as (DistributedTable & { isDistributed: boolean })[];
  const distributed = tables.filter((table) => table.isDistributed);
  const names = distributed.map(({ name }) => name);
  return {
    distributed: distributed.map((table) => ({
      ...table,
      references: table.references.filter((target) => names.includes(target)),
    })),
    others: tables.filter((table) => !table.isDistributed).map(({ name }) => name),
  };
}

/** Formats what Citus rejects about the tables with a location, and lists the other tables. */
export async function formatDistribution(query: Query): Promise<string> {
  const { distributed, others } = await findDistribution(query);
  const list = (all: string[]) => all.map((one) => `\`${one}\``).join(', ') || '–';
  const table = toTable(
    ['table', `keys without \`${COLUMN}\``, `foreign keys without \`${COLUMN}\`, to`],
    distributed.map(({ name, keys, references }) => [`\`${name}\``, list(keys), list(references)]),
  );
  return `${table}\n\nTables without \`${COLUMN}\`: ${list(others)}.`;
}

const FIND_TABLES = `
  SELECT tables.relname AS name, columns.attnum IS NOT NULL AS "isDistributed",
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
  WHERE tables.relkind = 'r' AND tables.relname <> '_prisma_migrations' AND tables.relnamespace = 'public'::regnamespace
  ORDER BY tables.relname`;
