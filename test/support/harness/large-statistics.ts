import type pg from 'pg';

/** The tables that grow with the history of a space, and how many rows they have after ten years. */
const ROWS: Record<string, number> = {
  bookings: 2_000_000,
  changes: 2_000_000,
  check_ins: 1_000_000,
  tickets: 600_000,
  mails: 500_000,
  orders: 400_000,
  payments: 360_000,
  displays: 100_000,
  members: 50_000,
};
/** All other tables with this many rows are tables of a large space too. */
const MIN_ROWS = 1_000;
const OTHER_ROWS = 50_000;

/**
 * Makes the planner believe that tables and their indexes are as large as after ten years. It multiplies the rows of each page by
 * what this says, and takes the shares of values from what ANALYZE has found.
 */
export async function inflateStatistics(pool: pg.Pool): Promise<void> {
  const { rows: tables } = await pool.query<{ oid: number; name: string; rows: number }>(
    `SELECT oid, relname AS name, reltuples AS rows FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples >= ${MIN_ROWS}`,
  );
  for (const { oid, name, rows } of tables) {
    const factor = Math.max(ROWS[name] ?? OTHER_ROWS, rows) / rows;
    // The planner divides the rows by the pages that it assumes, and multiplies them by the pages that there are.
    await pool.query(
      `UPDATE pg_class SET reltuples = reltuples * $2::float4 WHERE oid = $1
       OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = $1)`,
      [oid, factor],
    );
    await pool.query(
      `UPDATE pg_statistic SET stadistinct = CASE WHEN stadistinct > 0 AND stadistinct > $3::float4 / 20
         THEN -stadistinct / $3::float4 ELSE stadistinct END WHERE starelid = $1 AND $2::float4 > 1`,
      [oid, factor, rows],
    );
  }
}
