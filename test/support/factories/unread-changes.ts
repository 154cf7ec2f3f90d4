import type pg from 'pg';

/** So many that the reader of emails needs more than a hundred batches. */
export const MANY_CHANGES = 60_000;

/** Inserts changes of bookings that no longer exist, all of which the reader of emails still has to read. */
export async function insertUnreadChanges(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO changes (position, type, subject_id, actor_kind, at)
    SELECT n, 'booking.created', gen_random_uuid(), 'system', now() FROM generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query('UPDATE journal_head SET position = $1', [count]);
  await pool.query(`
    INSERT INTO journal_readers (name, position, updated_at) VALUES ('mail', 0, now())
    ON CONFLICT (name) DO UPDATE SET position = 0`);
}

/** Returns up to which change the reader of emails has read. */
export async function readMailPosition(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    `SELECT position::float8 AS position FROM journal_readers WHERE name = 'mail'`,
  );
  return rows[0].position;
}
