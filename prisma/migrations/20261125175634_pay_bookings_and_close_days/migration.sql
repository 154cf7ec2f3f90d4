-- AlterTable
ALTER TABLE "bookings" ADD COLUMN     "paid_amount" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "tracks_payment" BOOLEAN NOT NULL DEFAULT false;

-- Nobody recorded whether bookings were paid. Those that are over would all be unpaid, so only later ones are tracked.
UPDATE bookings SET tracks_payment = true WHERE ends_at > now();
ALTER TABLE "bookings" ALTER COLUMN "tracks_payment" SET DEFAULT true,
  ADD CONSTRAINT bookings_paid_amount CHECK (paid_amount >= 0);
COMMENT ON CONSTRAINT bookings_paid_amount ON bookings IS 'No more is returned for a booking than was paid for it.';

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "booking_id" UUID,
ADD COLUMN     "location_id" UUID,
ADD COLUMN     "void_reason" TEXT,
ADD COLUMN     "voided_at" TIMESTAMPTZ(3),
ADD COLUMN     "voided_by_id" UUID,
ALTER COLUMN "order_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "location_id" UUID,
ALTER COLUMN "order_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "daily_closings" (
    "id" UUID NOT NULL,
    "location_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "opening_amount" INTEGER NOT NULL,
    "taken_amount" INTEGER NOT NULL,
    "paid_back_amount" INTEGER NOT NULL,
    "counted_amount" INTEGER NOT NULL,
    "note" TEXT,
    "closed_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "daily_closings_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "daily_closings_day_id_idx" ON "daily_closings"("day", "id");

-- CreateIndex
CREATE INDEX "daily_closings_closed_by_id_idx" ON "daily_closings"("closed_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "daily_closings_location_id_day_key" ON "daily_closings"("location_id", "day");

-- CreateIndex
CREATE INDEX "payments_booking_id_idx" ON "payments"("booking_id");

-- CreateIndex
CREATE INDEX "payments_location_id_created_at_id_idx" ON "payments"("location_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "payments_method_created_at_id_idx" ON "payments"("method", "created_at", "id");

-- CreateIndex
CREATE INDEX "refunds_method_created_at_id_idx" ON "refunds"("method", "created_at", "id");

-- CreateIndex
CREATE INDEX "payments_voided_by_id_idx" ON "payments"("voided_by_id");

-- CreateIndex
CREATE INDEX "refunds_location_id_completed_at_id_idx" ON "refunds"("location_id", "completed_at", "id");

-- CreateIndex
CREATE INDEX "refunds_location_id_created_at_id_idx" ON "refunds"("location_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_booking_id_fkey" FOREIGN KEY ("booking_id") REFERENCES "bookings"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_voided_by_id_fkey" FOREIGN KEY ("voided_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "daily_closings" ADD CONSTRAINT "daily_closings_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "daily_closings" ADD CONSTRAINT "daily_closings_closed_by_id_fkey" FOREIGN KEY ("closed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

UPDATE payments p SET location_id = coalesce(
    (SELECT e.location_id FROM orders o JOIN events e ON e.id = o.event_id WHERE o.id = p.order_id),
    (SELECT t.location_id FROM day_passes d JOIN day_pass_types t ON t.id = d.type_id WHERE d.order_id = p.order_id LIMIT 1));
UPDATE refunds r SET location_id = p.location_id FROM payments p WHERE p.id = r.payment_id;

ALTER TABLE payments
  ADD CONSTRAINT payments_order_or_booking CHECK (num_nonnulls(order_id, booking_id) = 1),
  ADD CONSTRAINT payments_voided CHECK (
    voided_at IS NULL AND void_reason IS NULL AND voided_by_id IS NULL
    OR voided_at IS NOT NULL AND booking_id IS NOT NULL AND refunded = 0);
COMMENT ON CONSTRAINT payments_order_or_booking ON payments IS 'A payment is for one order or for one booking.';
COMMENT ON CONSTRAINT payments_voided ON payments IS
  'Only payments of bookings are undone, and only if nothing was returned of them.';

CREATE FUNCTION set_location_of_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.location_id IS NULL THEN
    NEW.location_id := coalesce(
      (SELECT b.location_id FROM bookings b WHERE b.id = NEW.booking_id),
      (SELECT e.location_id FROM orders o JOIN events e ON e.id = o.event_id WHERE o.id = NEW.order_id),
      (SELECT t.location_id FROM day_passes d JOIN day_pass_types t ON t.id = d.type_id WHERE d.order_id = NEW.order_id LIMIT 1));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_set_location BEFORE INSERT ON payments
  FOR EACH ROW EXECUTE FUNCTION set_location_of_payment();
COMMENT ON TRIGGER payments_set_location ON payments IS
  'A payment counts at the location of what it pays for, even if the event moves to another location later.';

CREATE FUNCTION set_location_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.location_id IS NULL THEN
    NEW.location_id := (SELECT p.location_id FROM payments p WHERE p.id = NEW.payment_id);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refunds_set_location BEFORE INSERT ON refunds
  FOR EACH ROW EXECUTE FUNCTION set_location_of_refund();
COMMENT ON TRIGGER refunds_set_location ON refunds IS 'A refund counts at the location of its payment.';

CREATE FUNCTION sum_payments_of_booking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bookings b SET paid_amount = (
    SELECT coalesce(sum(p.amount - p.refunded), 0) FROM payments p WHERE p.booking_id = b.id AND p.voided_at IS NULL)
  WHERE b.id = NEW.booking_id;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_sum_of_booking_on_insert AFTER INSERT ON payments
  FOR EACH ROW WHEN (NEW.booking_id IS NOT NULL) EXECUTE FUNCTION sum_payments_of_booking();
CREATE TRIGGER payments_sum_of_booking_on_update AFTER UPDATE OF amount, refunded, voided_at ON payments
  FOR EACH ROW WHEN (NEW.booking_id IS NOT NULL) EXECUTE FUNCTION sum_payments_of_booking();
COMMENT ON TRIGGER payments_sum_of_booking_on_insert ON payments IS
  'paid_amount of a booking is the sum of its payments minus what was returned.';
COMMENT ON TRIGGER payments_sum_of_booking_on_update ON payments IS
  'paid_amount of a booking is the sum of its payments minus what was returned.';

-- Bookings that are owed, and bookings of which money must be returned. What is due: toDueAmountSql.
CREATE INDEX bookings_unpaid_idx ON bookings (starts_at, id) WHERE tracks_payment AND CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN 0 ELSE price_amount END > paid_amount;
CREATE INDEX bookings_location_unpaid_idx ON bookings (location_id, starts_at, id) WHERE tracks_payment AND CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN 0 ELSE price_amount END > paid_amount;
CREATE INDEX bookings_overpaid_idx ON bookings (starts_at, id) WHERE tracks_payment AND CASE status
    WHEN 'cancelled' THEN coalesce(cancel_fee, 0) WHEN 'pending' THEN 0 ELSE price_amount END < paid_amount;
-- Bookings of before, which no longer change.
CREATE INDEX bookings_payment_not_recorded_idx ON bookings (starts_at, id) WHERE NOT tracks_payment;

ALTER TABLE daily_closings
  ADD CONSTRAINT daily_closings_amounts CHECK (
    opening_amount >= 0 AND counted_amount >= 0 AND taken_amount >= 0 AND paid_back_amount >= 0);
COMMENT ON CONSTRAINT daily_closings_amounts ON daily_closings IS 'Amounts of cash are not negative.';
