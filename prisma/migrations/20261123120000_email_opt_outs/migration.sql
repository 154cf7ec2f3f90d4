-- A mailbox can stop reminders, mailings to members, or both. A link stops the kind of email that contains it.
CREATE TYPE optional_email AS ENUM ('reminders', 'mailings');

ALTER TABLE reminder_opt_outs RENAME TO email_opt_outs;
ALTER TABLE email_opt_outs ADD COLUMN kind optional_email NOT NULL DEFAULT 'reminders';
ALTER TABLE email_opt_outs ALTER COLUMN kind DROP DEFAULT;
ALTER TABLE email_opt_outs DROP CONSTRAINT reminder_opt_outs_pkey;
ALTER TABLE email_opt_outs ADD CONSTRAINT email_opt_outs_pkey PRIMARY KEY (recipient_key, kind);

ALTER TABLE email_preference_links ADD COLUMN kind optional_email NOT NULL DEFAULT 'reminders';
ALTER TABLE email_preference_links ALTER COLUMN kind DROP DEFAULT;
