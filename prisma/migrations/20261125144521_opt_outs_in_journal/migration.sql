-- The journal records opt-outs, so they need an id.
ALTER TABLE email_opt_outs DROP CONSTRAINT email_opt_outs_pkey;
ALTER TABLE email_opt_outs ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
ALTER TABLE email_opt_outs ALTER COLUMN id DROP DEFAULT;
ALTER TABLE email_opt_outs ADD CONSTRAINT email_opt_outs_pkey PRIMARY KEY (id);

-- A mailbox opts out of each kind of email once.
CREATE UNIQUE INDEX email_opt_outs_recipient_key_kind_key ON email_opt_outs (recipient_key, kind);
