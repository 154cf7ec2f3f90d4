-- CreateEnum
CREATE TYPE "order_status" AS ENUM ('pending', 'paid', 'expired', 'cancelled');

-- CreateEnum
CREATE TYPE "payment_provider" AS ENUM ('stripe', 'on_site', 'sandbox');

-- CreateEnum
CREATE TYPE "admission_status" AS ENUM ('held', 'valid', 'expired', 'cancelled');

-- CreateEnum
CREATE TYPE "refund_status" AS ENUM ('due', 'done', 'failed');

-- CreateEnum
CREATE TYPE "waitlist_status" AS ENUM ('waiting', 'offered', 'taken', 'lapsed', 'left');

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "cancel_reason" TEXT,
ADD COLUMN     "cancelled_at" TIMESTAMPTZ(3),
ADD COLUMN     "published_at" TIMESTAMPTZ(3),
ADD COLUMN     "refund_hours" INTEGER;

-- AlterTable
ALTER TABLE "ticket_types" ADD COLUMN     "active" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "audience" "event_visibility" NOT NULL DEFAULT 'public',
ADD COLUMN     "description" TEXT,
ADD COLUMN     "per_order" INTEGER NOT NULL DEFAULT 10;

-- CreateTable
CREATE TABLE "day_pass_types" (
    "id" UUID NOT NULL,
    "location_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "price_amount" INTEGER NOT NULL DEFAULT 0,
    "price_currency" CHAR(3) NOT NULL DEFAULT 'EUR',
    "per_day" INTEGER,
    "days_ahead" INTEGER NOT NULL DEFAULT 60,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "day_pass_types_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "day_pass_days" (
    "type_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "capacity" INTEGER,
    "taken" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "day_pass_days_pkey" PRIMARY KEY ("type_id","date")
);

-- CreateTable
CREATE TABLE "day_passes" (
    "id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "order_id" UUID NOT NULL,
    "type_id" UUID NOT NULL,
    "valid_on" DATE NOT NULL,
    "position" INTEGER NOT NULL,
    "status" "admission_status" NOT NULL,
    "holder_name" TEXT NOT NULL,
    "holder_email" TEXT,
    "list_amount" INTEGER NOT NULL,
    "amount" INTEGER NOT NULL,
    "cancelled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "day_passes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "orders" (
    "id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "status" "order_status" NOT NULL,
    "event_id" UUID,
    "member_id" UUID,
    "buyer_name" TEXT NOT NULL,
    "buyer_email" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "total_amount" INTEGER NOT NULL,
    "discount_amount" INTEGER NOT NULL DEFAULT 0,
    "discount_code_id" UUID,
    "provider" "payment_provider",
    "checkout_ref" TEXT,
    "checkout_url" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_links" (
    "hash" BYTEA NOT NULL,
    "order_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_links_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "tickets" (
    "id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "order_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "ticket_type_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "status" "admission_status" NOT NULL,
    "attendee_name" TEXT NOT NULL,
    "attendee_email" TEXT,
    "list_amount" INTEGER NOT NULL,
    "amount" INTEGER NOT NULL,
    "cancelled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tickets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" UUID NOT NULL,
    "order_id" UUID NOT NULL,
    "provider" "payment_provider" NOT NULL,
    "ref" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "refunded" INTEGER NOT NULL DEFAULT 0,
    "currency" CHAR(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" UUID NOT NULL,
    "order_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "amount" INTEGER NOT NULL,
    "reason" TEXT,
    "status" "refund_status" NOT NULL DEFAULT 'due',
    "ref" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "done_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_events" (
    "provider" "payment_provider" NOT NULL,
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "processed_at" TIMESTAMPTZ(3),

    CONSTRAINT "provider_events_pkey" PRIMARY KEY ("provider","id")
);

-- CreateTable
CREATE TABLE "discount_codes" (
    "id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "event_id" UUID,
    "percent" INTEGER,
    "amount" INTEGER,
    "currency" CHAR(3),
    "max_uses" INTEGER,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "discount_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "waitlist_entries" (
    "id" UUID NOT NULL,
    "ticket_type_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "member_id" UUID,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL DEFAULT 1,
    "status" "waitlist_status" NOT NULL DEFAULT 'waiting',
    "order_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "waitlist_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "day_pass_types_location_id_name_key" ON "day_pass_types"("location_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "day_passes_code_key" ON "day_passes"("code");

-- CreateIndex
CREATE INDEX "day_passes_order_id_position_idx" ON "day_passes"("order_id", "position");

-- CreateIndex
CREATE INDEX "day_passes_type_id_valid_on_idx" ON "day_passes"("type_id", "valid_on");

-- CreateIndex
CREATE UNIQUE INDEX "orders_code_key" ON "orders"("code");

-- CreateIndex
CREATE INDEX "orders_created_at_id_idx" ON "orders"("created_at", "id");

-- CreateIndex
CREATE INDEX "orders_event_id_status_idx" ON "orders"("event_id", "status");

-- CreateIndex
CREATE INDEX "orders_buyer_email_idx" ON "orders"("buyer_email");

-- CreateIndex
CREATE INDEX "orders_member_id_idx" ON "orders"("member_id");

-- CreateIndex
CREATE INDEX "order_links_order_id_idx" ON "order_links"("order_id");

-- CreateIndex
CREATE UNIQUE INDEX "tickets_code_key" ON "tickets"("code");

-- CreateIndex
CREATE INDEX "tickets_order_id_position_idx" ON "tickets"("order_id", "position");

-- CreateIndex
CREATE INDEX "tickets_event_id_idx" ON "tickets"("event_id");

-- CreateIndex
CREATE INDEX "tickets_ticket_type_id_idx" ON "tickets"("ticket_type_id");

-- CreateIndex
CREATE INDEX "payments_order_id_idx" ON "payments"("order_id");

-- CreateIndex
CREATE UNIQUE INDEX "payments_provider_ref_key" ON "payments"("provider", "ref");

-- CreateIndex
CREATE INDEX "refunds_order_id_idx" ON "refunds"("order_id");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_payment_id_ref_key" ON "refunds"("payment_id", "ref");

-- CreateIndex
CREATE UNIQUE INDEX "discount_codes_code_key" ON "discount_codes"("code");

-- CreateIndex
CREATE INDEX "discount_codes_created_at_id_idx" ON "discount_codes"("created_at", "id");

-- CreateIndex
CREATE INDEX "discount_codes_event_id_idx" ON "discount_codes"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "waitlist_entries_hash_key" ON "waitlist_entries"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "waitlist_entries_order_id_key" ON "waitlist_entries"("order_id");

-- CreateIndex
CREATE INDEX "waitlist_entries_ticket_type_id_created_at_id_idx" ON "waitlist_entries"("ticket_type_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "day_pass_types" ADD CONSTRAINT "day_pass_types_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "day_pass_days" ADD CONSTRAINT "day_pass_days_type_id_fkey" FOREIGN KEY ("type_id") REFERENCES "day_pass_types"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "day_passes" ADD CONSTRAINT "day_passes_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "day_passes" ADD CONSTRAINT "day_passes_type_id_fkey" FOREIGN KEY ("type_id") REFERENCES "day_pass_types"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_discount_code_id_fkey" FOREIGN KEY ("discount_code_id") REFERENCES "discount_codes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_links" ADD CONSTRAINT "order_links_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_ticket_type_id_fkey" FOREIGN KEY ("ticket_type_id") REFERENCES "ticket_types"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "discount_codes" ADD CONSTRAINT "discount_codes_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_ticket_type_id_fkey" FOREIGN KEY ("ticket_type_id") REFERENCES "ticket_types"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Events that are there already.
UPDATE "events" SET "published_at" = "created_at" WHERE "status" <> 'draft';

-- What Prisma's schema language cannot say.

ALTER TABLE "events" ADD CONSTRAINT "events_refund_hours" CHECK ("refund_hours" >= 0);
ALTER TABLE "ticket_types" ADD CONSTRAINT "ticket_types_per_order" CHECK ("per_order" BETWEEN 1 AND 100);

ALTER TABLE "orders" ADD CONSTRAINT "orders_email_lower" CHECK ("buyer_email" = lower("buyer_email"));
ALTER TABLE "orders" ADD CONSTRAINT "orders_amounts" CHECK ("total_amount" >= 0 AND "discount_amount" >= 0);
ALTER TABLE "orders" ADD CONSTRAINT "orders_pending_expires" CHECK ("status" <> 'pending' OR "expires_at" IS NOT NULL);
ALTER TABLE "orders" ADD CONSTRAINT "orders_paid_at" CHECK ("status" <> 'paid' OR "paid_at" IS NOT NULL);
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_amount" CHECK ("amount" BETWEEN 0 AND "list_amount");
ALTER TABLE "day_passes" ADD CONSTRAINT "day_passes_amount" CHECK ("amount" BETWEEN 0 AND "list_amount");

-- More than came in never goes out.
ALTER TABLE "payments" ADD CONSTRAINT "payments_refunded_within" CHECK ("amount" > 0 AND "refunded" BETWEEN 0 AND "amount");
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_amount" CHECK ("amount" > 0);
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_done_at" CHECK (("status" = 'done') = ("done_at" IS NOT NULL));

ALTER TABLE "discount_codes" ADD CONSTRAINT "discount_codes_never_overused" CHECK ("uses" >= 0 AND "uses" <= "max_uses");
ALTER TABLE "discount_codes" ADD CONSTRAINT "discount_codes_percent_or_amount" CHECK (
  num_nonnulls("percent", "amount") = 1 AND "percent" BETWEEN 1 AND 100 AND "amount" > 0 AND ("amount" IS NULL) = ("currency" IS NULL));
ALTER TABLE "discount_codes" ADD CONSTRAINT "discount_codes_capitals" CHECK ("code" = upper("code"));
ALTER TABLE "discount_codes" ADD CONSTRAINT "discount_codes_window" CHECK ("ends_at" > "starts_at");

ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_email_lower" CHECK ("email" = lower("email"));
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_quantity" CHECK ("quantity" BETWEEN 1 AND 100);
-- Nobody waits twice for the same.
CREATE UNIQUE INDEX "waitlist_entries_once" ON "waitlist_entries" ("ticket_type_id", "email") WHERE "status" IN ('waiting', 'offered');
CREATE INDEX "waitlist_entries_waiting_idx" ON "waitlist_entries" ("ticket_type_id", "created_at", "id") WHERE "status" = 'waiting';

ALTER TABLE "day_pass_types" ADD CONSTRAINT "day_pass_types_numbers" CHECK ("price_amount" >= 0 AND "per_day" >= 0 AND "days_ahead" >= 0);
ALTER TABLE "day_pass_days" ADD CONSTRAINT "day_pass_days_never_oversold" CHECK ("taken" >= 0 AND "taken" <= "capacity");

-- What timed work looks for.
CREATE INDEX "orders_holding_idx" ON "orders" ("expires_at") WHERE "status" = 'pending';
CREATE INDEX "refunds_due_idx" ON "refunds" ("due_at") WHERE "status" = 'due';
CREATE INDEX "provider_events_waiting_idx" ON "provider_events" ("received_at") WHERE "processed_at" IS NULL;

-- An event that is published in a room has it for itself: no other event and no booking overlaps it.
ALTER TABLE "events" ADD CONSTRAINT "events_no_overlap_in_resource"
  EXCLUDE USING gist ("resource_id" WITH =, tstzrange("starts_at", "ends_at") WITH &&)
  WHERE ("status" = 'published' AND "resource_id" IS NOT NULL);

-- Bookings and events stand in two tables, so each asks for the other under a lock of the room's row: who comes second
-- waits, and then sees the first. Both refuse as an EXCLUDE constraint does.
CREATE FUNCTION refuse_booking_during_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE buffer interval;
BEGIN
  SELECT buffer_minutes * interval '1 minute' INTO buffer FROM resources WHERE id = NEW.resource_id FOR KEY SHARE;
  PERFORM 1 FROM events e
    WHERE e.resource_id = NEW.resource_id AND e.status = 'published'
      AND e.starts_at < NEW.occupied_until AND e.ends_at > NEW.starts_at - buffer
      -- The same, as the index of the constraint above knows it.
      AND tstzrange(e.starts_at, e.ends_at) && tstzrange(NEW.starts_at - buffer, NEW.occupied_until);
  IF FOUND THEN
    RAISE EXCEPTION 'an event has this resource then' USING ERRCODE = 'exclusion_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION refuse_event_during_booking() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE buffer interval;
BEGIN
  SELECT buffer_minutes * interval '1 minute' INTO buffer FROM resources WHERE id = NEW.resource_id FOR UPDATE;
  PERFORM 1 FROM bookings b
    WHERE b.resource_id = NEW.resource_id AND b.status IN ('pending', 'confirmed')
      AND tstzrange(b.starts_at, b.occupied_until) && tstzrange(NEW.starts_at, NEW.ends_at + buffer);
  IF FOUND THEN
    RAISE EXCEPTION 'a booking has this resource then' USING ERRCODE = 'exclusion_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER bookings_leave_events_alone AFTER INSERT OR UPDATE OF resource_id, starts_at, occupied_until, status ON bookings
  FOR EACH ROW WHEN (NEW.status IN ('pending', 'confirmed')) EXECUTE FUNCTION refuse_booking_during_event();
CREATE TRIGGER events_leave_bookings_alone AFTER INSERT OR UPDATE OF resource_id, starts_at, ends_at, status ON events
  FOR EACH ROW WHEN (NEW.status = 'published' AND NEW.resource_id IS NOT NULL) EXECUTE FUNCTION refuse_event_during_booking();
