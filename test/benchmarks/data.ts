import type pg from 'pg';
import { createSecret, type Secret } from '../../src/auth/tokens.ts';

export interface Size {
  /** Their density is constant, so fewer bookings mean a shorter history. */
  bookings: number;
  displays: number;
  tokens: number;
}

export const FULL_SIZE: Size = { bookings: 100_000, displays: 1_000_000, tokens: 1_000 };
/** Enough for one response of each kind. */
export const SMALL_SIZE: Size = { bookings: 10_000, displays: 2_000, tokens: 10 };
const EVENTS = 500;
const RESOURCES = 200;
const MEMBERS = 5_000;
const MAX_KNOWN_DISPLAYS = 50_000;
// With it, 100,000 bookings of 200 rooms cover two years.
const SLOT_HOURS = 35;
const HOUR = `date_trunc('hour', now())`;

export interface BenchData {
  apiTokens: string[];
  /** Of room panels, the most common kind of display. */
  deviceTokens: string[];
  /** Of a location with 50 rooms. */
  locationId: string;
}

/** Rows that queries ask for by their ids. Bookings get new ids whenever they are inserted. */
export interface KnownRows {
  bookingIds: string[];
  memberIds: string[];
}

/** Inserts everything except bookings. */
export async function fillLocations(pool: pg.Pool, size: Size): Promise<BenchData> {
  const knownDisplays = Math.min(size.displays / 2, MAX_KNOWN_DISPLAYS);
  for (const text of LOCATION_DATA) await pool.query(text);
  const apiTokens = Array.from({ length: size.tokens }, () => createSecret('apiToken'));
  const deviceTokens = Array.from({ length: knownDisplays }, () => createSecret('deviceToken'));
  await pool.query(API_TOKENS, toColumns(apiTokens));
  await pool.query(KNOWN_PANELS, toColumns(deviceTokens));
  await pool.query(OTHER_DISPLAYS, [size.displays - knownDisplays]);
  await pool.query('VACUUM (ANALYZE)');
  const { rows } = await pool.query(`SELECT id FROM locations WHERE slug = 'house-1'`);
  return {
    apiTokens: apiTokens.map(({ plainText }) => plainText),
    deviceTokens: deviceTokens.map(({ plainText }) => plainText),
    locationId: rows[0].id,
  };
}

/** Inserts bookings, half of them in the past. */
export async function fillBookings(pool: pg.Pool, count: number): Promise<void> {
  await pool.query('TRUNCATE bookings CASCADE');
  await pool.query(BOOKINGS, [count]);
  await pool.query('VACUUM (ANALYZE) bookings');
}

/** Reads ids of bookings, and of members with bookings. */
export async function readKnownRows(pool: pg.Pool): Promise<KnownRows> {
  const { rows } = await pool.query<{ id: string; member_id: string }>(
    'SELECT id, member_id FROM bookings WHERE member_id IS NOT NULL ORDER BY id LIMIT 1000',
  );
  return {
    bookingIds: rows.map(({ id }) => id),
    memberIds: [...new Set(rows.map(({ member_id }) => member_id))],
  };
}

const toColumns = (secrets: Secret[]) => [
  secrets.map(({ hash }) => Buffer.from(hash)),
  secrets.map(({ prefix }) => prefix),
];

const LOCATION_DATA = [
  `INSERT INTO locations (id, slug, name, address, time_zone, member_admission, member_bookings_on_displays)
   SELECT gen_random_uuid(), 'house-' || n, 'House ' || n, n || ' Quay Street',
          (ARRAY['Europe/Berlin', 'Europe/Lisbon', 'America/New_York', 'Asia/Tokyo'])[n], 'all', 'title'
   FROM generate_series(1, 4) n`,
  `INSERT INTO resources (id, location_id, slug, name, type, hourly_amount, buffer_minutes)
   SELECT gen_random_uuid(), location.id, 'room-' || n, 'Room ' || n, 'room', 1500, 15
   FROM generate_series(0, ${RESOURCES - 1}) n JOIN locations location ON slug = 'house-' || 1 + n % 4`,
  `INSERT INTO members (id, name, email, code)
   SELECT gen_random_uuid(), 'Given' || n || ' Family' || n, 'member' || n || '@example.org', 'M' || n
   FROM generate_series(0, ${MEMBERS - 1}) n`,
  `INSERT INTO events (id, slug, title, summary, description, status, visibility, location_id, resource_id,
                       starts_at, ends_at, tags, capacity, reserved_count)
   SELECT gen_random_uuid(), 'event-' || n, 'Evening number ' || n, 'A short summary of the evening',
          repeat('A talk with time for questions, followed by a discussion. ', 4), 'published',
          CASE WHEN n % 10 = 0 THEN 'members' ELSE 'public' END::event_visibility, room.location_id,
          CASE WHEN n % 5 > 0 THEN room.id END, start, start + interval '3 hours',
          ARRAY['talk', 'tag-' || n % 20], 40, n % 40
   FROM generate_series(0, ${EVENTS - 1}) n
   JOIN resources room ON room.slug = 'room-' || n * 7 % ${RESOURCES}
   CROSS JOIN LATERAL (SELECT ${HOUR} + (n - ${EVENTS / 2}) * interval '35 hours' AS start) at`,
  `INSERT INTO ticket_types (id, event_id, name, position, price_amount, quantity, reserved_count)
   SELECT gen_random_uuid(), id, (ARRAY['Standard', 'Supporter'])[position], position, position * 1000, 20, reserved_count / 2
   FROM events CROSS JOIN generate_series(1, 2) position`,
  // The data may break this invariant: bookings during events cost the same to read.
  'ALTER TABLE bookings DISABLE TRIGGER USER',
  `INSERT INTO announcements (id, location_id, title, body, starts_at, ends_at)
   SELECT gen_random_uuid(), location.id, 'Notice ' || n, 'The lift is out of service this week.',
          ${HOUR} + (n - 8) * interval '3 days', ${HOUR} + (n - 6) * interval '3 days'
   FROM generate_series(0, 15) n LEFT JOIN locations location ON slug = 'house-' || 1 + n % 8`,
];

// A room has one booking per slot, at any position in it, so that none overlap.
const BOOKINGS = `
  INSERT INTO bookings (id, resource_id, location_id, member_id, guest_name, guest_email, status, title,
                        starts_at, ends_at, occupied_until, price_amount)
  SELECT gen_random_uuid(), room.id, room.location_id, member.id,
         CASE WHEN member.id IS NULL THEN 'Guest Number' || n END,
         CASE WHEN member.id IS NULL THEN 'guest@example.org' END,
         CASE n / ${RESOURCES} % 20 WHEN 0 THEN 'cancelled' WHEN 1 THEN 'pending' WHEN 2 THEN 'no_show'
           ELSE 'confirmed' END::booking_status,
         CASE WHEN n % 3 > 0 THEN 'Meeting ' || n END,
         start, start + length, start + length + interval '15 minutes', 3000
  FROM generate_series(0, $1::int - 1) n
  JOIN resources room ON room.slug = 'room-' || n % ${RESOURCES}
  LEFT JOIN members member ON n % 10 > 0 AND member.code = 'M' || abs(hashint4(n)::bigint) % ${MEMBERS}
  CROSS JOIN LATERAL (
    SELECT ${HOUR} + (n / ${RESOURCES} - $1::int / ${RESOURCES * 2}) * interval '${SLOT_HOURS} hours'
           + abs(hashint4(n)::bigint) % ${(SLOT_HOURS - 5) * 4} * interval '15 minutes' AS start,
           (1 + n % 4) * interval '1 hour' AS length) at`;

const API_TOKENS = `
  INSERT INTO api_tokens (id, name, prefix, hash, scopes)
  SELECT gen_random_uuid(), 'Token ' || prefix, prefix, hash, '{bookings:read,events:read,spaces:read,members:read}'
  FROM unnest($1::bytea[], $2::text[]) known (hash, prefix)`;

const KNOWN_PANELS = `
  INSERT INTO displays (id, name, kind, location_id, resource_id, token_hash, token_prefix)
  SELECT gen_random_uuid(), 'Panel ' || n, 'room_panel', room.location_id, room.id, hash, prefix
  FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY known (hash, prefix, n)
  JOIN resources room ON room.slug = 'room-' || n % ${RESOURCES}`;

const OTHER_DISPLAYS = `
  INSERT INTO displays (id, name, kind, location_id, resource_id, token_hash, token_prefix)
  SELECT gen_random_uuid(), 'Display ' || n, kind::display_kind, room.location_id,
         CASE kind WHEN 'room_panel' THEN room.id END, sha256(n::text::bytea), 'foyerd_' || n
  FROM generate_series(1, $1::int) n
  JOIN resources room ON room.slug = 'room-' || n % ${RESOURCES}
  CROSS JOIN LATERAL (
    SELECT CASE n % 20 WHEN 0 THEN 'welcome' WHEN 1 THEN 'event_board' ELSE 'room_panel' END AS kind) of`;
