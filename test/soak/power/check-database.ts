import { PGlite } from '@electric-sql/pglite';
import { amcheck } from '@electric-sql/pglite/contrib/amcheck';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { connectEmbedded } from '../../../src/db/embedded/embedded-database.ts';
import { migrate } from '../../../src/db/migrations.ts';

export type Query = <Row>(sql: string) => Promise<Row[]>;

/**
 * Opens and migrates the database of a directory, checks every table, index and constraint, and passes it to `work`.
 * @throws if the database does not open, or if a check finds a fault.
 */
export async function checkDatabase(
  dataDir: string,
  work: (query: Query) => Promise<void>,
): Promise<void> {
  const pglite = await PGlite.create({
    dataDir,
    extensions: { amcheck, btree_gist, pg_trgm },
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
  });
  const connection = connectEmbedded({ pglite });
  const query: Query = async <Row>(sql: string) => (await connection.pool.query(sql)).rows as Row[];
  try {
    await migrate(connection.pool);
    await query('CREATE EXTENSION IF NOT EXISTS amcheck');
    for (const check of [checkTables, checkIndexes, checkRangeIndexes]) await check(query);
    await query(VALIDATE_CONSTRAINTS);
    await work(query);
  } finally {
    await connection.close();
  }
}

async function checkTables(query: Query): Promise<void> {
  const faults = await query(`
    SELECT relname, fault.* FROM pg_class, verify_heapam(oid, skip => 'none') fault
    WHERE relkind IN ('r', 't') AND relpersistence = 'p'`);
  if (faults.length > 0) throw new Error(`faults in tables: ${JSON.stringify(faults.slice(0, 3))}`);
}

/** Every row is in every index, and every index is in order. */
async function checkIndexes(query: Query): Promise<void> {
  await query(`
    SELECT CASE amname
      WHEN 'btree' THEN bt_index_parent_check(c.oid, heapallindexed => true, rootdescend => true, checkunique => true)::text
      ELSE gin_index_check(c.oid)::text END
    FROM pg_class c JOIN pg_am ON pg_am.oid = relam JOIN pg_index i ON indexrelid = c.oid
    WHERE relkind = 'i' AND amname IN ('btree', 'gin') AND relpersistence = 'p' AND indisvalid`);
}

/** Finds each booking through both range indexes, since amcheck cannot check those. */
async function checkRangeIndexes(query: Query): Promise<void> {
  await query(`SET enable_seqscan = off`);
  const find = (where: string) =>
    query(`SELECT id FROM bookings b WHERE status IN ('pending', 'confirmed') AND NOT EXISTS (
      SELECT 1 FROM bookings other
      WHERE other.id = b.id AND other.status IN ('pending', 'confirmed') AND ${where})`);
  const missing = [
    ...(await find(`other.resource_id = b.resource_id
      AND tstzrange(other.starts_at, other.occupied_until) && tstzrange(b.starts_at, b.occupied_until)`)),
    ...(await find(
      'tstzrange(other.starts_at, other.ends_at) && tstzrange(b.starts_at, b.ends_at)',
    )),
  ];
  if (missing.length > 0) throw new Error(`${missing.length} bookings are missing in an index`);
  await query(`RESET enable_seqscan`);
}

// Marks every constraint as not validated, so that PostgreSQL checks it against every row again. Building an index again checks
// exclusion; `checkIndexes` checks uniqueness.
const VALIDATE_CONSTRAINTS = `DO $$
  DECLARE c record;
  BEGIN
    UPDATE pg_constraint SET convalidated = false
      WHERE contype IN ('c', 'f') AND connamespace = 'public'::regnamespace AND conrelid <> 0;
    FOR c IN SELECT conname, conrelid::regclass AS name FROM pg_constraint
      WHERE contype IN ('c', 'f') AND connamespace = 'public'::regnamespace AND conrelid <> 0 LOOP
      EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', c.name, c.conname);
    END LOOP;
    FOR c IN SELECT conindid::regclass AS name FROM pg_constraint WHERE contype = 'x' LOOP
      EXECUTE format('REINDEX INDEX %s', c.name);
    END LOOP;
  END $$`;
