-- Reminders that were sent. The key lets a job send each once, and again after a move to another time. It begins with the
-- time, since old rows are deleted by it.
CREATE TABLE reminders (
  subject_id uuid NOT NULL, -- a booking or an order
  starts_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3) NOT NULL,
  PRIMARY KEY (starts_at, subject_id)
);

-- Mailboxes that want no reminders. Addresses of one mailbox have the same key.
CREATE TABLE reminder_opt_outs (
  recipient_key text PRIMARY KEY,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- The links in reminders with which their recipients stop them. Only the hash of the secret is stored.
CREATE TABLE email_preference_links (
  hash bytea PRIMARY KEY,
  recipient_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX email_preference_links_created_at_idx ON email_preference_links (created_at);

ALTER TABLE mails ADD COLUMN unsubscribe_url text;
