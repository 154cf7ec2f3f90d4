-- The journal: every change, recorded in its own transaction.

CREATE TYPE actor_kind AS ENUM ('anonymous', 'token', 'staff', 'member', 'device', 'system');

-- Transactions commit in another order than they record. A reader that has seen a sequence could therefore miss a lower one
-- that is committed later. Positions are assigned to committed rows only, in the order of their sequence, by one transaction
-- at a time: see src/journal/assign-positions.ts.
CREATE TABLE changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  sequence bigserial NOT NULL,
  position bigint,
  type text NOT NULL,
  subject_id uuid,
  location_id uuid,
  actor_kind actor_kind NOT NULL,
  actor_id uuid,
  job text,
  address text,
  request_id text,
  at timestamptz(3) NOT NULL,
  before jsonb,
  after jsonb
);
CREATE INDEX changes_at_idx ON changes (at);
CREATE INDEX changes_without_position_idx ON changes (sequence) WHERE position IS NULL;
-- Partial, so that recording a change does not write to them.
CREATE UNIQUE INDEX changes_position_idx ON changes (position) WHERE position IS NOT NULL;
CREATE INDEX changes_type_position_idx ON changes (type, position) WHERE position IS NOT NULL;
CREATE INDEX changes_subject_id_position_idx ON changes (subject_id, position) WHERE position IS NOT NULL;
CREATE INDEX changes_actor_id_position_idx ON changes (actor_id, position) WHERE position IS NOT NULL;
CREATE INDEX changes_location_id_position_idx ON changes (location_id, position) WHERE position IS NOT NULL;

CREATE TABLE journal_head (
  id integer PRIMARY KEY DEFAULT 1 CONSTRAINT journal_head_single_row CHECK (id = 1),
  position bigint NOT NULL DEFAULT 0
);
INSERT INTO journal_head DEFAULT VALUES;

CREATE TABLE journal_readers (
  name text PRIMARY KEY,
  position bigint NOT NULL DEFAULT 0,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- The status before the last write, for the journal. The statement that writes a heartbeat reads it from the new row, and so
-- knows it even if it has waited for another one.
ALTER TABLE display_heartbeats ADD COLUMN previous_status display_status;
