-- What was paid for a booking is not to be returned while the booking waits for approval again. What is due: toDueAmountSql.
DROP INDEX bookings_unpaid_idx, bookings_location_unpaid_idx, bookings_overpaid_idx;
CREATE INDEX bookings_unpaid_idx ON bookings (starts_at, id) WHERE tracks_payment AND CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END > paid_amount;
CREATE INDEX bookings_location_unpaid_idx ON bookings (location_id, starts_at, id) WHERE tracks_payment AND CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END > paid_amount;
CREATE INDEX bookings_overpaid_idx ON bookings (starts_at, id) WHERE tracks_payment AND CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END < paid_amount;
