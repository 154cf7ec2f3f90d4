-- Mailings: emails that staff send to the attendees of an event, or to members.

-- After all other emails, so that a mailing does not delay them.
ALTER TYPE mail_priority ADD VALUE 'bulk';

CREATE TYPE mailing_status AS ENUM ('sending', 'sent', 'cancelled');
CREATE TYPE mailing_audience AS ENUM ('attendees', 'members');

CREATE TABLE mailings (
  id uuid PRIMARY KEY,
  subject text NOT NULL,
  body text NOT NULL,
  status mailing_status NOT NULL DEFAULT 'sending',
  audience mailing_audience NOT NULL,
  event_id uuid,
  plan_id uuid,
  location_id uuid,
  recipient_count integer NOT NULL,
  cursor uuid,
  written_at timestamptz(3),
  sent_count integer,
  failed_count integer,
  created_by_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at timestamptz(3),
  -- The audience is either that of an event, or members.
  CONSTRAINT mailings_audience CHECK (
    CASE audience WHEN 'attendees' THEN event_id IS NOT NULL AND plan_id IS NULL AND location_id IS NULL
      ELSE event_id IS NULL END
  ),
  -- A mailing has ended if it is not being sent.
  CONSTRAINT mailings_ended CHECK ((status = 'sending') = (ended_at IS NULL)),
  CONSTRAINT mailings_event_id_fkey FOREIGN KEY (event_id) REFERENCES events (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT mailings_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT mailings_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT mailings_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE INDEX mailings_created_at_id_idx ON mailings (created_at, id);
CREATE INDEX mailings_status_created_at_id_idx ON mailings (status, created_at, id);
CREATE INDEX mailings_audience_created_at_id_idx ON mailings (audience, created_at, id);
CREATE INDEX mailings_event_id_created_at_id_idx ON mailings (event_id, created_at, id);
CREATE INDEX mailings_plan_id_created_at_id_idx ON mailings (plan_id, created_at, id);
CREATE INDEX mailings_location_id_created_at_id_idx ON mailings (location_id, created_at, id);
-- Finds the mailings whose emails are not all written, sent or failed.
CREATE INDEX mailings_open_idx ON mailings (id) WHERE sent_count IS NULL;
-- Finds the mailings that ended long ago.
CREATE INDEX mailings_ended_at_idx ON mailings (ended_at);
-- Finds the mailings of a deleted staff account.
CREATE INDEX mailings_created_by_id_idx ON mailings (created_by_id);

ALTER TABLE mails ADD COLUMN mailing_id uuid,
  ADD CONSTRAINT mails_mailing_id_fkey FOREIGN KEY (mailing_id) REFERENCES mailings (id) ON UPDATE CASCADE ON DELETE SET NULL;
CREATE INDEX mails_mailing_id_created_at_id_idx ON mails (mailing_id, created_at, id);
-- A mailbox gets a mailing once, even if the job that writes the emails is interrupted.
CREATE UNIQUE INDEX mails_mailing_recipient_key ON mails (mailing_id, mail_recipient_key(recipient)) WHERE mailing_id IS NOT NULL;
-- Counts the emails of a mailing by status.
CREATE INDEX mails_mailing_status_idx ON mails (mailing_id, status) WHERE mailing_id IS NOT NULL;
