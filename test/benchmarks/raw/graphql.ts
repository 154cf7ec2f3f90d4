import {
  ANYONE,
  BOOKING_JOINS,
  BOOKINGS,
  EVENT_JOINS,
  instant,
  READER,
  SALES_OPEN,
  text,
  UPCOMING_EVENTS,
} from './lists.ts';

// The same responses in GraphQL's format. Each statement reads only the selected fields and returns the whole body.

const LIMIT = 20;

export const bookingConnection = () =>
  answer(READER, connection('bookings', BOOKINGS, BOOKING_NODE, BOOKING_JOINS));

export const eventConnection = () =>
  answer(ANYONE, connection('events', UPCOMING_EVENTS(LIMIT), EVENT_NODE, EVENT_JOINS));

/** $3 is the id of the booking. */
export const oneBooking = () =>
  answer(
    READER,
    `SELECT concat('"booking":{"id":"', item.id, '","title":', ${text('item.title')},
      ',"resource":{"id":"', r.id, '","name":', to_json(r.name), ',"capacity":', r.capacity,
      ',"location":{"id":"', l.id, '","name":', to_json(l.name), ',"timeZone":"', l.time_zone,
      '"}},"member":', CASE WHEN m.id IS NULL THEN 'null'
        ELSE concat('{"id":"', m.id, '","name":', to_json(m.name), ',"email":', to_json(m.email), '}') END, '}')
    FROM (${BOOKINGS} AND id = $3) item ${BOOKING_JOINS}`,
  );

/** $3 is the id of the member. */
export const memberBookings = () =>
  answer(
    READER,
    `SELECT concat('"member":{"id":"', owner.id, '","name":', to_json(owner.name), ',',
      (${connection('bookings', `${BOOKINGS} AND member_id = $3`, MEMBER_BOOKING_NODE, BOOKING_JOINS)}), '}')
    FROM members owner WHERE owner.id = $3 AND (SELECT may FROM caller)`,
  );

const answer = (caller: string, content: string) => `WITH caller AS MATERIALIZED (${caller})
  SELECT (SELECT may FROM caller) AS may, concat('{"data":{', (${content}), '}}') AS json`;

const TIMES = `'"startsAt":"', ${instant('item.starts_at')}, '","endsAt":"', ${instant('item.ends_at')}, '"'`;

const BOOKING_NODE = `'{"id":"', item.id, '","status":"', upper(item.status::text), '","title":', ${text('item.title')}, ',',
  ${TIMES}, ',"resource":{"id":"', r.id, '","name":', to_json(r.name), '},"location":{"id":"', l.id,
  '","name":', to_json(l.name), ',"timeZone":"', l.time_zone, '"},"member":',
  CASE WHEN m.id IS NULL THEN 'null' ELSE concat('{"id":"', m.id, '","name":', to_json(m.name), '}') END,
  ',"price":{"amount":', item.price_amount, ',"currency":"', item.price_currency, '"}}'`;

const MEMBER_BOOKING_NODE = `'{"id":"', item.id, '","status":"', upper(item.status::text), '",', ${TIMES},
  ',"resource":{"name":', to_json(r.name), '}}'`;

const EVENT_NODE = `'{"id":"', item.id, '","slug":"', item.slug, '","title":', to_json(item.title),
  ',"summary":', ${text('item.summary')}, ',', ${TIMES}, ',"timeZone":"', l.time_zone,
  '","location":{"id":"', l.id, '","name":', to_json(l.name), '},"ticketTypes":[',
  (SELECT string_agg(concat('{"id":"', t.id, '","name":', to_json(t.name),
     ',"price":{"amount":', t.price_amount, ',"currency":"', t.price_currency, '"},"left":',
     coalesce(least(t.quantity - t.reserved_count, item.capacity - item.reserved_count)::text, 'null'),
     ',"salesOpen":', (${SALES_OPEN})::text, '}'), ',' ORDER BY t.position, t.id)
   FROM ticket_types t WHERE t.event_id = item.id AND t.active), ']}'`;

const toCursor = (field: string) => `translate(encode(convert_to(
  format('["%s","%s","${field} STARTS_AT_ASC"]', ${instant('item.starts_at')}, item.id), 'UTF8'), 'base64'), E'+/=\\n', '-_')`;

function connection(field: string, rows: string, node: string, joins: string): string {
  return `WITH page AS MATERIALIZED (${rows} ORDER BY starts_at, id LIMIT ${LIMIT + 1})
  SELECT concat('"${field}":{"edges":[', string_agg(concat('{"node":', edge.node, ',"cursor":"', edge.cursor, '"}'), ','),
    '],"pageInfo":{"hasNextPage":', ((SELECT count(*) FROM page) > ${LIMIT})::text,
    ',"endCursor":', coalesce('"' || (array_agg(edge.cursor))[count(*)] || '"', 'null'), '}}')
  FROM (SELECT concat(${node}) AS node, ${toCursor(field)} AS cursor
    FROM (SELECT * FROM page ORDER BY starts_at, id LIMIT ${LIMIT}) item ${joins}
    ORDER BY item.starts_at, item.id) edge`;
}
