-- The emails to hosts about unconfirmed visitors. The keys allow one for each visitor, and ten for each host, a day.
CREATE TABLE unconfirmed_visitor_emails (
  host_id uuid NOT NULL,
  day date NOT NULL,
  visitor_hash bytea NOT NULL,
  number integer NOT NULL,
  CONSTRAINT unconfirmed_visitor_emails_pkey PRIMARY KEY (host_id, day, visitor_hash),
  -- A host gets at most ten of them a day.
  CONSTRAINT unconfirmed_visitor_emails_number CHECK (number BETWEEN 1 AND 10),
  CONSTRAINT unconfirmed_visitor_emails_host_id_fkey
    FOREIGN KEY (host_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX unconfirmed_visitor_emails_host_id_day_number_key ON unconfirmed_visitor_emails (host_id, day, number);
CREATE INDEX unconfirmed_visitor_emails_day_idx ON unconfirmed_visitor_emails (day);
