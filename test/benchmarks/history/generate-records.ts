import type pg from 'pg';

// Tables of a space that grow beside its bookings, orders and visits.

/**
 * Inserts this many rows into each of the other tables that grow, spread over the year before `at`, and changes, spread over ten
 * years.
 */
export async function generateRecords(
  pool: pg.Pool | pg.Client,
  { records, changes }: { records: number; changes: number },
  at: Date,
): Promise<void> {
  for (const text of ONCE) await pool.query(text);
  for (const [texts, count, years] of [
    [RECORDS, records, 1],
    [CHANGES, changes, 10],
  ] as const) {
    // `past` is an instant of these years, and `n` counts the rows.
    const source = `generate_series(1, $1::int) n CROSS JOIN LATERAL (
      SELECT $2::timestamptz - n * interval '${years} years' / $1::int AS past) at`;
    for (const text of texts)
      await pool.query(
        text.replace('ROWS', () => source),
        text.includes('ROWS') ? [count, at] : [],
      );
  }
}

const oneOf = (table: string, order = 'id') =>
  `(SELECT id FROM ${table} ORDER BY ${order} LIMIT 1)`;
const member = `(SELECT id FROM members WHERE code = 'M' || lpad((n % 500)::text, 9, '0'))`;
const hash = (kind: string) => `sha256((n || '${kind}')::bytea)`;
/** An id of version 4 for the number. */
const toImportId = (number: string) =>
  `overlay(overlay(md5('import' || ${number}) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid`;

const ONCE = [
  `INSERT INTO users (id, name, email, role, invited_at)
   VALUES (gen_random_uuid(), 'Olga Owner', 'olga@example.org', 'owner', NULL)`,
  `INSERT INTO plans (id, name) VALUES (gen_random_uuid(), 'Old plan')`,
  `INSERT INTO webhook_endpoints (id, url, events, secret, owner_kind, disabled_at, disabled_reason)
   VALUES (gen_random_uuid(), 'https://example.org/hook', '{*}', 'whsec_x', 'user', now(), 'Old')`,
];

const RECORDS = [
  `INSERT INTO teams (id, name) SELECT gen_random_uuid(), 'Team ' || n FROM ROWS`,
  `INSERT INTO memberships (id, plan_id, team_id, starts_on, ends_on)
   SELECT gen_random_uuid(), ${oneOf('plans')}, team.id, past::date, past::date + 30
   FROM ROWS JOIN teams team ON team.name = 'Team ' || n`,
  `INSERT INTO sessions (id, token_hash, user_id, created_at, expires_at)
   SELECT gen_random_uuid(), ${hash('session')}, ${oneOf('users', 'email DESC')}, past, past + interval '400 days' FROM ROWS`,
  `INSERT INTO known_browsers (id, user_id, hash, created_at, last_used_at)
   SELECT gen_random_uuid(), ${oneOf('users', 'email DESC')}, ${hash('browser')}, past, past FROM ROWS`,
  `INSERT INTO sign_in_links (id, token_hash, member_id, created_at, expires_at)
   SELECT gen_random_uuid(), ${hash('link')}, ${member}, past, $2::timestamptz + interval '1 hour' FROM ROWS`,
  `INSERT INTO api_tokens (id, name, prefix, hash, scopes, created_at)
   SELECT gen_random_uuid(), 'Token ' || n, 'foyer_' || n, ${hash('token')}, '{bookings:read}', past FROM ROWS`,
  `INSERT INTO idempotency_keys (caller, key, request_hash, created_at)
   SELECT 'caller', n::text, ${hash('request')}, $2::timestamptz - n * interval '1 second' FROM ROWS`,
  `INSERT INTO rate_limits (key, points, expire)
   SELECT 'limit:' || n, 1, (extract(epoch FROM $2::timestamptz + interval '1 day') * 1000)::bigint FROM ROWS`,
  `INSERT INTO discount_codes (id, code, percent, created_at)
   SELECT gen_random_uuid(), 'CODE' || n, 10, past FROM ROWS`,
  `INSERT INTO order_access_tokens (hash, order_id, created_at)
   SELECT ${hash('order')}, o.id, o.created_at FROM ROWS JOIN orders o ON o.code = 'O' || lpad((n - 1)::text, 9, '0')`,
  `INSERT INTO refunds (id, order_id, payment_id, amount, status, method, completed_at, created_at)
   SELECT gen_random_uuid(), o.id, payment.id, 1, 'succeeded', 'card_online', past, past
   FROM ROWS JOIN orders o ON o.code = 'O' || lpad((n - 1)::text, 9, '0') JOIN payments payment ON payment.order_id = o.id`,
  `INSERT INTO daily_closings (id, location_id, day, currency, opening_amount, taken_amount, paid_back_amount, counted_amount)
   SELECT gen_random_uuid(), location.id, past::date - n, 'EUR', 10000, 0, 0, 10000
   FROM ROWS JOIN locations location ON location.slug = 'house-' || 1 + n % 3`,
  `INSERT INTO provider_events (provider, id, type, payload, received_at, processed_at)
   SELECT 'sandbox', 'old' || n, 'payment', '{}', past, past FROM ROWS`,
  `INSERT INTO waitlist_entries (id, ticket_type_id, hash, name, email, status, created_at, updated_at)
   SELECT gen_random_uuid(), type.id, ${hash('entry')}, 'Wendy', 'wendy@example.org', 'expired', past,
          $2::timestamptz - interval '1 day'
   FROM ROWS JOIN LATERAL (SELECT id FROM ticket_types ORDER BY id OFFSET n % 100 LIMIT 1) type ON true`,
  `INSERT INTO seat_usages (key, kind, seats, max_seats, window_ends_at)
   SELECT ${hash('seat')}, 'email', 1, 4, $2::timestamptz + interval '1 day' FROM ROWS`,
  `INSERT INTO lookup_handles (hash, lookup_id, location_id, member_id, address, exact, created_at, expires_at)
   SELECT ${hash('handle')}, gen_random_uuid(), ${oneOf('locations', 'slug')}, ${member}, 'address ' || n, false,
          $2::timestamptz - interval '20 hours', $2::timestamptz - interval '20 hours' FROM ROWS`,
  `INSERT INTO display_status_changes (display_id, previous_status, status, at, recorded_at)
   SELECT display.id, 'online', 'offline', $2::timestamptz - n * interval '5 minutes',
          $2::timestamptz - n * interval '5 minutes'
   FROM ROWS JOIN displays display ON display.name = 'Panel ' || n % 1000`,
  `INSERT INTO display_pairings (id, code, poll_hash, salt, created_at, expires_at)
   SELECT gen_random_uuid(), 'P' || n, ${hash('poll')}, '', $2::timestamptz, $2::timestamptz + interval '1 hour' FROM ROWS`,
  `INSERT INTO announcements (id, location_id, title, starts_at, ends_at)
   SELECT gen_random_uuid(), ${oneOf('locations', 'slug')}, 'Notice ' || n, past, past + interval '2 days' FROM ROWS`,
  `INSERT INTO mailings (id, subject, body, audience, status, plan_id, location_id, recipient_count, sent_count, failed_count, created_at, ended_at)
   SELECT gen_random_uuid(), 'News ' || n, 'We are closed.', 'members', 'sent', ${oneOf('plans')}, ${oneOf('locations', 'slug')},
          1, 1, 0, past, past FROM ROWS`,
  `INSERT INTO imports (id, kind, state, created_at, finished_at)
   SELECT ${toImportId('n')}, (ARRAY['members', 'events', 'bookings']::import_kind[])[1 + n % 3], 'finished', past, past FROM ROWS`,
  `INSERT INTO import_rows (id, import_id, line, outcome, subject_id)
   SELECT gen_random_uuid(), ${toImportId('1 + n % 100')}, n, (ARRAY['imported', 'unchanged', 'skipped']::import_outcome[])[1 + n % 3],
          gen_random_uuid() FROM ROWS`,
  `INSERT INTO import_changes (id, import_id, subject_type, subject_id)
   SELECT gen_random_uuid(), ${toImportId('1 + n % 100')}, 'member', gen_random_uuid() FROM ROWS`,
  `INSERT INTO webhook_messages (id, type, payload, created_at)
   SELECT md5('message' || n)::uuid, 'order.placed', '{}', $2::timestamptz - n * interval '1 minute' FROM ROWS`,
  `INSERT INTO webhook_deliveries (id, endpoint_id, message_id, attempts, delivered_at, created_at)
   SELECT md5('delivery' || n)::uuid, ${oneOf('webhook_endpoints')}, md5('message' || n)::uuid, 1, past,
          $2::timestamptz - n * interval '1 minute' FROM ROWS`,
  `INSERT INTO webhook_attempts (id, delivery_id, at, status, duration_ms)
   SELECT gen_random_uuid(), md5('delivery' || n)::uuid, past, 200, 12 FROM ROWS`,
  `INSERT INTO mail_budgets (recipient_key, hour_starts_at, hour_count, day_starts_at, day_count)
   SELECT n::text, $2::timestamptz, 1, $2::timestamptz, 1 FROM ROWS`,
  `INSERT INTO erasures (id, counts, created_at) SELECT gen_random_uuid(), '{}', past FROM ROWS`,
];

// The oldest change has the first position. Those of one house are all old.
const CHANGES = [
  `INSERT INTO changes (position, type, subject_id, location_id, actor_kind, actor_id, at, before, after)
   SELECT $1::int + 1 - n, CASE WHEN n % 1000 = 0 THEN 'plan.updated' ELSE 'booking.created' END, gen_random_uuid(), location.id,
     'member', ${member}, past, NULL, '{}'
   FROM ROWS JOIN locations location
     ON location.slug = 'house-' || CASE WHEN n > $1::int * 0.99 THEN 4 ELSE 1 + n % 3 END`,
  `UPDATE journal_head SET position = (SELECT max(position) FROM changes)`,
  // Everything has been read, as in a service that runs.
  `INSERT INTO journal_readers (name, position, updated_at)
   SELECT reader, position, now() FROM journal_head CROSS JOIN unnest('{mail,webhooks}'::text[]) reader
   ON CONFLICT (name) DO UPDATE SET position = EXCLUDED.position`,
];
