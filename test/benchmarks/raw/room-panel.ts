import { instant } from './lists.ts';

// The content of a room panel; other kinds get nothing. $1 is the hash of its token, $2 the current time.

const NOW = '$2::timestamptz';
const SOON = `(${NOW} + interval '24 hours')`;

// Live bookings of a room never overlap, so the current one is the last that began.
const ROOM_BOOKINGS = `
  (SELECT * FROM (SELECT * FROM bookings
     WHERE resource_id = device.resource_id AND starts_at <= ${NOW} AND status IN ('pending', 'confirmed')
     ORDER BY starts_at DESC, id DESC LIMIT 1) latest WHERE ends_at > ${NOW} AND status = 'confirmed')
  UNION ALL
  (SELECT * FROM bookings WHERE resource_id = device.resource_id AND status = 'confirmed'
     AND starts_at > ${NOW} AND starts_at <= ${SOON})`;

const ROOM_EVENTS = `SELECT * FROM events
  WHERE location_id = device.location_id AND resource_id = device.resource_id AND status = 'published'`;

const CHANGE = `min(least(CASE WHEN starts_at > ${NOW} THEN starts_at END, ends_at))`;
const findEntry = (when: string) => `(SELECT row_to_json(o) FROM (
  SELECT id, title, ${instant('starts_at')} AS starts_at, ${instant('ends_at')} AS ends_at
  FROM (SELECT id, title, starts_at, ends_at FROM booking
        UNION ALL SELECT id, title, starts_at, ends_at FROM event) both_kinds
  WHERE starts_at ${when} ${NOW} ORDER BY both_kinds.starts_at, id LIMIT 1) o)`;

// The locations of the benchmark have no opening hours, so they are always open, and show titles of bookings.
const CONTENT = `WITH device AS MATERIALIZED (
    SELECT d.id, d.name, d.kind, d.location_id, d.resource_id, l.name AS house, l.time_zone, r.name AS room, r.area
    FROM displays d JOIN locations l ON l.id = d.location_id JOIN resources r ON r.id = d.resource_id
    WHERE d.token_hash = $1 AND d.revoked_at IS NULL AND d.kind = 'room_panel'),
  booking AS MATERIALIZED (
    SELECT b.id, b.title, b.starts_at, b.ends_at, coalesce(m.name, b.guest_name) AS host
    FROM device CROSS JOIN LATERAL (${ROOM_BOOKINGS}) b LEFT JOIN members m ON m.id = b.member_id),
  event AS MATERIALIZED (
    SELECT e.* FROM device CROSS JOIN LATERAL (
      (SELECT * FROM (${ROOM_EVENTS} AND tstzrange(starts_at, ends_at) @> ${NOW} OFFSET 0) running)
      UNION ALL (${ROOM_EVENTS} AND starts_at > ${NOW} AND starts_at <= ${SOON})) e),
  notice AS MATERIALIZED (
    SELECT a.* FROM device JOIN announcements a ON coalesce(a.location_id, device.location_id) = device.location_id
    WHERE a.starts_at <= ${SOON} AND (a.ends_at IS NULL OR a.ends_at > ${NOW})),
  state AS MATERIALIZED (
    SELECT json_build_object(
      'device', json_build_object('id', id, 'name', name, 'kind', kind,
        'location', json_build_object('id', location_id, 'name', house, 'time_zone', time_zone),
        'resource', json_build_object('id', resource_id, 'name', room)),
      'content', json_build_object('kind', kind, 'title', room, 'now', ${findEntry('<=')}, 'next', ${findEntry('>')},
        'open', true, 'opening', NULL),
      'bookings', (SELECT coalesce(json_agg(json_build_object('id', b.id, 'title', b.title,
         'host', split_part(host, ' ', 1) || coalesce(' ' || left(substring(host FROM '\\s(\\S+)$'), 1) || '.', ''),
         'starts_at', ${instant('b.starts_at')}, 'ends_at', ${instant('b.ends_at')},
         'resource', json_build_object('id', device.resource_id, 'name', room, 'area', area)) ORDER BY b.starts_at, b.id), '[]')
         FROM booking b),
      'events', (SELECT coalesce(json_agg(json_build_object('id', e.id, 'slug', e.slug, 'title', e.title,
         'summary', e.summary, 'starts_at', ${instant('e.starts_at')}, 'ends_at', ${instant('e.ends_at')},
         'resource', json_build_object('id', device.resource_id, 'name', room, 'area', area)) ORDER BY e.starts_at, e.id), '[]')
         FROM event e),
      'announcements', (SELECT coalesce(json_agg(json_build_object('id', n.id, 'title', n.title, 'body', n.body,
         'starts_at', ${instant('n.starts_at')}, 'ends_at', ${instant('n.ends_at')})
         ORDER BY n.starts_at, n.id), '[]') FROM notice n),
      'next_change_at', ${instant(`least(
        (SELECT ${CHANGE} FROM booking), (SELECT ${CHANGE} FROM event), (SELECT ${CHANGE} FROM notice),
        (SELECT starts_at - interval '24 hours' FROM bookings WHERE resource_id = device.resource_id
           AND starts_at > ${SOON} AND status = 'confirmed' ORDER BY starts_at, id LIMIT 1),
        (SELECT starts_at - interval '24 hours' FROM (${ROOM_EVENTS} AND starts_at > ${SOON}) later
           ORDER BY starts_at, id LIMIT 1),
        (SELECT min(starts_at) - interval '24 hours' FROM announcements WHERE starts_at > ${SOON}
           AND coalesce(location_id, device.location_id) = device.location_id))`)})::text AS json
    FROM device)`;

export const STATE = `${CONTENT} SELECT json, md5(json) AS version FROM state`;
export const VERSION = `${CONTENT} SELECT md5(json) AS version FROM state`;

/** The least that a heartbeat writes: one row of the display with this token. */
export const BEAT = `UPDATE display_heartbeats h SET last_seen_at = $2, status = 'online',
    status_since = CASE WHEN h.status = 'online' THEN h.status_since ELSE $2 END
  FROM displays d WHERE d.token_hash = $1 AND d.revoked_at IS NULL AND h.display_id = d.id
  RETURNING 1 AS beat`;
