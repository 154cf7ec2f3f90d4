import type { TestApp } from '../harness/app.ts';

/** Copies an order for tickets many times in the database, which is faster than to place orders. */
export async function copyOrder(
  { database: { pool } }: Pick<TestApp, 'database'>,
  id: string,
  times: number,
): Promise<void> {
  await pool.query(
    `WITH copies AS (SELECT gen_random_uuid() AS id, n FROM generate_series(1, $2::int) n),
      o AS (INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('id', copies.id, 'code', o.code || n))).*
        FROM orders o, copies WHERE o.id = $1::uuid)
    INSERT INTO tickets SELECT (jsonb_populate_record(t, jsonb_build_object(
        'id', gen_random_uuid(), 'order_id', copies.id, 'code', t.code || n))).*
      FROM tickets t, copies WHERE t.order_id = $1::uuid`,
    [id, times],
  );
  await pool.query(
    `WITH o AS (SELECT event_id FROM orders WHERE id = $1::uuid),
      e AS (UPDATE events SET reserved_count = reserved_count + $2 FROM o WHERE events.id = o.event_id)
    UPDATE ticket_types SET reserved_count = reserved_count + $2 FROM o WHERE ticket_types.event_id = o.event_id`,
    [id, times],
  );
}
