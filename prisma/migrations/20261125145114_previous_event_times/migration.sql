-- Emails about a moved event say when it was before.
ALTER TABLE event_moves ADD COLUMN previous_starts_at timestamptz(3);
ALTER TABLE event_moves ADD COLUMN previous_ends_at timestamptz(3);
