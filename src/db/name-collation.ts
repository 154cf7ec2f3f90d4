import type pg from 'pg';

// Names have the collation `names`, which the ICU library of the server or of PGlite implements. Another version of the library can
// sort differently, and then an index that was built with the earlier one misses rows.

const IS_OUTDATED = `SELECT 1 FROM pg_collation
  WHERE oid = to_regcollation('names') AND collversion IS DISTINCT FROM pg_collation_actual_version(oid)`;

const LIST_INDEXES = `SELECT indexrelid::regclass::text AS name FROM pg_index
  WHERE 'names'::regcollation::oid = ANY (indcollation) ORDER BY 1`;

/**
 * Rebuilds the indexes of names if another version of the ICU library built them. Call it under the lock of migrations.
 */
export async function refreshNameIndexes(client: pg.PoolClient): Promise<void> {
  if ((await client.query(IS_OUTDATED)).rows.length === 0) return;
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<{ name: string }>(LIST_INDEXES);
    for (const { name } of rows) await client.query(`REINDEX INDEX ${name}`);
    await client.query('ALTER COLLATION names REFRESH VERSION');
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
