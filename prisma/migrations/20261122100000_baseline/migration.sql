-- The whole schema. Tables, foreign keys and plain indexes follow prisma/schema. Features that Prisma does not support are
-- written by hand: CHECK and EXCLUDE constraints, partial, expression and GiST indexes, functions and triggers. Each of
-- them has a comment that names the invariant it enforces. A CHECK passes if it evaluates to null, so a null limit means no
-- limit. Triggers of the same kind fire in the order of their names.

-- ===========================================================================
-- Spaces: locations, their hours, and what can be booked there
-- ===========================================================================

CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE locations (
  id uuid PRIMARY KEY,
  slug text NOT NULL,
  name text NOT NULL,
  address text,
  time_zone text NOT NULL,
  capacity integer,
  lookup_names boolean NOT NULL DEFAULT true,
  lookup_needs_kiosk boolean NOT NULL DEFAULT false,
  host_email text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A location admits at least one person, or has no limit.
  CONSTRAINT locations_capacity CHECK (capacity > 0),
  -- Email addresses are stored in lower case.
  CONSTRAINT locations_host_email_lower CHECK (host_email = lower(host_email))
);
CREATE UNIQUE INDEX locations_slug_key ON locations (slug);

-- A location without any row is always open.
CREATE TABLE opening_hours (
  id uuid PRIMARY KEY,
  location_id uuid NOT NULL,
  weekday integer NOT NULL,
  opens_minute integer NOT NULL,
  closes_minute integer NOT NULL,
  -- Opening hours lie within one day: weekday 1 is Monday, minute 1440 is midnight at its end.
  CONSTRAINT opening_hours_within_day CHECK (
    weekday BETWEEN 1 AND 7 AND opens_minute >= 0 AND closes_minute > opens_minute AND closes_minute <= 1440
  ),
  -- Opening hours of one weekday never overlap.
  CONSTRAINT opening_hours_no_overlap
    EXCLUDE USING gist (location_id WITH =, weekday WITH =, int4range(opens_minute, closes_minute) WITH &&),
  CONSTRAINT opening_hours_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX opening_hours_location_id_weekday_opens_minute_idx ON opening_hours (location_id, weekday, opens_minute);

-- Days on which a location is closed, including the last one.
CREATE TABLE closures (
  id uuid PRIMARY KEY,
  location_id uuid NOT NULL,
  starts_on date NOT NULL,
  ends_on date NOT NULL,
  reason text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A closure lasts at least one day.
  CONSTRAINT closures_ends_after_start CHECK (ends_on >= starts_on),
  CONSTRAINT closures_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX closures_location_id_starts_on_idx ON closures (location_id, starts_on);

CREATE TYPE resource_type AS ENUM ('room', 'desk', 'equipment');

CREATE TABLE resources (
  id uuid PRIMARY KEY,
  location_id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  type resource_type NOT NULL,
  capacity integer NOT NULL DEFAULT 1,
  amenities text[] DEFAULT ARRAY[]::text[],
  hourly_amount integer NOT NULL DEFAULT 0,
  currency char(3) NOT NULL DEFAULT 'EUR',
  min_minutes integer NOT NULL DEFAULT 30,
  max_minutes integer NOT NULL DEFAULT 480,
  slot_interval_minutes integer NOT NULL DEFAULT 15,
  buffer_minutes integer NOT NULL DEFAULT 0,
  min_notice_minutes integer NOT NULL DEFAULT 0,
  max_advance_days integer NOT NULL DEFAULT 365,
  free_cancellation_hours integer NOT NULL DEFAULT 0,
  no_show_minutes integer,
  requires_approval boolean NOT NULL DEFAULT false,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Capacity is positive; prices are never negative.
  CONSTRAINT resources_amounts CHECK (capacity > 0 AND hourly_amount >= 0),
  -- Durations are positive, the maximum is not below the minimum, and a buffer lasts at most a day.
  CONSTRAINT resources_minutes CHECK (min_minutes > 0 AND max_minutes >= min_minutes AND buffer_minutes BETWEEN 0 AND 1440),
  -- Booking rules are within their ranges.
  CONSTRAINT resources_rules CHECK (
    slot_interval_minutes BETWEEN 1 AND 1440 AND min_notice_minutes >= 0 AND max_advance_days >= 0
    AND free_cancellation_hours >= 0 AND no_show_minutes > 0
  ),
  CONSTRAINT resources_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE UNIQUE INDEX resources_id_location_id_key ON resources (id, location_id);
CREATE INDEX resources_location_id_name_id_idx ON resources (location_id, name, id);
CREATE UNIQUE INDEX resources_slug_key ON resources (slug);

-- ===========================================================================
-- Members and teams
-- ===========================================================================

CREATE TYPE member_status AS ENUM ('active', 'paused', 'former');

CREATE TABLE teams (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX teams_name_id_idx ON teams (name, id);
CREATE UNIQUE INDEX teams_name_key ON teams (name);

CREATE TABLE members (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  email_confirmed_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP,
  phone text,
  company text,
  status member_status NOT NULL DEFAULT 'active',
  code text NOT NULL,
  team_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Email addresses are stored in lower case, so that the unique index ignores case.
  CONSTRAINT members_email_lower CHECK (email = lower(email)),
  CONSTRAINT members_team_id_fkey
    FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE UNIQUE INDEX members_code_key ON members (code);
CREATE UNIQUE INDEX members_email_key ON members (email);
CREATE INDEX members_name_id_idx ON members (name, id);
CREATE INDEX members_team_id_idx ON members (team_id);

-- A new email address that its owner has not confirmed yet.
CREATE TABLE member_email_changes (
  member_id uuid PRIMARY KEY,
  email text NOT NULL,
  confirm_hash bytea NOT NULL,
  approve_hash bytea,
  confirmed_at timestamptz(3),
  approved_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  -- Email addresses are stored in lower case.
  CONSTRAINT member_email_changes_email_lower CHECK (email = lower(email)),
  CONSTRAINT member_email_changes_member_id_fkey
    FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX member_email_changes_approve_hash_key ON member_email_changes (approve_hash);
CREATE UNIQUE INDEX member_email_changes_confirm_hash_key ON member_email_changes (confirm_hash);
CREATE INDEX member_email_changes_expires_at_idx ON member_email_changes (expires_at);

-- ===========================================================================
-- Accounts, sessions and API tokens
-- ===========================================================================

CREATE TYPE staff_role AS ENUM ('owner', 'manager', 'front_desk');

CREATE TABLE users (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  password_hash text,
  role staff_role,
  member_id uuid,
  invited_at timestamptz(3),
  disabled_at timestamptz(3),
  last_active_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Only staff accounts can be disabled; members lose access with their member record.
  CONSTRAINT users_disabled CHECK (disabled_at IS NULL OR role IS NOT NULL),
  -- Email addresses are stored in lower case, so that the unique index ignores case.
  CONSTRAINT users_email_lower CHECK (email = lower(email)),
  -- Only staff without a password has an open invitation.
  CONSTRAINT users_invited CHECK (invited_at IS NULL OR (role IS NOT NULL AND password_hash IS NULL)),
  -- A user is either staff or a member.
  CONSTRAINT users_staff_or_member CHECK (num_nonnulls(role, member_id) = 1),
  CONSTRAINT users_member_id_fkey
    FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX users_email_key ON users (email);
CREATE UNIQUE INDEX users_member_id_key ON users (member_id);

-- The lock serializes these changes, so that two owners who demote each other at the same time do not both succeed. The
-- query after the lock sees what the other transaction has committed (READ COMMITTED). An active owner has accepted the
-- invitation and is not disabled.
CREATE FUNCTION require_active_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('foyer.active_owner', 0));
  IF NOT EXISTS (SELECT FROM users WHERE role = 'owner' AND disabled_at IS NULL AND invited_at IS NULL) THEN
    RAISE EXCEPTION 'users_require_active_owner'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_require_active_owner';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_require_active_owner_on_update AFTER UPDATE OF role, disabled_at, invited_at ON users
  FOR EACH ROW WHEN (
    OLD.role = 'owner' AND OLD.disabled_at IS NULL AND OLD.invited_at IS NULL
    AND (NEW.role IS DISTINCT FROM 'owner' OR NEW.disabled_at IS NOT NULL OR NEW.invited_at IS NOT NULL))
  EXECUTE FUNCTION require_active_owner();
COMMENT ON TRIGGER users_require_active_owner_on_update ON users IS
  'Once a space has an active owner, it always has one: the last one cannot be demoted or disabled.';
CREATE TRIGGER users_require_active_owner_on_delete AFTER DELETE ON users
  FOR EACH ROW WHEN (OLD.role = 'owner' AND OLD.disabled_at IS NULL AND OLD.invited_at IS NULL)
  EXECUTE FUNCTION require_active_owner();
COMMENT ON TRIGGER users_require_active_owner_on_delete ON users IS
  'Once a space has an active owner, it always has one: the last one cannot be deleted.';

-- Tables store only the SHA-256 hash of a secret.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  browser text,
  CONSTRAINT sessions_user_id_fkey
    FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions (token_hash);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);

-- One-time links for an invitation or a password reset.
CREATE TABLE staff_links (
  user_id uuid PRIMARY KEY,
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT staff_links_user_id_fkey
    FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX staff_links_expires_at_idx ON staff_links (expires_at);
CREATE UNIQUE INDEX staff_links_token_hash_key ON staff_links (token_hash);

-- Browsers that have signed in before have a separate rate limit.
CREATE TABLE known_browsers (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(3) NOT NULL,
  -- Hashes are SHA-256.
  CONSTRAINT known_browsers_hash_length CHECK (octet_length(hash) = 32),
  CONSTRAINT known_browsers_user_id_fkey
    FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX known_browsers_hash_idx ON known_browsers (hash);
CREATE INDEX known_browsers_last_used_at_idx ON known_browsers (last_used_at);
CREATE UNIQUE INDEX known_browsers_user_id_hash_key ON known_browsers (user_id, hash);

-- One-time links that sign members in.
CREATE TABLE sign_in_links (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL,
  member_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT sign_in_links_member_id_fkey
    FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX sign_in_links_expires_at_idx ON sign_in_links (expires_at);
CREATE INDEX sign_in_links_member_id_idx ON sign_in_links (member_id);
CREATE UNIQUE INDEX sign_in_links_token_hash_key ON sign_in_links (token_hash);

CREATE TABLE api_tokens (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL,
  scopes text[],
  created_by_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  replaced_by_id uuid,
  CONSTRAINT api_tokens_created_by_id_fkey
    FOREIGN KEY (created_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL,
  CONSTRAINT api_tokens_replaced_by_id_fkey
    FOREIGN KEY (replaced_by_id) REFERENCES api_tokens(id) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE INDEX api_tokens_created_at_id_idx ON api_tokens (created_at, id);
CREATE UNIQUE INDEX api_tokens_hash_key ON api_tokens (hash);
CREATE UNIQUE INDEX api_tokens_replaced_by_id_key ON api_tokens (replaced_by_id);

-- The stored response of a write, replayed when the same request is repeated.
CREATE TABLE idempotency_keys (
  caller text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  status integer,
  body text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);

-- Fixed-window counters. expire is in milliseconds since 1970.
CREATE TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- ===========================================================================
-- Plans and memberships
-- ===========================================================================

CREATE TYPE plan_interval AS ENUM ('month', 'quarter', 'year');

CREATE TABLE plans (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  price_amount integer NOT NULL DEFAULT 0,
  price_currency char(3) NOT NULL DEFAULT 'EUR',
  interval plan_interval NOT NULL DEFAULT 'month',
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Prices are never negative.
  CONSTRAINT plans_price_not_negative CHECK (price_amount >= 0)
);
CREATE INDEX plans_name_id_idx ON plans (name, id);
CREATE UNIQUE INDEX plans_name_key ON plans (name);

-- What a plan includes for one type of resource, per calendar month.
CREATE TABLE plan_benefits (
  plan_id uuid NOT NULL,
  resource_type resource_type NOT NULL,
  included_hours integer NOT NULL DEFAULT 0,
  discount_percent integer NOT NULL DEFAULT 0,
  limit_hours integer,
  PRIMARY KEY (plan_id, resource_type),
  -- Hours are never negative and discounts are between 0 and 100 percent.
  CONSTRAINT plan_benefits_amounts CHECK (
    included_hours >= 0 AND discount_percent BETWEEN 0 AND 100 AND limit_hours >= 0
  ),
  CONSTRAINT plan_benefits_plan_id_fkey
    FOREIGN KEY (plan_id) REFERENCES plans(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- A plan of one member, or of a team that shares it.
CREATE TABLE memberships (
  id uuid PRIMARY KEY,
  plan_id uuid NOT NULL,
  member_id uuid,
  team_id uuid,
  starts_on date NOT NULL,
  ends_on date,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A membership lasts at least one day.
  CONSTRAINT memberships_ends_after_start CHECK (ends_on >= starts_on),
  -- A membership belongs to either a member or a team.
  CONSTRAINT memberships_member_or_team CHECK (num_nonnulls(member_id, team_id) = 1),
  -- A member has at most one membership at a time.
  CONSTRAINT memberships_no_overlap_per_member
    EXCLUDE USING gist (member_id WITH =, daterange(starts_on, ends_on, '[]') WITH &&),
  -- A team has at most one membership at a time.
  CONSTRAINT memberships_no_overlap_per_team
    EXCLUDE USING gist (team_id WITH =, daterange(starts_on, ends_on, '[]') WITH &&),
  CONSTRAINT memberships_member_id_fkey
    FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT memberships_plan_id_fkey
    FOREIGN KEY (plan_id) REFERENCES plans(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT memberships_team_id_fkey
    FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX memberships_member_id_starts_on_idx ON memberships (member_id, starts_on);
CREATE INDEX memberships_plan_id_idx ON memberships (plan_id);
CREATE INDEX memberships_team_id_starts_on_idx ON memberships (team_id, starts_on);

-- ===========================================================================
-- Bookings
-- ===========================================================================

CREATE TYPE booking_status AS ENUM ('pending', 'confirmed', 'cancelled', 'no_show');

CREATE TABLE booking_series (
  id uuid PRIMARY KEY,
  rule text NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  minutes integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- occupied_until is ends_at plus the buffer that the resource had at the time of booking.
CREATE TABLE bookings (
  id uuid PRIMARY KEY,
  resource_id uuid NOT NULL,
  location_id uuid NOT NULL,
  member_id uuid,
  guest_name text,
  guest_email text,
  status booking_status NOT NULL DEFAULT 'confirmed',
  title text,
  notes text,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  occupied_until timestamptz(3) NOT NULL,
  price_amount integer NOT NULL DEFAULT 0,
  price_currency char(3) NOT NULL DEFAULT 'EUR',
  membership_id uuid,
  usage_month date,
  included_minutes integer NOT NULL DEFAULT 0,
  series_id uuid,
  checked_in_at timestamptz(3),
  import_uid text,
  cancelled_at timestamptz(3),
  cancel_reason text,
  cancel_fee integer,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A buffer is never negative.
  CONSTRAINT bookings_buffer_after_end CHECK (occupied_until >= ends_at),
  -- A booking ends after it starts.
  CONSTRAINT bookings_ends_after_start CHECK (ends_at > starts_at),
  -- A cancellation fee never exceeds the price.
  CONSTRAINT bookings_fee_within_price CHECK (cancel_fee BETWEEN 0 AND price_amount),
  -- A booking belongs to either a member or a guest.
  CONSTRAINT bookings_member_or_guest CHECK (num_nonnulls(member_id, guest_name) = 1),
  -- Prices are never negative.
  CONSTRAINT bookings_price_not_negative CHECK (price_amount >= 0),
  -- Only a booking with a membership uses included minutes, and only such a booking has a usage month.
  CONSTRAINT bookings_usage CHECK (
    included_minutes >= 0 AND (membership_id IS NULL) = (usage_month IS NULL)
    AND (membership_id IS NOT NULL OR included_minutes = 0)
  ),
  -- Two live bookings of one resource never overlap, including their buffers.
  CONSTRAINT bookings_no_overlap
    EXCLUDE USING gist (resource_id WITH =, tstzrange(starts_at, occupied_until) WITH &&)
    WHERE (status IN ('pending', 'confirmed')),
  CONSTRAINT bookings_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON DELETE RESTRICT,
  CONSTRAINT bookings_member_id_fkey
    FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT bookings_membership_id_fkey
    FOREIGN KEY (membership_id) REFERENCES memberships(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT bookings_resource_id_location_id_fkey
    FOREIGN KEY (resource_id, location_id) REFERENCES resources(id, location_id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT bookings_series_id_fkey
    FOREIGN KEY (series_id) REFERENCES booking_series(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
-- Finds bookings at an instant, including long ones that started much earlier.
CREATE INDEX bookings_during_idx ON bookings USING gist (tstzrange(starts_at, ends_at));
-- Finds the bookings of a person by email address.
CREATE INDEX bookings_guest_email_idx ON bookings (lower(guest_email)) WHERE guest_email IS NOT NULL;
CREATE INDEX bookings_location_id_starts_at_id_idx ON bookings (location_id, starts_at, id);
CREATE INDEX bookings_member_id_starts_at_id_idx ON bookings (member_id, starts_at, id);
CREATE INDEX bookings_membership_id_usage_month_idx ON bookings (membership_id, usage_month);
-- Finds bookings without a check-in.
CREATE INDEX bookings_no_show_candidates_idx ON bookings (starts_at)
  WHERE status = 'confirmed' AND checked_in_at IS NULL;
-- Finds what the retention job still has to anonymize.
CREATE INDEX bookings_personal_data_idx ON bookings (ends_at)
  WHERE guest_name <> 'Deleted person' OR num_nonnulls(guest_email, title, notes, cancel_reason) > 0;
CREATE UNIQUE INDEX bookings_resource_id_import_uid_key ON bookings (resource_id, import_uid);
CREATE INDEX bookings_resource_id_starts_at_id_idx ON bookings (resource_id, starts_at, id);
CREATE INDEX bookings_series_id_starts_at_idx ON bookings (series_id, starts_at);
CREATE INDEX bookings_starts_at_id_idx ON bookings (starts_at, id);

CREATE TABLE calendar_feeds (
  id uuid PRIMARY KEY,
  hash bytea NOT NULL,
  prefix text NOT NULL,
  resource_id uuid,
  member_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  revoked_at timestamptz(3),
  -- A feed belongs to either a resource or a member.
  CONSTRAINT calendar_feeds_resource_or_member CHECK (num_nonnulls(resource_id, member_id) = 1),
  CONSTRAINT calendar_feeds_member_id_fkey
    FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT calendar_feeds_resource_id_fkey
    FOREIGN KEY (resource_id) REFERENCES resources(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX calendar_feeds_hash_key ON calendar_feeds (hash);
CREATE INDEX calendar_feeds_member_id_idx ON calendar_feeds (member_id);
CREATE INDEX calendar_feeds_resource_id_idx ON calendar_feeds (resource_id);

-- ===========================================================================
-- Events
-- ===========================================================================

CREATE TYPE event_status AS ENUM ('draft', 'published', 'cancelled');

CREATE TYPE event_visibility AS ENUM ('public', 'members');

CREATE TABLE events (
  id uuid PRIMARY KEY,
  slug text NOT NULL,
  title text NOT NULL,
  summary text,
  description text,
  status event_status NOT NULL DEFAULT 'draft',
  visibility event_visibility NOT NULL DEFAULT 'public',
  location_id uuid NOT NULL,
  resource_id uuid,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  tags text[] DEFAULT ARRAY[]::text[],
  capacity integer,
  reserved_count integer NOT NULL DEFAULT 0,
  refund_hours integer,
  max_seats_per_email integer,
  max_seats_per_address integer,
  max_seats_per_network integer,
  limit_window_hours integer NOT NULL DEFAULT 24,
  confirm_free_orders boolean,
  import_uid text,
  published_at timestamptz(3),
  cancelled_at timestamptz(3),
  cancel_reason text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- An event ends after it starts.
  CONSTRAINT events_ends_after_start CHECK (ends_at > starts_at),
  -- An event never has more tickets sold and held than its capacity.
  CONSTRAINT events_never_oversold CHECK (reserved_count >= 0 AND reserved_count <= capacity),
  -- Seat limits are positive and their window is between an hour and a week.
  CONSTRAINT events_order_limits CHECK (
    max_seats_per_email > 0 AND max_seats_per_address > 0 AND max_seats_per_network > 0
    AND limit_window_hours BETWEEN 1 AND 168
  ),
  -- The refund deadline is not after the start.
  CONSTRAINT events_refund_hours CHECK (refund_hours >= 0),
  -- Two published events in one resource never overlap.
  CONSTRAINT events_no_overlap_in_resource
    EXCLUDE USING gist (resource_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
    WHERE (status = 'published' AND resource_id IS NOT NULL),
  CONSTRAINT events_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT events_resource_id_fkey
    FOREIGN KEY (resource_id) REFERENCES resources(id) ON UPDATE CASCADE ON DELETE SET NULL
);
-- Finds events at an instant, including long ones that started much earlier.
CREATE INDEX events_during_idx ON events USING gist (tstzrange(starts_at, ends_at));
CREATE UNIQUE INDEX events_import_uid_key ON events (import_uid);
CREATE INDEX events_location_id_starts_at_id_idx ON events (location_id, starts_at, id);
CREATE UNIQUE INDEX events_slug_key ON events (slug);
CREATE INDEX events_starts_at_id_idx ON events (starts_at, id);

CREATE TABLE ticket_types (
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  position integer NOT NULL DEFAULT 0,
  price_amount integer NOT NULL DEFAULT 0,
  price_currency char(3) NOT NULL DEFAULT 'EUR',
  quantity integer,
  reserved_count integer NOT NULL DEFAULT 0,
  sales_start_at timestamptz(3),
  sales_end_at timestamptz(3),
  max_per_order integer NOT NULL DEFAULT 10,
  audience event_visibility NOT NULL DEFAULT 'public',
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- An order contains between 1 and 100 tickets of a type.
  CONSTRAINT ticket_types_max_per_order CHECK (max_per_order BETWEEN 1 AND 100),
  -- A ticket type never has more tickets sold and held than its quantity.
  CONSTRAINT ticket_types_never_oversold CHECK (reserved_count >= 0 AND reserved_count <= quantity),
  -- Prices are never negative.
  CONSTRAINT ticket_types_price_not_negative CHECK (price_amount >= 0),
  -- Sales end after they start.
  CONSTRAINT ticket_types_sales_window CHECK (sales_end_at > sales_start_at),
  CONSTRAINT ticket_types_event_id_fkey
    FOREIGN KEY (event_id) REFERENCES events(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX ticket_types_event_id_position_id_idx ON ticket_types (event_id, position, id);

-- Bookings and events are in two tables, so no constraint can cover both. Each trigger locks the resource and queries the
-- other table: the second writer waits, and then sees the row of the first. Both raise exclusion_violation, like an EXCLUDE
-- constraint.
CREATE FUNCTION reject_booking_during_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE buffer interval;
BEGIN
  SELECT buffer_minutes * interval '1 minute' INTO buffer FROM resources WHERE id = NEW.resource_id FOR KEY SHARE;
  PERFORM 1 FROM events e
    WHERE e.resource_id = NEW.resource_id AND e.status = 'published'
      AND e.starts_at < NEW.occupied_until AND e.ends_at > NEW.starts_at - buffer
      -- The same condition in the form that can use the index of events_no_overlap_in_resource.
      AND tstzrange(e.starts_at, e.ends_at) && tstzrange(NEW.starts_at - buffer, NEW.occupied_until);
  IF FOUND THEN
    RAISE EXCEPTION 'an event occupies this resource at that time' USING ERRCODE = 'exclusion_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bookings_reject_event_overlap
  AFTER INSERT OR UPDATE OF resource_id, starts_at, occupied_until, status ON bookings
  FOR EACH ROW WHEN (NEW.status IN ('pending', 'confirmed'))
  EXECUTE FUNCTION reject_booking_during_event();
COMMENT ON TRIGGER bookings_reject_event_overlap ON bookings IS
  'A live booking, including its buffer, never overlaps a published event in the same resource.';

CREATE FUNCTION reject_event_during_booking() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE buffer interval;
BEGIN
  SELECT buffer_minutes * interval '1 minute' INTO buffer FROM resources WHERE id = NEW.resource_id FOR UPDATE;
  PERFORM 1 FROM bookings b
    WHERE b.resource_id = NEW.resource_id AND b.status IN ('pending', 'confirmed')
      AND tstzrange(b.starts_at, b.occupied_until) && tstzrange(NEW.starts_at, NEW.ends_at + buffer);
  IF FOUND THEN
    RAISE EXCEPTION 'a booking occupies this resource at that time' USING ERRCODE = 'exclusion_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER events_reject_booking_overlap
  AFTER INSERT OR UPDATE OF resource_id, starts_at, ends_at, status ON events
  FOR EACH ROW WHEN (NEW.status = 'published' AND NEW.resource_id IS NOT NULL)
  EXECUTE FUNCTION reject_event_during_booking();
COMMENT ON TRIGGER events_reject_booking_overlap ON events IS
  'A published event never overlaps a live booking of its resource, including the buffer.';

-- ===========================================================================
-- Orders, tickets, payments and waiting lists
-- ===========================================================================

CREATE TYPE order_status AS ENUM ('pending', 'paid', 'expired', 'cancelled');

CREATE TYPE payment_provider AS ENUM ('stripe', 'on_site', 'sandbox');

CREATE TYPE admission_status AS ENUM ('held', 'valid', 'expired', 'cancelled');

CREATE TYPE refund_status AS ENUM ('pending', 'succeeded', 'failed');

CREATE TYPE seat_subject_kind AS ENUM ('email', 'member', 'address', 'network');

CREATE TYPE waitlist_status AS ENUM ('waiting', 'offered', 'accepted', 'expired', 'withdrawn');

CREATE TABLE discount_codes (
  id uuid PRIMARY KEY,
  code text NOT NULL,
  event_id uuid,
  percent integer,
  amount integer,
  currency char(3),
  max_uses integer,
  uses integer NOT NULL DEFAULT 0,
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A code is never used more than max_uses times.
  CONSTRAINT discount_codes_never_overused CHECK (uses >= 0 AND uses <= max_uses),
  -- A discount is either a percentage or an amount, and an amount has a currency.
  CONSTRAINT discount_codes_percent_or_amount CHECK (
    num_nonnulls(percent, amount) = 1 AND percent BETWEEN 1 AND 100 AND amount > 0
    AND (amount IS NULL) = (currency IS NULL)
  ),
  -- Codes are stored in upper case, so that the unique index ignores case.
  CONSTRAINT discount_codes_upper_case CHECK (code = upper(code)),
  -- The period of validity ends after it begins.
  CONSTRAINT discount_codes_window CHECK (ends_at > starts_at),
  CONSTRAINT discount_codes_event_id_fkey
    FOREIGN KEY (event_id) REFERENCES events(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX discount_codes_code_key ON discount_codes (code);
CREATE INDEX discount_codes_created_at_id_idx ON discount_codes (created_at, id);
CREATE INDEX discount_codes_event_id_idx ON discount_codes (event_id);

-- A pending order holds its tickets or day passes until expires_at.
CREATE TABLE orders (
  id uuid PRIMARY KEY,
  code text NOT NULL,
  status order_status NOT NULL,
  event_id uuid,
  member_id uuid,
  buyer_name text NOT NULL,
  buyer_email text NOT NULL,
  currency char(3) NOT NULL,
  total_amount integer NOT NULL,
  discount_amount integer NOT NULL DEFAULT 0,
  discount_code_id uuid,
  provider payment_provider,
  checkout_ref text,
  checkout_url text,
  seat_keys bytea[] DEFAULT ARRAY[]::bytea[],
  expires_at timestamptz(3),
  paid_at timestamptz(3),
  cancelled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Amounts are never negative.
  CONSTRAINT orders_amounts CHECK (total_amount >= 0 AND discount_amount >= 0),
  -- Email addresses are stored in lower case.
  CONSTRAINT orders_email_lower CHECK (buyer_email = lower(buyer_email)),
  -- A paid order has the time of its payment.
  CONSTRAINT orders_paid_at CHECK (status <> 'paid' OR paid_at IS NOT NULL),
  -- A pending order has an expiry time, so that it does not hold stock forever.
  CONSTRAINT orders_pending_expires CHECK (status <> 'pending' OR expires_at IS NOT NULL),
  CONSTRAINT orders_discount_code_id_fkey
    FOREIGN KEY (discount_code_id) REFERENCES discount_codes(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT orders_event_id_fkey
    FOREIGN KEY (event_id) REFERENCES events(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT orders_member_id_fkey
    FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE INDEX orders_buyer_email_idx ON orders (buyer_email);
CREATE UNIQUE INDEX orders_code_key ON orders (code);
CREATE INDEX orders_created_at_id_idx ON orders (created_at, id);
CREATE INDEX orders_event_id_status_idx ON orders (event_id, status);
-- Finds pending orders that have expired.
CREATE INDEX orders_expiring_idx ON orders (expires_at) WHERE status = 'pending';
CREATE INDEX orders_member_id_idx ON orders (member_id);

-- A secret link to the order portal. Each email contains a different one.
CREATE TABLE order_access_tokens (
  hash bytea PRIMARY KEY,
  order_id uuid NOT NULL,
  can_confirm boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT order_access_tokens_order_id_fkey
    FOREIGN KEY (order_id) REFERENCES orders(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX order_access_tokens_created_at_idx ON order_access_tokens (created_at);
CREATE INDEX order_access_tokens_order_id_idx ON order_access_tokens (order_id);

CREATE TABLE tickets (
  id uuid PRIMARY KEY,
  code text NOT NULL,
  order_id uuid NOT NULL,
  event_id uuid NOT NULL,
  ticket_type_id uuid NOT NULL,
  position integer NOT NULL,
  status admission_status NOT NULL,
  attendee_name text NOT NULL,
  attendee_email text,
  unit_price integer NOT NULL,
  amount integer NOT NULL,
  cancelled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The price after the discount lies between zero and the unit price.
  CONSTRAINT tickets_amount CHECK (amount BETWEEN 0 AND unit_price),
  CONSTRAINT tickets_event_id_fkey
    FOREIGN KEY (event_id) REFERENCES events(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT tickets_order_id_fkey
    FOREIGN KEY (order_id) REFERENCES orders(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT tickets_ticket_type_id_fkey
    FOREIGN KEY (ticket_type_id) REFERENCES ticket_types(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
-- Finds the tickets of a person by email address.
CREATE INDEX tickets_attendee_email_idx ON tickets (lower(attendee_email)) WHERE attendee_email IS NOT NULL;
CREATE UNIQUE INDEX tickets_code_key ON tickets (code);
CREATE INDEX tickets_event_id_idx ON tickets (event_id);
CREATE INDEX tickets_order_id_position_idx ON tickets (order_id, position);
CREATE INDEX tickets_ticket_type_id_idx ON tickets (ticket_type_id);

-- refunded includes pending refunds.
CREATE TABLE payments (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL,
  provider payment_provider NOT NULL,
  ref text NOT NULL,
  amount integer NOT NULL,
  refunded integer NOT NULL DEFAULT 0,
  currency char(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Refunds never exceed the payment.
  CONSTRAINT payments_refunded_within_amount CHECK (amount > 0 AND refunded BETWEEN 0 AND amount),
  CONSTRAINT payments_order_id_fkey
    FOREIGN KEY (order_id) REFERENCES orders(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX payments_order_id_idx ON payments (order_id);
CREATE UNIQUE INDEX payments_provider_ref_key ON payments (provider, ref);

CREATE TABLE refunds (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  amount integer NOT NULL,
  reason text,
  status refund_status NOT NULL DEFAULT 'pending',
  ref text,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  completed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Amounts of refunds are positive.
  CONSTRAINT refunds_amount CHECK (amount > 0),
  -- A refund has a completion time if and only if it has succeeded.
  CONSTRAINT refunds_completed_at CHECK ((status = 'succeeded') = (completed_at IS NOT NULL)),
  CONSTRAINT refunds_order_id_fkey
    FOREIGN KEY (order_id) REFERENCES orders(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT refunds_payment_id_fkey
    FOREIGN KEY (payment_id) REFERENCES payments(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
-- Finds refunds whose next attempt is due.
CREATE INDEX refunds_next_attempt_idx ON refunds (next_attempt_at) WHERE status = 'pending';
CREATE INDEX refunds_order_id_idx ON refunds (order_id);
CREATE UNIQUE INDEX refunds_payment_id_ref_key ON refunds (payment_id, ref);

-- Events of payment providers, stored before they are processed.
CREATE TABLE provider_events (
  provider payment_provider NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  payload jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  received_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  processed_at timestamptz(3),
  PRIMARY KEY (provider, id)
);
-- Finds events that the retention job deletes.
CREATE INDEX provider_events_processed_idx ON provider_events (processed_at) WHERE processed_at IS NOT NULL;
-- Finds events whose next attempt is due.
CREATE INDEX provider_events_next_attempt_idx ON provider_events (next_attempt_at) WHERE processed_at IS NULL;

CREATE TABLE waitlist_entries (
  id uuid PRIMARY KEY,
  ticket_type_id uuid NOT NULL,
  hash bytea NOT NULL,
  member_id uuid,
  name text NOT NULL,
  email text NOT NULL,
  quantity integer NOT NULL DEFAULT 1,
  status waitlist_status NOT NULL DEFAULT 'waiting',
  order_id uuid,
  seat_keys bytea[] DEFAULT ARRAY[]::bytea[],
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Email addresses are stored in lower case.
  CONSTRAINT waitlist_entries_email_lower CHECK (email = lower(email)),
  -- An entry requests between 1 and 100 tickets.
  CONSTRAINT waitlist_entries_quantity CHECK (quantity BETWEEN 1 AND 100),
  CONSTRAINT waitlist_entries_member_id_fkey
    FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE SET NULL,
  CONSTRAINT waitlist_entries_order_id_fkey
    FOREIGN KEY (order_id) REFERENCES orders(id) ON UPDATE CASCADE ON DELETE SET NULL,
  CONSTRAINT waitlist_entries_ticket_type_id_fkey
    FOREIGN KEY (ticket_type_id) REFERENCES ticket_types(id) ON UPDATE CASCADE ON DELETE CASCADE
);
-- An email address has at most one waiting entry for a ticket type.
CREATE UNIQUE INDEX waitlist_entries_active_key ON waitlist_entries (ticket_type_id, email)
  WHERE status IN ('waiting', 'offered');
CREATE UNIQUE INDEX waitlist_entries_hash_key ON waitlist_entries (hash);
CREATE UNIQUE INDEX waitlist_entries_order_id_key ON waitlist_entries (order_id);
CREATE INDEX waitlist_entries_ticket_type_id_created_at_id_idx ON waitlist_entries (ticket_type_id, created_at, id);
CREATE INDEX waitlist_entries_updated_at_idx ON waitlist_entries (updated_at);
-- Finds the next entry.
CREATE INDEX waitlist_entries_waiting_idx ON waitlist_entries (ticket_type_id, created_at, id)
  WHERE status = 'waiting';

-- How many unpaid and free seats one email address, member, IP address or network has reserved within a window.
CREATE TABLE seat_usages (
  key bytea PRIMARY KEY,
  kind seat_subject_kind NOT NULL,
  seats integer NOT NULL,
  max_seats integer NOT NULL,
  released_seats integer NOT NULL DEFAULT 0,
  window_ends_at timestamptz(3) NOT NULL,
  -- Seats within a window never exceed the limit.
  CONSTRAINT seat_usages_never_over_limit CHECK (seats >= 0 AND seats <= max_seats),
  -- Released seats are never negative.
  CONSTRAINT seat_usages_released CHECK (released_seats >= 0)
);

-- ===========================================================================
-- Day passes
-- ===========================================================================

CREATE TABLE day_pass_types (
  id uuid PRIMARY KEY,
  location_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  price_amount integer NOT NULL DEFAULT 0,
  price_currency char(3) NOT NULL DEFAULT 'EUR',
  daily_capacity integer,
  max_advance_days integer NOT NULL DEFAULT 60,
  active boolean NOT NULL DEFAULT true,
  max_seats_per_email integer,
  max_seats_per_address integer,
  max_seats_per_network integer,
  limit_window_hours integer NOT NULL DEFAULT 24,
  confirm_free_orders boolean,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Prices and quantities are never negative.
  CONSTRAINT day_pass_types_numbers CHECK (price_amount >= 0 AND daily_capacity >= 0 AND max_advance_days >= 0),
  -- Seat limits are positive and their window is between an hour and a week.
  CONSTRAINT day_pass_types_order_limits CHECK (
    max_seats_per_email > 0 AND max_seats_per_address > 0 AND max_seats_per_network > 0
    AND limit_window_hours BETWEEN 1 AND 168
  ),
  CONSTRAINT day_pass_types_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE UNIQUE INDEX day_pass_types_location_id_name_key ON day_pass_types (location_id, name);

-- The stock of a day pass type on one date. The row is created with the first order for that date.
CREATE TABLE day_pass_days (
  type_id uuid NOT NULL,
  date date NOT NULL,
  capacity integer,
  reserved_count integer NOT NULL DEFAULT 0,
  PRIMARY KEY (type_id, date),
  -- No date ever has more day passes sold and held than its capacity.
  CONSTRAINT day_pass_days_never_oversold CHECK (reserved_count >= 0 AND reserved_count <= capacity),
  CONSTRAINT day_pass_days_type_id_fkey
    FOREIGN KEY (type_id) REFERENCES day_pass_types(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE day_passes (
  id uuid PRIMARY KEY,
  code text NOT NULL,
  order_id uuid NOT NULL,
  type_id uuid NOT NULL,
  valid_on date NOT NULL,
  position integer NOT NULL,
  status admission_status NOT NULL,
  holder_name text NOT NULL,
  holder_email text,
  unit_price integer NOT NULL,
  amount integer NOT NULL,
  cancelled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The price after the discount lies between zero and the unit price.
  CONSTRAINT day_passes_amount CHECK (amount BETWEEN 0 AND unit_price),
  CONSTRAINT day_passes_order_id_fkey
    FOREIGN KEY (order_id) REFERENCES orders(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT day_passes_type_id_fkey
    FOREIGN KEY (type_id) REFERENCES day_pass_types(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE UNIQUE INDEX day_passes_code_key ON day_passes (code);
-- Finds the day passes of a person by email address.
CREATE INDEX day_passes_holder_email_idx ON day_passes (lower(holder_email)) WHERE holder_email IS NOT NULL;
CREATE INDEX day_passes_order_id_position_idx ON day_passes (order_id, position);
CREATE INDEX day_passes_type_id_valid_on_idx ON day_passes (type_id, valid_on);

-- ===========================================================================
-- Check-ins
-- ===========================================================================

CREATE TYPE check_in_result AS ENUM (
  'admitted', 'already_in', 'checked_out', 'not_found', 'unpaid', 'cancelled', 'not_yet_valid', 'expired',
  'wrong_location', 'membership_inactive', 'capacity_full', 'ambiguous'
);

CREATE TYPE check_in_subject AS ENUM ('ticket', 'day_pass', 'member', 'booking', 'visitor');

-- One row per attempt. An admitted attempt is a visit, which is open until checked_out_at.
CREATE TABLE check_ins (
  id uuid PRIMARY KEY,
  location_id uuid NOT NULL,
  result check_in_result NOT NULL,
  subject check_in_subject,
  label text,
  ticket_id uuid,
  entry integer NOT NULL DEFAULT 0,
  day_pass_id uuid,
  booking_id uuid,
  member_id uuid,
  host_id uuid,
  occurred_at timestamptz(3) NOT NULL,
  auto_check_out_at timestamptz(3),
  checked_out_at timestamptz(3),
  auto_checked_out boolean NOT NULL DEFAULT false,
  scan_id text,
  request_hash bytea,
  check_out_hash bytea,
  check_out_salt bytea,
  actor text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A check-out token belongs to a visit.
  CONSTRAINT check_ins_check_out_hash_of_visit CHECK (
    check_out_hash IS NULL OR (result = 'admitted' AND octet_length(check_out_hash) = 32)
  ),
  -- An attempt with a scan id has the hash of its request, to detect a different request with the same id.
  CONSTRAINT check_ins_scan CHECK ((scan_id IS NULL) = (request_hash IS NULL)),
  -- A visit references the row that permits it, such as a ticket.
  CONSTRAINT check_ins_subject CHECK (
    result <> 'admitted' OR CASE subject
      WHEN 'ticket' THEN ticket_id IS NOT NULL
      WHEN 'day_pass' THEN day_pass_id IS NOT NULL
      WHEN 'booking' THEN booking_id IS NOT NULL
      WHEN 'member' THEN member_id IS NOT NULL
      WHEN 'visitor' THEN host_id IS NOT NULL
      ELSE false
    END
  ),
  -- Only an admitted attempt is a visit. It has an automatic check-out time, and does not end before it starts.
  CONSTRAINT check_ins_visit CHECK (
    (result = 'admitted') = (auto_check_out_at IS NOT NULL)
    AND (checked_out_at IS NULL OR result = 'admitted' AND checked_out_at >= occurred_at)
    AND (auto_checked_out = false OR checked_out_at IS NOT NULL)
  ),
  CONSTRAINT check_ins_booking_id_fkey
    FOREIGN KEY (booking_id) REFERENCES bookings(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT check_ins_day_pass_id_fkey
    FOREIGN KEY (day_pass_id) REFERENCES day_passes(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT check_ins_host_id_fkey
    FOREIGN KEY (host_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT check_ins_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT check_ins_member_id_fkey
    FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT check_ins_ticket_id_fkey
    FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX check_ins_booking_id_idx ON check_ins (booking_id);
CREATE UNIQUE INDEX check_ins_check_out_hash_key ON check_ins (check_out_hash);
CREATE INDEX check_ins_created_at_id_idx ON check_ins (created_at, id);
CREATE INDEX check_ins_day_pass_id_idx ON check_ins (day_pass_id);
CREATE INDEX check_ins_host_id_created_at_idx ON check_ins (host_id, created_at);
CREATE INDEX check_ins_location_id_created_at_id_idx ON check_ins (location_id, created_at, id);
CREATE UNIQUE INDEX check_ins_location_id_scan_id_key ON check_ins (location_id, scan_id);
CREATE INDEX check_ins_member_id_idx ON check_ins (member_id);
-- A booking has at most one open visit.
CREATE UNIQUE INDEX check_ins_open_booking_key ON check_ins (booking_id)
  WHERE result = 'admitted' AND checked_out_at IS NULL AND subject = 'booking';
-- A day pass has at most one open visit.
CREATE UNIQUE INDEX check_ins_open_day_pass_key ON check_ins (day_pass_id)
  WHERE result = 'admitted' AND checked_out_at IS NULL AND subject = 'day_pass';
-- Finds who is checked in, and visits that end automatically.
CREATE INDEX check_ins_open_idx ON check_ins (location_id, auto_check_out_at)
  WHERE result = 'admitted' AND checked_out_at IS NULL;
-- A member has at most one open visit.
CREATE UNIQUE INDEX check_ins_open_member_key ON check_ins (member_id)
  WHERE result = 'admitted' AND checked_out_at IS NULL AND member_id IS NOT NULL;
-- A ticket has at most one open visit.
CREATE UNIQUE INDEX check_ins_open_ticket_key ON check_ins (ticket_id)
  WHERE result = 'admitted' AND checked_out_at IS NULL AND subject = 'ticket';
-- Finds what the retention job still has to anonymize.
CREATE INDEX check_ins_personal_data_idx ON check_ins (checked_out_at)
  WHERE label <> 'Deleted person' AND checked_out_at IS NOT NULL;
-- A ticket is admitted once. Each readmission by staff is a separate entry.
CREATE UNIQUE INDEX check_ins_ticket_id_entry_key ON check_ins (ticket_id, entry)
  WHERE result = 'admitted' AND subject = 'ticket';
CREATE INDEX check_ins_ticket_id_idx ON check_ins (ticket_id);

-- The number of open visits of each location, maintained by a trigger.
CREATE TABLE occupancies (
  location_id uuid PRIMARY KEY,
  present integer NOT NULL DEFAULT 0,
  -- The number of people present is never negative.
  CONSTRAINT occupancies_present CHECK (present >= 0),
  CONSTRAINT occupancies_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE FUNCTION create_occupancy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO occupancies (location_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER locations_create_occupancy AFTER INSERT ON locations
  FOR EACH ROW EXECUTE FUNCTION create_occupancy();
COMMENT ON TRIGGER locations_create_occupancy ON locations IS
  'Every location has exactly one row in occupancies.';

-- The update locks the row of the counter, so simultaneous check-ins wait for each other. Lowering a capacity does not end
-- any visits.
CREATE FUNCTION maintain_occupancy() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_present int := 0;
  is_present int := 0;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.result = 'admitted' AND OLD.checked_out_at IS NULL THEN was_present := 1; END IF;
  IF TG_OP <> 'DELETE' AND NEW.result = 'admitted' AND NEW.checked_out_at IS NULL THEN is_present := 1; END IF;
  IF was_present > is_present THEN
    UPDATE occupancies SET present = present - 1 WHERE location_id = OLD.location_id;
  ELSIF is_present > was_present THEN
    UPDATE occupancies o SET present = o.present + 1 FROM locations l
    WHERE o.location_id = NEW.location_id AND l.id = o.location_id AND (l.capacity IS NULL OR o.present < l.capacity);
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the location is full'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'occupancies_never_over_capacity';
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_ins_maintain_occupancy AFTER INSERT OR UPDATE OF result, checked_out_at OR DELETE ON check_ins
  FOR EACH ROW EXECUTE FUNCTION maintain_occupancy();
COMMENT ON TRIGGER check_ins_maintain_occupancy ON check_ins IS
  'The occupancy of a location equals its number of open visits, and admissions never exceed its capacity.';

-- A name that a kiosk lookup returned. It can be used for one check-in.
CREATE TABLE lookup_handles (
  hash bytea PRIMARY KEY,
  lookup_id uuid NOT NULL,
  location_id uuid NOT NULL,
  member_id uuid NOT NULL,
  address text NOT NULL,
  exact boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  arrived boolean NOT NULL DEFAULT false,
  CONSTRAINT lookup_handles_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT lookup_handles_member_id_fkey
    FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX lookup_handles_address_created_at_idx ON lookup_handles (address, created_at);
CREATE INDEX lookup_handles_location_id_created_at_idx ON lookup_handles (location_id, created_at);
CREATE INDEX lookup_handles_lookup_id_idx ON lookup_handles (lookup_id);
CREATE INDEX lookup_handles_member_id_idx ON lookup_handles (member_id);

-- ===========================================================================
-- Displays
-- ===========================================================================

CREATE TYPE display_kind AS ENUM ('room_panel', 'event_board', 'welcome', 'kiosk');

CREATE TYPE display_status AS ENUM ('online', 'stale', 'offline', 'revoked');

CREATE TABLE displays (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  kind display_kind NOT NULL,
  location_id uuid NOT NULL,
  resource_id uuid,
  token_hash bytea NOT NULL,
  token_prefix text NOT NULL,
  previous_token_hash bytea,
  previous_token_until timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A previous token, after a rotation, has an expiry time.
  CONSTRAINT displays_previous_token CHECK ((previous_token_hash IS NULL) = (previous_token_until IS NULL)),
  -- A room panel shows one resource.
  CONSTRAINT displays_room_panel_has_room CHECK (kind <> 'room_panel' OR resource_id IS NOT NULL),
  CONSTRAINT displays_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT displays_resource_fkey
    FOREIGN KEY (resource_id, location_id) REFERENCES resources(id, location_id) ON DELETE RESTRICT
);
CREATE INDEX displays_location_id_idx ON displays (location_id);
CREATE INDEX displays_name_id_idx ON displays (name, id);
-- Few displays have a previous token, so this index stays small.
CREATE UNIQUE INDEX displays_previous_token_hash_key ON displays (previous_token_hash)
  WHERE previous_token_hash IS NOT NULL;
CREATE UNIQUE INDEX displays_token_hash_key ON displays (token_hash);

-- Updated constantly: rows are narrow, and half of each page stays free, so that updates stay on the same page (HOT).
CREATE TABLE display_heartbeats (
  display_id uuid PRIMARY KEY,
  last_seen_at timestamptz(3),
  status display_status NOT NULL DEFAULT 'offline',
  status_since timestamptz(3),
  app_version text,
  uptime_seconds integer,
  battery_percent integer,
  -- Telemetry is within plausible ranges.
  CONSTRAINT display_heartbeats_telemetry CHECK (uptime_seconds >= 0 AND battery_percent BETWEEN 0 AND 100),
  CONSTRAINT display_heartbeats_display_id_fkey
    FOREIGN KEY (display_id) REFERENCES displays(id) ON UPDATE CASCADE ON DELETE CASCADE
) WITH (fillfactor = 50);

CREATE TABLE display_status_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  display_id uuid NOT NULL,
  previous_status display_status NOT NULL,
  status display_status NOT NULL,
  at timestamptz(3) NOT NULL,
  published_at timestamptz(3),
  recorded_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT display_status_changes_display_id_fkey
    FOREIGN KEY (display_id) REFERENCES displays(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX display_status_changes_display_id_at_idx ON display_status_changes (display_id, at);
CREATE INDEX display_status_changes_recorded_at_idx ON display_status_changes (recorded_at);
-- Finds changes that are not published to webhooks yet.
CREATE INDEX display_status_changes_unpublished_idx ON display_status_changes (recorded_at)
  WHERE published_at IS NULL;

CREATE FUNCTION create_heartbeat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO display_heartbeats (display_id, status, status_since)
  VALUES (NEW.id, CASE WHEN NEW.revoked_at IS NULL THEN 'offline'::display_status ELSE 'revoked' END, NEW.revoked_at);
  RETURN NULL;
END $$;
CREATE TRIGGER displays_create_heartbeat AFTER INSERT ON displays
  FOR EACH ROW EXECUTE FUNCTION create_heartbeat();
COMMENT ON TRIGGER displays_create_heartbeat ON displays IS
  'Every display has exactly one row in display_heartbeats.';

-- The revocation is never recorded before the last change, so that it ends the history even if clocks differ.
CREATE FUNCTION revoke_heartbeat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE display_heartbeats SET status = 'revoked', status_since = greatest(NEW.revoked_at, status_since)
  WHERE display_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER displays_revoke_heartbeat AFTER UPDATE OF revoked_at ON displays
  FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION revoke_heartbeat();
COMMENT ON TRIGGER displays_revoke_heartbeat ON displays IS
  'A revoked display has the status revoked.';

CREATE FUNCTION record_status_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO display_status_changes (display_id, previous_status, status, at, recorded_at)
  VALUES (NEW.display_id, OLD.status, NEW.status, coalesce(NEW.status_since, now()), clock_timestamp());
  RETURN NULL;
END $$;
CREATE TRIGGER display_heartbeats_record_status_change AFTER UPDATE OF status ON display_heartbeats
  FOR EACH ROW WHEN (OLD.status <> NEW.status)
  EXECUTE FUNCTION record_status_change();
COMMENT ON TRIGGER display_heartbeats_record_status_change ON display_heartbeats IS
  'Every change of a display''s status is recorded in display_status_changes.';

CREATE TABLE display_pairings (
  id uuid PRIMARY KEY,
  code text NOT NULL,
  poll_hash bytea NOT NULL,
  salt bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  claimed_at timestamptz(3),
  collected_at timestamptz(3),
  display_id uuid,
  CONSTRAINT display_pairings_display_id_fkey
    FOREIGN KEY (display_id) REFERENCES displays(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX display_pairings_code_key ON display_pairings (code);
CREATE INDEX display_pairings_created_at_idx ON display_pairings (created_at);
CREATE UNIQUE INDEX display_pairings_poll_hash_key ON display_pairings (poll_hash);

-- An announcement without a location is shown at all locations.
CREATE TABLE announcements (
  id uuid PRIMARY KEY,
  location_id uuid,
  title text NOT NULL,
  body text,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- An announcement ends after it starts, or has no end.
  CONSTRAINT announcements_ends_after_start CHECK (ends_at > starts_at),
  CONSTRAINT announcements_location_id_fkey
    FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX announcements_location_id_starts_at_idx ON announcements (location_id, starts_at);

-- One row for each change of content that displays of a location can show. Inserting rows instead of updating a counter
-- means that writers never wait for each other. A job adds the rows to display_content_versions and deletes them. The nil
-- UUID stands for all locations.
CREATE TABLE display_content_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  location_id uuid NOT NULL
);
CREATE INDEX display_content_changes_location_id_idx ON display_content_changes (location_id);

-- The number of changes that have been counted and deleted.
CREATE TABLE display_content_versions (
  location_id uuid PRIMARY KEY,
  changes bigint NOT NULL
);

CREATE FUNCTION record_content_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO display_content_changes (location_id) VALUES (OLD.location_id); END IF;
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND NEW.location_id <> OLD.location_id THEN
    INSERT INTO display_content_changes (location_id) VALUES (NEW.location_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bookings_record_content_change AFTER UPDATE OF
    title, status, starts_at, ends_at, occupied_until, resource_id, location_id, member_id, guest_name
  OR DELETE ON bookings
  FOR EACH ROW EXECUTE FUNCTION record_content_change();
COMMENT ON TRIGGER bookings_record_content_change ON bookings IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';
CREATE TRIGGER events_record_content_change AFTER INSERT OR UPDATE OF
    slug, title, summary, status, location_id, resource_id, starts_at, ends_at
  OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION record_content_change();
COMMENT ON TRIGGER events_record_content_change ON events IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';
CREATE TRIGGER opening_hours_record_content_change AFTER INSERT OR UPDATE OR DELETE ON opening_hours
  FOR EACH ROW EXECUTE FUNCTION record_content_change();
COMMENT ON TRIGGER opening_hours_record_content_change ON opening_hours IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';
CREATE TRIGGER closures_record_content_change
  AFTER INSERT OR UPDATE OF starts_on, ends_on, location_id OR DELETE ON closures
  FOR EACH ROW EXECUTE FUNCTION record_content_change();
COMMENT ON TRIGGER closures_record_content_change ON closures IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';
CREATE TRIGGER resources_record_content_change AFTER UPDATE OF name ON resources
  FOR EACH ROW WHEN (OLD.name <> NEW.name)
  EXECUTE FUNCTION record_content_change();
COMMENT ON TRIGGER resources_record_content_change ON resources IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';

-- All bookings that one statement inserts are one change per location.
CREATE FUNCTION record_content_changes_of_new_bookings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO display_content_changes (location_id) SELECT DISTINCT location_id FROM inserted;
  RETURN NULL;
END $$;
CREATE TRIGGER bookings_record_content_changes_on_insert AFTER INSERT ON bookings
  REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION record_content_changes_of_new_bookings();
COMMENT ON TRIGGER bookings_record_content_changes_on_insert ON bookings IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';

-- The nil UUID stands for all locations, including those that this statement cannot see yet.
CREATE FUNCTION record_content_change_of_announcement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO display_content_changes (location_id)
    VALUES (coalesce(OLD.location_id, '00000000-0000-0000-0000-000000000000'));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO display_content_changes (location_id)
    VALUES (coalesce(NEW.location_id, '00000000-0000-0000-0000-000000000000'));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER announcements_record_content_change AFTER INSERT OR UPDATE OR DELETE ON announcements
  FOR EACH ROW EXECUTE FUNCTION record_content_change_of_announcement();
COMMENT ON TRIGGER announcements_record_content_change ON announcements IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';

CREATE FUNCTION record_content_change_of_location() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO display_content_changes (location_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER locations_record_content_change AFTER UPDATE OF name, time_zone ON locations
  FOR EACH ROW EXECUTE FUNCTION record_content_change_of_location();
COMMENT ON TRIGGER locations_record_content_change ON locations IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';

CREATE FUNCTION record_content_change_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO display_content_changes (location_id) VALUES ('00000000-0000-0000-0000-000000000000');
  RETURN NULL;
END $$;
CREATE TRIGGER members_record_content_change AFTER UPDATE OF name ON members
  FOR EACH ROW WHEN (OLD.name <> NEW.name)
  EXECUTE FUNCTION record_content_change_of_member();
COMMENT ON TRIGGER members_record_content_change ON members IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';

-- ===========================================================================
-- Webhooks
-- ===========================================================================

CREATE TYPE webhook_owner_kind AS ENUM ('user', 'token', 'system');

CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  url text NOT NULL,
  description text,
  events text[],
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text,
  owner_kind webhook_owner_kind NOT NULL,
  owner_user_id uuid,
  owner_token_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A disabled endpoint has a reason.
  CONSTRAINT webhook_endpoints_disabled CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  -- An endpoint has one owner. When the owner is deleted, owner_kind remains, and the endpoint stays disabled.
  CONSTRAINT webhook_endpoints_owner CHECK (
    (owner_user_id IS NULL OR owner_kind = 'user') AND (owner_token_id IS NULL OR owner_kind = 'token')
  ),
  -- A previous secret, after a rotation, has an expiry time.
  CONSTRAINT webhook_endpoints_previous_secret CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL)),
  CONSTRAINT webhook_endpoints_owner_token_id_fkey
    FOREIGN KEY (owner_token_id) REFERENCES api_tokens(id) ON UPDATE CASCADE ON DELETE SET NULL,
  CONSTRAINT webhook_endpoints_owner_user_id_fkey
    FOREIGN KEY (owner_user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE INDEX webhook_endpoints_created_at_id_idx ON webhook_endpoints (created_at, id);
CREATE INDEX webhook_endpoints_owner_token_id_idx ON webhook_endpoints (owner_token_id);
CREATE INDEX webhook_endpoints_owner_user_id_idx ON webhook_endpoints (owner_user_id);

CREATE TABLE webhook_messages (
  id uuid PRIMARY KEY,
  type text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX webhook_messages_created_at_idx ON webhook_messages (created_at);

-- One message for one endpoint. next_attempt_at is null if there is no further attempt.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL,
  message_id uuid NOT NULL,
  next_attempt_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  delivered_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A delivered message has no further attempt.
  CONSTRAINT webhook_deliveries_delivered CHECK (delivered_at IS NULL OR next_attempt_at IS NULL),
  CONSTRAINT webhook_deliveries_endpoint_id_fkey
    FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_message_id_fkey
    FOREIGN KEY (message_id) REFERENCES webhook_messages(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_endpoint_id_created_at_id_idx ON webhook_deliveries (endpoint_id, created_at, id);
CREATE UNIQUE INDEX webhook_deliveries_endpoint_id_message_id_key ON webhook_deliveries (endpoint_id, message_id);
CREATE INDEX webhook_deliveries_message_id_idx ON webhook_deliveries (message_id);
-- Finds deliveries whose next attempt is due.
CREATE INDEX webhook_deliveries_next_attempt_idx ON webhook_deliveries (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

CREATE TABLE webhook_attempts (
  id uuid PRIMARY KEY,
  delivery_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  status integer,
  error text,
  duration_ms integer NOT NULL,
  CONSTRAINT webhook_attempts_delivery_id_fkey
    FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_delivery_id_at_idx ON webhook_attempts (delivery_id, at);

-- Events of orders, tickets and day passes that are not published to webhooks yet. Rows are deleted once they are published.
CREATE TABLE event_outbox (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  type text NOT NULL,
  subject_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  recorded_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (recorded_at, id)
);

-- Writes to the outbox in the transaction of the change, so that statements that write orders, tickets or day passes need
-- not handle webhooks. The first argument is the type of the event. All arguments are subscriptions that match the event.
-- Without a matching endpoint, nothing is written.
CREATE FUNCTION enqueue_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE happened_at timestamptz;
BEGIN
  IF EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL AND events && TG_ARGV) THEN
    IF TG_TABLE_NAME = 'refunds' THEN happened_at := NEW.completed_at; ELSE happened_at := NEW.updated_at; END IF;
    INSERT INTO event_outbox (type, subject_id, at) VALUES (TG_ARGV[0], NEW.id, happened_at);
  END IF;
  RETURN NULL;
END $$;

-- An offer from the waiting list is also an order. The job that publishes the event distinguishes the two.
CREATE TRIGGER orders_placed AFTER INSERT ON orders
  FOR EACH ROW WHEN (NEW.status = 'pending')
  EXECUTE FUNCTION enqueue_event('order.placed', 'order.offered', 'order.*', '*');
COMMENT ON TRIGGER orders_placed ON orders IS
  'Every order.placed and order.offered event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER orders_confirmed_on_insert AFTER INSERT ON orders
  FOR EACH ROW WHEN (NEW.status = 'paid')
  EXECUTE FUNCTION enqueue_event('order.confirmed', 'order.*', '*');
COMMENT ON TRIGGER orders_confirmed_on_insert ON orders IS
  'Every order.confirmed event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER orders_confirmed AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status <> 'paid' AND NEW.status = 'paid')
  EXECUTE FUNCTION enqueue_event('order.confirmed', 'order.*', '*');
COMMENT ON TRIGGER orders_confirmed ON orders IS
  'Every order.confirmed event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER orders_cancelled AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status <> 'cancelled' AND NEW.status = 'cancelled')
  EXECUTE FUNCTION enqueue_event('order.cancelled', 'order.*', '*');
COMMENT ON TRIGGER orders_cancelled ON orders IS
  'Every order.cancelled event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER orders_expired AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status <> 'expired' AND NEW.status = 'expired')
  EXECUTE FUNCTION enqueue_event('order.expired', 'order.*', '*');
COMMENT ON TRIGGER orders_expired ON orders IS
  'Every order.expired event with a subscribed webhook is written to event_outbox in the same transaction.';

-- A refund is published once it has succeeded.
CREATE TRIGGER refunds_succeeded_on_insert AFTER INSERT ON refunds
  FOR EACH ROW WHEN (NEW.status = 'succeeded')
  EXECUTE FUNCTION enqueue_event('order.refunded', 'order.*', '*');
COMMENT ON TRIGGER refunds_succeeded_on_insert ON refunds IS
  'Every order.refunded event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER refunds_succeeded AFTER UPDATE OF status ON refunds
  FOR EACH ROW WHEN (OLD.status <> 'succeeded' AND NEW.status = 'succeeded')
  EXECUTE FUNCTION enqueue_event('order.refunded', 'order.*', '*');
COMMENT ON TRIGGER refunds_succeeded ON refunds IS
  'Every order.refunded event with a subscribed webhook is written to event_outbox in the same transaction.';

-- A held ticket is not issued yet. A transfer replaces the code of a ticket.
CREATE TRIGGER tickets_issued_on_insert AFTER INSERT ON tickets
  FOR EACH ROW WHEN (NEW.status = 'valid')
  EXECUTE FUNCTION enqueue_event('ticket.issued', 'ticket.*', '*');
COMMENT ON TRIGGER tickets_issued_on_insert ON tickets IS
  'Every ticket.issued event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER tickets_issued AFTER UPDATE OF status ON tickets
  FOR EACH ROW WHEN (OLD.status <> 'valid' AND NEW.status = 'valid')
  EXECUTE FUNCTION enqueue_event('ticket.issued', 'ticket.*', '*');
COMMENT ON TRIGGER tickets_issued ON tickets IS
  'Every ticket.issued event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER tickets_cancelled AFTER UPDATE OF status ON tickets
  FOR EACH ROW WHEN (OLD.status <> 'cancelled' AND NEW.status = 'cancelled')
  EXECUTE FUNCTION enqueue_event('ticket.cancelled', 'ticket.*', '*');
COMMENT ON TRIGGER tickets_cancelled ON tickets IS
  'Every ticket.cancelled event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER tickets_transferred AFTER UPDATE OF code ON tickets
  FOR EACH ROW WHEN (OLD.code <> NEW.code)
  EXECUTE FUNCTION enqueue_event('ticket.transferred', 'ticket.*', '*');
COMMENT ON TRIGGER tickets_transferred ON tickets IS
  'Every ticket.transferred event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER tickets_updated AFTER UPDATE OF attendee_name, attendee_email ON tickets
  FOR EACH ROW WHEN (OLD.code = NEW.code
    AND (OLD.attendee_name, OLD.attendee_email) IS DISTINCT FROM (NEW.attendee_name, NEW.attendee_email))
  EXECUTE FUNCTION enqueue_event('ticket.updated', 'ticket.*', '*');
COMMENT ON TRIGGER tickets_updated ON tickets IS
  'Every ticket.updated event with a subscribed webhook is written to event_outbox in the same transaction.';

CREATE TRIGGER day_passes_issued_on_insert AFTER INSERT ON day_passes
  FOR EACH ROW WHEN (NEW.status = 'valid')
  EXECUTE FUNCTION enqueue_event('day_pass.issued', 'day_pass.*', '*');
COMMENT ON TRIGGER day_passes_issued_on_insert ON day_passes IS
  'Every day_pass.issued event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER day_passes_issued AFTER UPDATE OF status ON day_passes
  FOR EACH ROW WHEN (OLD.status <> 'valid' AND NEW.status = 'valid')
  EXECUTE FUNCTION enqueue_event('day_pass.issued', 'day_pass.*', '*');
COMMENT ON TRIGGER day_passes_issued ON day_passes IS
  'Every day_pass.issued event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER day_passes_cancelled AFTER UPDATE OF status ON day_passes
  FOR EACH ROW WHEN (OLD.status <> 'cancelled' AND NEW.status = 'cancelled')
  EXECUTE FUNCTION enqueue_event('day_pass.cancelled', 'day_pass.*', '*');
COMMENT ON TRIGGER day_passes_cancelled ON day_passes IS
  'Every day_pass.cancelled event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER day_passes_transferred AFTER UPDATE OF code ON day_passes
  FOR EACH ROW WHEN (OLD.code <> NEW.code)
  EXECUTE FUNCTION enqueue_event('day_pass.transferred', 'day_pass.*', '*');
COMMENT ON TRIGGER day_passes_transferred ON day_passes IS
  'Every day_pass.transferred event with a subscribed webhook is written to event_outbox in the same transaction.';
CREATE TRIGGER day_passes_updated AFTER UPDATE OF holder_name, holder_email ON day_passes
  FOR EACH ROW WHEN (OLD.code = NEW.code
    AND (OLD.holder_name, OLD.holder_email) IS DISTINCT FROM (NEW.holder_name, NEW.holder_email))
  EXECUTE FUNCTION enqueue_event('day_pass.updated', 'day_pass.*', '*');
COMMENT ON TRIGGER day_passes_updated ON day_passes IS
  'Every day_pass.updated event with a subscribed webhook is written to event_outbox in the same transaction.';

-- ===========================================================================
-- Email
-- ===========================================================================

CREATE TYPE mail_priority AS ENUM ('critical', 'essential', 'requested');

CREATE TYPE mail_status AS ENUM ('waiting', 'sent', 'failed', 'suppressed');

-- Addresses of the same mailbox share its budget: case and tags (ben+x@) are ignored, and dots in Gmail addresses.
CREATE FUNCTION mail_recipient_key(address TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN split_part(lower(address), '@', 2) IN ('gmail.com', 'googlemail.com')
    THEN replace(split_part(split_part(lower(address), '@', 1), '+', 1), '.', '') || '@gmail.com'
    ELSE split_part(split_part(lower(address), '@', 1), '+', 1) || '@' || split_part(lower(address), '@', 2) END
$$;

-- Emails, written in the transaction that causes them and delivered afterwards.
CREATE TABLE mails (
  id uuid PRIMARY KEY,
  recipient text NOT NULL,
  priority mail_priority NOT NULL DEFAULT 'requested',
  status mail_status NOT NULL DEFAULT 'waiting',
  subject text NOT NULL,
  text text NOT NULL,
  html text,
  attempts integer NOT NULL DEFAULT 0,
  client_key text,
  last_error text,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  sent_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX mails_created_at_id_idx ON mails (created_at, id);
-- Finds the waiting emails of one mailbox.
CREATE INDEX mails_recipient_queue_idx ON mails (mail_recipient_key(recipient), priority, id)
  WHERE status = 'waiting';
-- Finds waiting emails in the order of delivery.
CREATE INDEX mails_waiting_idx ON mails (priority, next_attempt_at, id) WHERE status = 'waiting';

CREATE FUNCTION discard_mail_to_deleted_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END $$;
CREATE TRIGGER mails_discard_deleted_recipients BEFORE INSERT ON mails
  FOR EACH ROW WHEN (NEW.recipient LIKE '%@deleted.invalid')
  EXECUTE FUNCTION discard_mail_to_deleted_person();
COMMENT ON TRIGGER mails_discard_deleted_recipients ON mails IS
  'No email is stored for the placeholder address of an erased person.';

-- How many emails were sent to a mailbox in its current hour and day, and how many of them the anonymous clients of one
-- network caused.
CREATE TABLE mail_budgets (
  recipient_key text NOT NULL,
  client_key text NOT NULL DEFAULT '',
  hour_starts_at timestamptz(3) NOT NULL,
  hour_count integer NOT NULL,
  day_starts_at timestamptz(3) NOT NULL,
  day_count integer NOT NULL,
  PRIMARY KEY (recipient_key, client_key),
  -- A budget counts at least one email.
  CONSTRAINT mail_budgets_counts CHECK (hour_count > 0 AND day_count > 0)
);
CREATE INDEX mail_budgets_day_starts_at_idx ON mail_budgets (day_starts_at);

-- ===========================================================================
-- Personal data
-- ===========================================================================

-- Records that a person was erased, without any data of that person.
CREATE TABLE erasures (
  id uuid PRIMARY KEY,
  user_id uuid,
  reason text,
  counts jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT erasures_user_id_fkey
    FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE INDEX erasures_created_at_id_idx ON erasures (created_at, id);

-- Retention periods that owners have changed.
CREATE TABLE retention_settings (
  policy text PRIMARY KEY,
  days integer,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A retention period is between one day and a century; null means forever.
  CONSTRAINT retention_settings_days CHECK (days BETWEEN 1 AND 36500)
);
