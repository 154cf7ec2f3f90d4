-- Indexes for searches, filters and jobs that read more rows as the history of a space grew. `npm run bench:history` measures
-- them, and test/db/query-plans.test.ts checks that every statement uses them.

-- ===========================================================================
-- Texts: searches for a part of a name or an email address
-- ===========================================================================

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Finds orders by a part of the buyer's name or email address.
CREATE INDEX orders_buyer_search_idx ON orders USING gin (buyer_name gin_trgm_ops, buyer_email gin_trgm_ops);
-- Finds members by a part of their name or email address.
CREATE INDEX members_search_idx ON members USING gin (name gin_trgm_ops, email gin_trgm_ops);

-- The form in which names are compared: lower case, without accents, one space between words. Letters with a stroke, which
-- Unicode counts as separate letters, lose the stroke too. Separators are the characters of Latin and CJK punctuation that
-- are neither letters nor digits.
CREATE FUNCTION comparable_name(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT regexp_replace(
    replace(replace(replace(
      translate(
        lower(regexp_replace(normalize(name, NFD), '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]', '', 'g')),
        'łøđħŧıς', 'lodhtiσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00A9\u00AB-\u00B4\u00B6-\u00B9\u00BB-\u00BF\u2000-\u206F\u3000-\u3002\u30FB]+',
    ' ', 'g')
$$;
-- Finds the members whom a kiosk lookup by name can match, by the beginnings of words.
CREATE INDEX members_comparable_name_idx ON members USING gin ((' ' || comparable_name(name)) gin_trgm_ops)
  WHERE status <> 'former';

-- ===========================================================================
-- Bookings
-- ===========================================================================

-- Lists pending and cancelled bookings and no-shows by start. Most bookings are confirmed, and bookings_starts_at_id_idx
-- finds those soon enough.
CREATE INDEX bookings_rare_status_idx ON bookings (status, starts_at, id) WHERE status <> 'confirmed';
-- The same for one resource.
CREATE INDEX bookings_resource_rare_status_idx ON bookings (resource_id, status, starts_at, id) WHERE status <> 'confirmed';

-- ===========================================================================
-- Check-ins
-- ===========================================================================

-- Finds who is checked in, and visits that end automatically. Only visits have auto_check_out_at (check_ins_visit). The
-- condition does not name a result, since a statement with a cast such as CAST($1 AS check_in_result) could not use it.
DROP INDEX check_ins_open_idx;
CREATE INDEX check_ins_open_idx ON check_ins (location_id, auto_check_out_at)
  WHERE auto_check_out_at IS NOT NULL AND checked_out_at IS NULL;
-- Lists the open visits.
CREATE INDEX check_ins_open_created_at_id_idx ON check_ins (created_at, id)
  WHERE auto_check_out_at IS NOT NULL AND checked_out_at IS NULL;
-- Lists the attempts with one result.
CREATE INDEX check_ins_result_created_at_id_idx ON check_ins (result, created_at, id);

-- Whether an attempt with the result "checked_out" ended a visit. Used tickets are rejected with the same result.
ALTER TABLE check_ins ADD COLUMN ended_visit boolean NOT NULL DEFAULT false;
UPDATE check_ins SET ended_visit = true
  WHERE result = 'checked_out' AND (location_id, occurred_at) IN (
    SELECT location_id, checked_out_at FROM check_ins WHERE result = 'admitted' AND checked_out_at IS NOT NULL);
-- Only a check-out ends a visit.
ALTER TABLE check_ins ADD CONSTRAINT check_ins_ended_visit CHECK (NOT ended_visit OR result = 'checked_out');
-- An attempt is recorded at most a week after it happened, and a day and an hour are left for clocks that are wrong. A filter
-- by the time of the attempt therefore finds its place in the order in which attempts were recorded.
ALTER TABLE check_ins ADD CONSTRAINT check_ins_recorded_at CHECK (
  created_at >= occurred_at - interval '1 hour' AND created_at < occurred_at + interval '192 hours'
);
-- Finds attempts that the hourly job deletes: refusals a month after they were recorded, and check-outs after three months.
CREATE INDEX check_ins_purge_idx ON check_ins (ended_visit, created_at) WHERE result <> 'admitted';

-- ===========================================================================
-- Stock
-- ===========================================================================

-- Finds the days that the nightly recount covers.
CREATE INDEX day_pass_days_date_idx ON day_pass_days (date);

-- ===========================================================================
-- Displays
-- ===========================================================================

-- Finds revoked displays whose retention period is over.
CREATE INDEX displays_revoked_at_idx ON displays (revoked_at) WHERE revoked_at IS NOT NULL;
-- Finds the displays that can fall silent, without those that have been off for long. A heartbeat changes the status only
-- when a display comes online, so updates still stay on their page (HOT).
CREATE INDEX display_heartbeats_live_idx ON display_heartbeats (display_id) WHERE status IN ('online', 'stale');

-- ===========================================================================
-- Email
-- ===========================================================================

-- Finds emails with sign-in links that the hourly job still has to redact.
CREATE INDEX mails_sign_in_links_idx ON mails (created_at) WHERE text ~ 'foyerl_[0-9A-Za-z]{8,}';
-- Finds emails whose other links the job still has to redact.
CREATE INDEX mails_links_idx ON mails (created_at)
  WHERE (sent_at IS NOT NULL OR status = 'suppressed') AND text ~ 'foyer[eow]_[0-9A-Za-z]{8,}';
-- Finds emails whose client the job forgets.
CREATE INDEX mails_client_key_idx ON mails (created_at) WHERE client_key IS NOT NULL;

-- ===========================================================================
-- Lists without an index for their order or for a filter
-- ===========================================================================

CREATE INDEX announcements_created_at_id_idx ON announcements (created_at, id);
CREATE INDEX api_tokens_created_by_id_idx ON api_tokens (created_by_id);
-- Finds keys whose retention period is over.
CREATE INDEX api_tokens_ended_at_idx ON api_tokens (least(revoked_at, expires_at));
CREATE INDEX discount_codes_active_created_at_id_idx ON discount_codes (active, created_at, id);
CREATE INDEX members_status_name_id_idx ON members (status, name, id);
DROP INDEX memberships_plan_id_idx;
CREATE INDEX memberships_plan_id_starts_on_id_idx ON memberships (plan_id, starts_on, id);
CREATE INDEX memberships_starts_on_id_idx ON memberships (starts_on, id);
CREATE INDEX refunds_created_at_id_idx ON refunds (created_at, id);
CREATE INDEX refunds_status_created_at_id_idx ON refunds (status, created_at, id);
CREATE INDEX waitlist_entries_created_at_id_idx ON waitlist_entries (created_at, id);
CREATE INDEX waitlist_entries_status_created_at_id_idx ON waitlist_entries (status, created_at, id);
