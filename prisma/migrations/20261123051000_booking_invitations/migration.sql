-- How often the calendar entry of a booking was emailed. Calendar programs ignore an entry whose SEQUENCE is lower than that
-- of the one they have, so it must survive the purge of the journal and of emails.
CREATE TABLE booking_invitations (
  booking_id uuid PRIMARY KEY REFERENCES bookings (id) ON DELETE CASCADE ON UPDATE CASCADE,
  sequence integer NOT NULL DEFAULT 0 CONSTRAINT booking_invitations_sequence_valid CHECK (sequence >= 0)
);
