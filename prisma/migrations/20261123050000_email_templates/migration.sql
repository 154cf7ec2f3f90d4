-- What operators have changed of an email template: its wording, or whether it is sent.
CREATE TABLE email_templates (
  key text PRIMARY KEY,
  subject text,
  body text,
  disabled_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A subject is a header of the email: a line break in it would add others.
  CONSTRAINT email_templates_subject_valid
    CHECK (subject <> '' AND length(subject) <= 200 AND subject !~ '[[:cntrl:]]'),
  CONSTRAINT email_templates_body_valid CHECK (body <> '' AND length(body) <= 10000)
);
