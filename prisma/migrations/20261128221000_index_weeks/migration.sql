-- Runs beside: 0.2.0

-- Long periods of bookings in the order of booking are read week by week. See toWeekSql.
CREATE INDEX IF NOT EXISTS bookings_week_created_at_id_idx ON bookings (date_bin('7 days', starts_at, '2001-01-01T00:00:00Z'::timestamptz), created_at, id);
CREATE INDEX IF NOT EXISTS bookings_location_id_week_created_at_id_idx
  ON bookings (location_id, date_bin('7 days', starts_at, '2001-01-01T00:00:00Z'::timestamptz), created_at, id);
