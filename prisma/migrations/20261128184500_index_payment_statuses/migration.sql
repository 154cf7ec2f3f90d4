-- Runs beside: 0.2.0

-- Lists of bookings with one payment status are read in their order, however rare the status is. It is toPaymentStatusSql.
CREATE INDEX IF NOT EXISTS bookings_payment_starts_at_idx ON bookings ((CASE WHEN NOT tracks_payment THEN 'not_recorded'
  WHEN CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END > paid_amount THEN 'unpaid'
  WHEN CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END < paid_amount THEN 'overpaid'
  WHEN paid_amount > 0 THEN 'paid' ELSE 'not_due' END), starts_at, id);
CREATE INDEX IF NOT EXISTS bookings_payment_created_at_idx ON bookings ((CASE WHEN NOT tracks_payment THEN 'not_recorded'
  WHEN CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END > paid_amount THEN 'unpaid'
  WHEN CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END < paid_amount THEN 'overpaid'
  WHEN paid_amount > 0 THEN 'paid' ELSE 'not_due' END), created_at, id);
CREATE INDEX IF NOT EXISTS bookings_location_payment_starts_at_idx ON bookings (location_id, (CASE WHEN NOT tracks_payment THEN 'not_recorded'
  WHEN CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END > paid_amount THEN 'unpaid'
  WHEN CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END < paid_amount THEN 'overpaid'
  WHEN paid_amount > 0 THEN 'paid' ELSE 'not_due' END), starts_at, id);
CREATE INDEX IF NOT EXISTS bookings_location_payment_created_at_idx ON bookings (location_id, (CASE WHEN NOT tracks_payment THEN 'not_recorded'
  WHEN CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END > paid_amount THEN 'unpaid'
  WHEN CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN least(price_amount, paid_amount) ELSE price_amount END < paid_amount THEN 'overpaid'
  WHEN paid_amount > 0 THEN 'paid' ELSE 'not_due' END), created_at, id);

-- These indexes serve them too.
DROP INDEX IF EXISTS bookings_unpaid_idx, bookings_location_unpaid_idx, bookings_overpaid_idx, bookings_payment_not_recorded_idx;
