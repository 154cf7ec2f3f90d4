// By hand, each for its one question. They answer with `may`, `json` and `next`: what ends the page, if more follows.

export const instant = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** $1 is the hash of a bearer token, $2 the present. */
export const READER = `SELECT EXISTS (
  SELECT FROM api_tokens WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
    AND scopes && '{*,bookings:read}') AS may`;
export const ANYBODY = 'SELECT true AS may';

export const BOOKINGS = 'SELECT * FROM bookings WHERE (SELECT may FROM caller)';
export const BOOKING_JOINS = `JOIN resources r ON r.id = item.resource_id
  JOIN locations l ON l.id = item.location_id LEFT JOIN members m ON m.id = item.member_id`;

// What runs at the beginning is found by its own index before anything is sorted: OFFSET 0 keeps it so.
export const during = (rows: string, from: string, limit: number) => `SELECT * FROM (
  (SELECT * FROM (${rows} AND tstzrange(starts_at, ends_at) @> ${from} OFFSET 0) running
   WHERE starts_at < ${from})
  UNION ALL
  (${rows} AND starts_at >= ${from} ORDER BY starts_at, id LIMIT ${limit + 1})) either`;

/** $1 is the present. */
export const COMING_EVENTS = (limit: number) =>
  during(
    `SELECT * FROM events WHERE status = 'published' AND visibility = 'public'`,
    '$1::timestamptz',
    limit,
  );
export const EVENT_JOINS = `JOIN locations l ON l.id = item.location_id
  LEFT JOIN resources r ON r.id = item.resource_id`;
export const SALES_OPEN = `item.status = 'published' AND item.ends_at > $1
  AND coalesce(t.sales_start_at <= $1, true) AND coalesce(t.sales_end_at > $1, true)`;

export const bookings = (limit: number) =>
  list(limit, READER, BOOKINGS, BOOKING_FIELDS, BOOKING_JOINS);

/** $3 and $4 are the span. */
export const bookingsDuring = (limit: number) =>
  list(
    limit,
    READER,
    during(`${BOOKINGS} AND starts_at < $4::timestamptz`, '$3::timestamptz', limit),
    BOOKING_FIELDS,
    BOOKING_JOINS,
  );

export const publicEvents = (limit: number) =>
  list(limit, ANYBODY, COMING_EVENTS(limit), EVENT_FIELDS, EVENT_JOINS);

const BOOKING_FIELDS = `item.id, item.status, item.title, item.notes,
  ${instant('item.starts_at')} AS starts_at, ${instant('item.ends_at')} AS ends_at,
  json_build_object('id', r.id, 'name', r.name) AS resource,
  json_build_object('id', l.id, 'name', l.name, 'time_zone', l.time_zone) AS location,
  CASE WHEN m.id IS NOT NULL THEN json_build_object('id', m.id, 'name', m.name) END AS member,
  CASE WHEN item.guest_name IS NOT NULL
    THEN json_build_object('name', item.guest_name, 'email', item.guest_email) END AS guest,
  json_build_object('amount', item.price_amount, 'currency', item.price_currency) AS price,
  item.series_id, ${instant('item.checked_in_at')} AS checked_in_at,
  CASE WHEN item.cancelled_at IS NOT NULL THEN json_build_object(
    'cancelled_at', ${instant('item.cancelled_at')}, 'reason', item.cancel_reason,
    'fee', json_build_object('amount', coalesce(item.cancel_fee, 0), 'currency', item.price_currency)) END AS cancellation,
  ${instant('item.created_at')} AS created_at`;

const EVENT_FIELDS = `item.id, item.slug, item.title, item.summary, item.description, item.status, item.visibility,
  ${instant('item.starts_at')} AS starts_at, ${instant('item.ends_at')} AS ends_at, l.time_zone,
  json_build_object('id', l.id, 'name', l.name, 'address', l.address) AS location,
  CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id, 'name', r.name) END AS resource,
  item.tags, item.capacity,
  (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name,
     'price', json_build_object('amount', t.price_amount, 'currency', t.price_currency),
     'left', least(t.quantity - t.reserved_count, item.capacity - item.reserved_count), 'sales_open', ${SALES_OPEN})
     ORDER BY t.position, t.id), '[]') FROM ticket_types t WHERE t.event_id = item.id AND t.active) AS ticket_types,
  ${instant('item.created_at')} AS created_at`;

function list(limit: number, caller: string, rows: string, fields: string, joins: string): string {
  return `WITH caller AS MATERIALIZED (${caller}),
    page AS MATERIALIZED (${rows} ORDER BY starts_at, id LIMIT ${limit + 1})
  SELECT (SELECT may FROM caller) AS may,
    (SELECT coalesce(json_agg(row_to_json(answer)), '[]')::text FROM (
      SELECT ${fields} FROM (SELECT * FROM page ORDER BY starts_at, id LIMIT ${limit}) item ${joins}
      ORDER BY item.starts_at, item.id) answer) AS json,
    (SELECT format('["%s","%s"]', ${instant('starts_at')}, id) FROM page
     WHERE (SELECT count(*) FROM page) > ${limit}
     ORDER BY starts_at, id OFFSET ${limit - 1} LIMIT 1) AS next`;
}
