-- Staff who want an email when displays are offline for a quarter of an hour.
ALTER TABLE users ADD COLUMN wants_outage_emails boolean NOT NULL DEFAULT false;

-- Outages of displays that staff were told about. The key lets a job tell each once.
CREATE TABLE display_outages (
  display_id uuid NOT NULL,
  began_at timestamptz(3) NOT NULL,
  reported_at timestamptz(3) NOT NULL,
  PRIMARY KEY (began_at, display_id),
  CONSTRAINT display_outages_display_id_fkey
    FOREIGN KEY (display_id) REFERENCES displays(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX display_outages_display_id_idx ON display_outages (display_id);
