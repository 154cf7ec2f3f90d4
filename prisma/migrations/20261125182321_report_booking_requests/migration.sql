-- Staff who want an email when bookings need approval. NULL: owners and managers do.
ALTER TABLE users ADD COLUMN wants_request_emails boolean;

-- Requests that staff got an email about. The key lets a job report each start of a booking once.
CREATE TABLE booking_request_reports (
  booking_id uuid NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  reported_at timestamptz(3) NOT NULL,
  CONSTRAINT booking_request_reports_pkey PRIMARY KEY (booking_id, starts_at),
  CONSTRAINT booking_request_reports_booking_id_fkey
    FOREIGN KEY (booking_id) REFERENCES bookings(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX booking_request_reports_starts_at_idx ON booking_request_reports (starts_at);
