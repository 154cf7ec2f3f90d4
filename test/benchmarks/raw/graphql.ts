import {
  ANYBODY,
  BOOKING_JOINS,
  BOOKINGS,
  COMING_EVENTS,
  EVENT_JOINS,
  instant,
  READER,
  SALES_OPEN,
} from './lists.ts';

// The same lists in the words of GraphQL: the statement answers with the whole body.

const LIMIT = 20;

export const bookingConnection = () =>
  connection('bookings', READER, BOOKINGS, BOOKING_FIELDS, BOOKING_JOINS);

export const eventConnection = () =>
  connection('events', ANYBODY, COMING_EVENTS(LIMIT), EVENT_FIELDS, EVENT_JOINS);

const BOOKING_FIELDS = `item.id, upper(item.status::text) AS status, item.title,
  ${instant('item.starts_at')} AS "startsAt", ${instant('item.ends_at')} AS "endsAt",
  json_build_object('id', r.id, 'name', r.name) AS resource,
  json_build_object('id', l.id, 'name', l.name, 'timeZone', l.time_zone) AS location,
  CASE WHEN m.id IS NOT NULL THEN json_build_object('id', m.id, 'name', m.name) END AS member,
  json_build_object('amount', item.price_amount, 'currency', item.price_currency) AS price`;

const EVENT_FIELDS = `item.id, item.slug, item.title, item.summary,
  ${instant('item.starts_at')} AS "startsAt", ${instant('item.ends_at')} AS "endsAt", l.time_zone AS "timeZone",
  json_build_object('id', l.id, 'name', l.name) AS location,
  (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name,
     'price', json_build_object('amount', t.price_amount, 'currency', t.price_currency),
     'left', least(t.quantity - t.reserved_count, item.capacity - item.reserved_count), 'salesOpen', ${SALES_OPEN})
     ORDER BY t.position, t.id), '[]') FROM ticket_types t WHERE t.event_id = item.id AND t.active) AS "ticketTypes"`;

const CURSOR = `translate(encode(convert_to(
  format('["%s","%s"]', ${instant('item.starts_at')}, item.id), 'UTF8'), 'base64'), E'+/=\\n', '-_')`;

function connection(
  field: string,
  caller: string,
  rows: string,
  fields: string,
  joins: string,
): string {
  return `WITH caller AS MATERIALIZED (${caller}),
    page AS MATERIALIZED (${rows} ORDER BY starts_at, id LIMIT ${LIMIT + 1})
  SELECT (SELECT may FROM caller) AS may,
    (SELECT json_build_object('data', json_build_object('${field}', json_build_object(
       'edges', coalesce(json_agg(row_to_json(edge)), '[]'),
       'pageInfo', json_build_object('hasNextPage', (SELECT count(*) FROM page) > ${LIMIT},
         'endCursor', (array_agg(edge.cursor))[count(*)]))))::text
     FROM (SELECT row_to_json(node) AS node, ${CURSOR} AS cursor
       FROM (SELECT * FROM page ORDER BY starts_at, id LIMIT ${LIMIT}) item ${joins}
       CROSS JOIN LATERAL (SELECT ${fields}) node
       ORDER BY item.starts_at, item.id) edge) AS json`;
}
