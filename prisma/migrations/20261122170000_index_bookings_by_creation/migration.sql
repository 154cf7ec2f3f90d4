-- Lists of bookings can be sorted by the time of booking.
CREATE INDEX bookings_created_at_id_idx ON bookings (created_at, id);
