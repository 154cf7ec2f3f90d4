import type pg from 'pg';

/** How many rows of each kind a space has. */
export interface HistorySize {
  bookings: number;
  checkIns: number;
  orders: number;
  members: number;
  displays: number;
  mails: number;
  /** How many of the bookings of each room are in the future, and how many of the events. */
  futureBookings: number;
  futureEvents: number;
  visitsPerDay: number;
}

/** Both spaces have the same future and the same traffic, so that only the length of their history differs. */
const TRAFFIC = { futureBookings: 240, futureEvents: 50, visitsPerDay: 400 };

export const LARGE: HistorySize = {
  ...TRAFFIC,
  bookings: 2_000_000,
  checkIns: 1_000_000,
  orders: 400_000,
  members: 50_000,
  displays: 100_000,
  mails: 500_000,
};

/** The least that has rows of every kind: it shows that all operations run, and nothing about their times. */
export const TINY: HistorySize = {
  bookings: 1_000,
  checkIns: 200,
  orders: 200,
  members: 200,
  displays: 200,
  mails: 200,
  futureBookings: 2,
  futureEvents: 2,
  visitsPerDay: 10,
};

/** A young space: 100,000 bookings and little else. */
export const SMALL: HistorySize = {
  ...TRAFFIC,
  bookings: 100_000,
  checkIns: 5_000,
  orders: 2_000,
  members: 1_000,
  displays: 1_000,
  mails: 2_000,
};

const RESOURCES = 200;
const SLOT_HOURS = 6;
const ORDERS_PER_EVENT = 40;

/**
 * Fills an empty, migrated database with the history of a space as of `at`, by statements that generate their rows. The
 * history is longer in a larger space, not denser.
 */
export async function generateHistory(
  pool: pg.Pool | pg.Client,
  size: HistorySize,
  at: Date,
): Promise<void> {
  const statements: [text: string, ...values: unknown[]][] = [
    ...DISABLE_TRIGGERS.map((text): [string] => [text]),
    [LOCATIONS],
    [RESOURCES_SQL],
    [MEMBERS, size.members],
    [BOOKINGS, size.bookings, at, size.members, size.futureBookings],
    [EVENTS, Math.ceil(size.orders / ORDERS_PER_EVENT), at, size.futureEvents],
    [TICKET_TYPES],
    [DAY_PASS_TYPES],
    [ORDERS, size.orders, at],
    [TICKETS],
    [PAYMENTS],
    [DAY_PASSES, size.orders, at],
    [DAY_PASS_DAYS],
    [STOCK],
    [VISITS, size.checkIns, at, size.members, size.visitsPerDay],
    [REJECTIONS, size.checkIns, at, size.visitsPerDay],
    [CHECK_OUTS, at],
    [OCCUPANCY],
    [DISPLAYS, size.displays],
    [HEARTBEATS, at],
    [MAILS, size.mails, at],
    ...ENABLE_TRIGGERS.map((text): [string] => [text]),
  ];
  for (const [text, ...values] of statements) await pool.query(text, values);
}

// Triggers would read other rows for each generated one. The statements below fill what triggers maintain.
const TRIGGER_TABLES = ['bookings', 'events', 'orders', 'tickets', 'day_passes', 'check_ins'];
const toTriggerSql = (action: string) =>
  [...TRIGGER_TABLES, 'displays'].map((table) => `ALTER TABLE ${table} ${action} TRIGGER USER`);
const DISABLE_TRIGGERS = toTriggerSql('DISABLE');
const ENABLE_TRIGGERS = toTriggerSql('ENABLE');

/** A number below `limit` that looks random and is the same in every run. */
const scatter = (n: string, limit: string | number, salt = 0) =>
  `(abs(hashint8extended(${n}, ${salt})) % ${limit})::int`;

// 17 syllables give 4,913 given names and as many family names, so that texts are as selective as those of real names.
const SYLLABLES = `'{ma,ri,lo,ka,ben,ta,jo,nas,el,vi,so,fi,an,du,per,kal,mo}'::text[]`;
const toWord = (n: string, salt: number) =>
  `initcap(${[0, 1, 2]
    .map((part) => `(${SYLLABLES})[1 + ${scatter(n, 17, salt + part)}]`)
    .join(' || ')})`;
const toName = (n: string) => `${toWord(n, 10)} || ' ' || ${toWord(n, 20)}`;

const LOCATIONS = `
  INSERT INTO locations (id, slug, name, address, time_zone)
  SELECT gen_random_uuid(), 'house-' || n, 'House ' || n, n || ' Quay Street', 'Europe/Berlin'
  FROM generate_series(1, 5) n`;

// Four houses have 50 rooms each. The fifth has 250, without bookings.
const RESOURCES_SQL = `
  INSERT INTO resources (id, location_id, slug, name, area, type, hourly_amount, buffer_minutes, no_show_minutes)
  SELECT gen_random_uuid(), location.id, 'room-' || n, 'Room ' || n, 'Floor ' || n % 5, 'room', 1500, 15, 30
  FROM generate_series(0, ${RESOURCES + 249}) n
  JOIN locations location ON slug = CASE WHEN n < ${RESOURCES} THEN 'house-' || 1 + n % 4 ELSE 'house-5' END`;

const MEMBERS = `
  INSERT INTO members (id, name, email, code)
  SELECT gen_random_uuid(), name, lower(replace(name, ' ', '.')) || n || '@example.org', 'M' || lpad(n::text, 9, '0')
  FROM (SELECT n, ${toName('n')} AS name FROM generate_series(0, $1::int - 1) n) person`;

// A room has one booking per slot. Only future bookings are pending, since staff have decided on earlier ones.
const BOOKINGS = `
  INSERT INTO bookings (id, resource_id, location_id, member_id, guest_name, guest_email, status, title,
                        starts_at, ends_at, occupied_until, price_amount, paid_amount, checked_in_at, created_at, updated_at)
  SELECT gen_random_uuid(), room.id, room.location_id, member.id,
         CASE WHEN member.id IS NULL THEN ${toName('n')} END,
         CASE WHEN member.id IS NULL THEN 'guest' || n || '@example.net' END,
         chosen.status, CASE WHEN n % 3 > 0 THEN 'Meeting ' || n END,
         start, start + length, start + length + interval '15 minutes', 3000,
         CASE WHEN chosen.status IN ('confirmed', 'no_show') AND start < $2::timestamptz THEN 3000 ELSE 0 END,
         CASE WHEN chosen.status = 'confirmed' AND start < $2::timestamptz THEN start END,
         start - interval '9 days', start - interval '9 days'
  FROM generate_series(0, $1::int - 1) n
  JOIN resources room ON room.slug = 'room-' || n % ${RESOURCES}
  LEFT JOIN members member
    ON n % 10 > 0 AND member.code = 'M' || lpad(${scatter('n', '$3::int')}::text, 9, '0')
  CROSS JOIN LATERAL (
    SELECT date_trunc('hour', $2::timestamptz)
           + (n / ${RESOURCES} - $1::int / ${RESOURCES} + $4::int) * interval '${SLOT_HOURS} hours' AS start,
           (1 + n % 3) * interval '1 hour' AS length) at
  CROSS JOIN LATERAL (
    SELECT (CASE WHEN ${scatter('n', 100, 1)} < 5 THEN 'cancelled'
                 WHEN start < $2::timestamptz AND ${scatter('n', 100, 2)} < 2 THEN 'no_show'
                 WHEN start > $2::timestamptz AND ${scatter('n', 100, 2)} < 3 THEN 'pending'
                 ELSE 'confirmed' END)::booking_status AS status) chosen`;

const EVENTS = `
  INSERT INTO events (id, slug, title, summary, description, status, location_id, starts_at, ends_at, tags, capacity,
                      published_at, created_at)
  SELECT gen_random_uuid(), 'event-' || n, 'Evening number ' || n, 'A short summary', 'A talk with time for questions',
         'published', location.id, start, start + interval '3 hours', ARRAY['talk', 'tag-' || n % 20], 200,
         start - interval '60 days', start - interval '60 days'
  FROM generate_series(0, $1::int - 1) n
  JOIN locations location ON location.slug = 'house-' || 1 + n % 4
  CROSS JOIN LATERAL (
    SELECT date_trunc('hour', $2::timestamptz) + (n - $1::int + $3::int) * interval '9 hours' AS start) at`;

const TICKET_TYPES = `
  INSERT INTO ticket_types (id, event_id, name, position, price_amount, quantity)
  SELECT gen_random_uuid(), id, (ARRAY['Standard', 'Supporter'])[position], position, position * 1000, 150
  FROM events CROSS JOIN generate_series(1, 2) position`;

const DAY_PASS_TYPES = `
  INSERT INTO day_pass_types (id, location_id, name, price_amount, daily_capacity)
  SELECT gen_random_uuid(), id, 'Day pass', 1500, 100 FROM locations`;

// Orders are placed in the month before their event.
const ORDERS = `
  INSERT INTO orders (id, code, status, event_id, buyer_name, buyer_email, currency, total_amount, provider, expires_at,
                      paid_at, created_at, updated_at)
  SELECT gen_random_uuid(), 'O' || lpad(n::text, 9, '0'), chosen.status, event.id, name,
         lower(replace(name, ' ', '.')) || n || '@example.com', 'EUR', 1000, 'sandbox', placed + interval '15 minutes',
         CASE chosen.status WHEN 'paid' THEN placed END, placed, placed
  FROM generate_series(0, $1::int - 1) n
  JOIN events event ON event.slug = 'event-' || n / ${ORDERS_PER_EVENT}
  CROSS JOIN LATERAL (
    SELECT ${toName('n')} AS name,
      least(event.starts_at, $2::timestamptz) - ${scatter('n', 43_200, 3)} * interval '1 minute' AS placed,
      (CASE WHEN ${scatter('n', 100, 4)} < 90 THEN 'paid' WHEN ${scatter('n', 100, 4)} < 95 THEN 'expired'
        ELSE 'cancelled' END)::order_status AS status) chosen`;

const TICKETS = `
  INSERT INTO tickets (id, code, order_id, event_id, ticket_type_id, position, status, attendee_name, attendee_email,
                       unit_price, amount, created_at, updated_at)
  SELECT gen_random_uuid(), 'T' || o.code || n, o.id, o.event_id, type.id, n,
         (CASE o.status WHEN 'paid' THEN 'valid' WHEN 'expired' THEN 'expired' ELSE 'cancelled' END)::admission_status,
         o.buyer_name, o.buyer_email, 1000, 1000, o.created_at, o.created_at
  FROM orders o
  CROSS JOIN LATERAL generate_series(1, 1 + ${scatter('hashtext(o.code)::bigint', 2, 5)}) n
  JOIN ticket_types type ON type.event_id = o.event_id AND type.position = n`;

const PAYMENTS = `
  INSERT INTO payments (id, order_id, provider, method, ref, amount, currency, created_at)
  SELECT gen_random_uuid(), id, 'sandbox', 'card_online', code, total_amount, 'EUR', created_at FROM orders WHERE status = 'paid'`;

// One in twenty orders has a day pass too.
const DAY_PASSES = `
  INSERT INTO day_passes (id, code, order_id, type_id, valid_on, position, status, holder_name, holder_email,
                          unit_price, amount, created_at, updated_at)
  SELECT gen_random_uuid(), 'D' || o.code, o.id, type.id, (o.created_at + interval '3 days')::date, 1, 'valid',
         o.buyer_name, o.buyer_email, 1500, 1500, o.created_at, o.created_at
  FROM generate_series(0, $1::int - 1, 20) n
  JOIN orders o ON o.code = 'O' || lpad(n::text, 9, '0')
  JOIN locations location ON location.slug = 'house-' || 1 + n / 20 % 4
  JOIN day_pass_types type ON type.location_id = location.id
  WHERE $2::timestamptz IS NOT NULL`;

const DAY_PASS_DAYS = `
  INSERT INTO day_pass_days (type_id, date, capacity, reserved_count)
  SELECT type_id, valid_on, 1000, count(*) FROM day_passes WHERE status IN ('held', 'valid') GROUP BY 1, 2`;

const STOCK = `
  WITH types AS (
    UPDATE ticket_types t SET reserved_count = sold.count
    FROM (SELECT ticket_type_id, count(*) FROM tickets WHERE status = 'valid' GROUP BY 1) sold
    WHERE t.id = sold.ticket_type_id)
  UPDATE events e SET reserved_count = sold.count
  FROM (SELECT event_id, count(*) FROM tickets WHERE status = 'valid' GROUP BY 1) sold WHERE e.id = sold.event_id`;

// Visitors, so that no visit excludes another. The latest are still here.
const VISITS = `
  INSERT INTO check_ins (id, location_id, result, subject, label, host_id, occurred_at, auto_check_out_at, checked_out_at,
                         actor, created_at)
  SELECT gen_random_uuid(), location.id, 'admitted', 'visitor', ${toName('n')}, host.id, visit.at,
         visit.at + interval '10 hours',
         CASE WHEN visit.at < $2::timestamptz - interval '8 hours' THEN visit.at + interval '7 hours' END,
         'kiosk', visit.at + n % 5 * interval '1 second'
  FROM generate_series(0, $1::int - 1) n
  JOIN locations location ON location.slug = 'house-' || 1 + n % 4
  JOIN members host ON host.code = 'M' || lpad(${scatter('n', '$3::int', 6)}::text, 9, '0')
  CROSS JOIN LATERAL (
    SELECT date_trunc('second', $2::timestamptz) - interval '1 minute'
           - ($1::int - n) * interval '1 day' / $4::int AS at) visit`;

// The hourly job keeps rejected attempts for a month: one for every twenty visits.
const REJECTIONS = `
  INSERT INTO check_ins (id, location_id, result, occurred_at, actor, created_at)
  SELECT gen_random_uuid(), location.id, (ARRAY['not_found', 'unpaid', 'expired'])[1 + n % 3]::check_in_result, attempt.at,
         'kiosk', attempt.at
  FROM generate_series(1, least($1::int / 20, 30 * $3::int / 20)) n
  JOIN locations location ON location.slug = 'house-' || 1 + n % 4
  CROSS JOIN LATERAL (
    SELECT $2::timestamptz - n * interval '20 days' / $3::int AS at) attempt`;

// And check-outs for three months.
const CHECK_OUTS = `
  INSERT INTO check_ins (id, location_id, result, subject, label, host_id, occurred_at, actor, ended_visit,
                         created_at)
  SELECT gen_random_uuid(), location_id, 'checked_out', subject, label, host_id, checked_out_at, 'kiosk', true, checked_out_at
  FROM check_ins WHERE checked_out_at > $1::timestamptz - interval '90 days'`;

const OCCUPANCY = `
  UPDATE occupancies o SET present = (
    SELECT count(*) FROM check_ins c
    WHERE c.location_id = o.location_id AND c.result = 'admitted' AND c.checked_out_at IS NULL)`;

const DISPLAYS = `
  INSERT INTO displays (id, name, kind, location_id, resource_id, token_hash, token_prefix)
  SELECT gen_random_uuid(), 'Panel ' || n, 'room_panel', room.location_id, room.id, sha256(n::text::bytea), 'foyerd_' || n
  FROM generate_series(1, $1::int) n JOIN resources room ON room.slug = 'room-' || n % ${RESOURCES}`;

// Half of the displays are online. The others were switched off long ago.
const HEARTBEATS = `
  INSERT INTO display_heartbeats (display_id, last_seen_at, status, status_since)
  SELECT id, CASE WHEN is_live THEN $1::timestamptz - interval '30 seconds' ELSE $1::timestamptz - interval '90 days' END,
         CASE WHEN is_live THEN 'online' ELSE 'offline' END::display_status, $1::timestamptz - interval '80 days'
  FROM (SELECT id, hashtext(name) % 2 = 0 AS is_live FROM displays) display`;

// Sent in the last three months, without their secrets.
const MAILS = `
  INSERT INTO mails (id, recipient, priority, status, subject, text, html, attempts, next_attempt_at, sent_at, created_at)
  SELECT gen_random_uuid(), 'buyer' || n || '@example.com', 'essential', 'sent', 'Your tickets',
         repeat('Thank you for your order. Your tickets are below. ', 12) || 'https://foyer.example/orders/foyero_***',
         '<p>' || repeat('Thank you for your order. ', 12) || '</p>', 1, sent, sent, sent
  FROM generate_series(1, $1::int) n
  CROSS JOIN LATERAL (SELECT $2::timestamptz - n * interval '90 days' / $1::int AS sent) at`;
