-- CreateEnum
CREATE TYPE "check_in_result" AS ENUM ('admitted', 'already_in', 'checked_out', 'not_found', 'unpaid', 'cancelled', 'not_yet_valid', 'expired', 'wrong_location', 'membership_inactive', 'capacity_full', 'ambiguous');

-- CreateEnum
CREATE TYPE "check_in_subject" AS ENUM ('ticket', 'day_pass', 'member', 'booking', 'visitor');

-- CreateEnum
CREATE TYPE "display_status" AS ENUM ('online', 'stale', 'offline', 'revoked');

-- AlterEnum
ALTER TYPE "display_kind" ADD VALUE 'kiosk';

-- AlterTable
ALTER TABLE "announcements" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "displays" ADD COLUMN     "previous_token_hash" BYTEA,
ADD COLUMN     "previous_token_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "locations" ADD COLUMN     "host_email" TEXT,
ADD COLUMN     "lookup_names" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "lookup_needs_kiosk" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "check_ins" (
    "id" UUID NOT NULL,
    "location_id" UUID NOT NULL,
    "result" "check_in_result" NOT NULL,
    "subject" "check_in_subject",
    "label" TEXT,
    "ticket_id" UUID,
    "entry" INTEGER NOT NULL DEFAULT 0,
    "day_pass_id" UUID,
    "booking_id" UUID,
    "member_id" UUID,
    "host_id" UUID,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "leaves_at" TIMESTAMPTZ(3),
    "checked_out_at" TIMESTAMPTZ(3),
    "left_by_itself" BOOLEAN NOT NULL DEFAULT false,
    "scan_id" TEXT,
    "request_hash" BYTEA,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "check_ins_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "occupancies" (
    "location_id" UUID NOT NULL,
    "present" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "occupancies_pkey" PRIMARY KEY ("location_id")
);

-- CreateTable
CREATE TABLE "lookup_handles" (
    "hash" BYTEA NOT NULL,
    "lookup_id" UUID NOT NULL,
    "location_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "exact" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "arrived" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "lookup_handles_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "display_pulses" (
    "display_id" UUID NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3),
    "status" "display_status" NOT NULL DEFAULT 'offline',
    "status_since" TIMESTAMPTZ(3),
    "app_version" TEXT,
    "uptime_seconds" INTEGER,
    "battery_percent" INTEGER,

    CONSTRAINT "display_pulses_pkey" PRIMARY KEY ("display_id")
);

-- CreateTable
CREATE TABLE "display_status_changes" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "display_id" UUID NOT NULL,
    "was" "display_status" NOT NULL,
    "status" "display_status" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "display_status_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "display_pairings" (
    "id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "poll_hash" BYTEA NOT NULL,
    "salt" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),
    "collected_at" TIMESTAMPTZ(3),
    "display_id" UUID,

    CONSTRAINT "display_pairings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "display_changes" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "location_id" UUID NOT NULL,

    CONSTRAINT "display_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "display_stamps" (
    "location_id" UUID NOT NULL,
    "changes" BIGINT NOT NULL,

    CONSTRAINT "display_stamps_pkey" PRIMARY KEY ("location_id")
);

-- CreateIndex
CREATE INDEX "check_ins_location_id_created_at_id_idx" ON "check_ins"("location_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "check_ins_created_at_id_idx" ON "check_ins"("created_at", "id");

-- CreateIndex
CREATE INDEX "check_ins_ticket_id_idx" ON "check_ins"("ticket_id");

-- CreateIndex
CREATE INDEX "check_ins_day_pass_id_idx" ON "check_ins"("day_pass_id");

-- CreateIndex
CREATE INDEX "check_ins_booking_id_idx" ON "check_ins"("booking_id");

-- CreateIndex
CREATE INDEX "check_ins_member_id_idx" ON "check_ins"("member_id");

-- CreateIndex
CREATE INDEX "check_ins_host_id_created_at_idx" ON "check_ins"("host_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "check_ins_location_id_scan_id_key" ON "check_ins"("location_id", "scan_id");

-- CreateIndex
CREATE INDEX "lookup_handles_location_id_created_at_idx" ON "lookup_handles"("location_id", "created_at");

-- CreateIndex
CREATE INDEX "lookup_handles_address_created_at_idx" ON "lookup_handles"("address", "created_at");

-- CreateIndex
CREATE INDEX "lookup_handles_lookup_id_idx" ON "lookup_handles"("lookup_id");

-- CreateIndex
CREATE INDEX "lookup_handles_member_id_idx" ON "lookup_handles"("member_id");

-- CreateIndex
CREATE INDEX "display_status_changes_display_id_at_idx" ON "display_status_changes"("display_id", "at");

-- CreateIndex
CREATE INDEX "display_status_changes_noted_at_idx" ON "display_status_changes"("noted_at");

-- CreateIndex
CREATE UNIQUE INDEX "display_pairings_code_key" ON "display_pairings"("code");

-- CreateIndex
CREATE UNIQUE INDEX "display_pairings_poll_hash_key" ON "display_pairings"("poll_hash");

-- CreateIndex
CREATE INDEX "display_pairings_created_at_idx" ON "display_pairings"("created_at");

-- CreateIndex
CREATE INDEX "display_changes_location_id_idx" ON "display_changes"("location_id");

-- AddForeignKey
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_ticket_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "tickets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_day_pass_id_fkey" FOREIGN KEY ("day_pass_id") REFERENCES "day_passes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_booking_id_fkey" FOREIGN KEY ("booking_id") REFERENCES "bookings"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "members"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "occupancies" ADD CONSTRAINT "occupancies_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lookup_handles" ADD CONSTRAINT "lookup_handles_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lookup_handles" ADD CONSTRAINT "lookup_handles_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "display_pulses" ADD CONSTRAINT "display_pulses_display_id_fkey" FOREIGN KEY ("display_id") REFERENCES "displays"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "display_status_changes" ADD CONSTRAINT "display_status_changes_display_id_fkey" FOREIGN KEY ("display_id") REFERENCES "displays"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "display_pairings" ADD CONSTRAINT "display_pairings_display_id_fkey" FOREIGN KEY ("display_id") REFERENCES "displays"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

-- What is seen of a display moves to a table of its own. Half of each page stays free, so that its many updates stay where they are.
ALTER TABLE "display_pulses" SET (fillfactor = 50);
INSERT INTO "display_pulses" ("display_id", "last_seen_at", "status", "status_since")
  SELECT "id", "last_seen_at", CASE WHEN "revoked_at" IS NULL THEN 'offline'::"display_status" ELSE 'revoked' END, "revoked_at" FROM "displays";
ALTER TABLE "displays" DROP COLUMN "last_seen_at";
ALTER TABLE "display_pulses" ADD CONSTRAINT "display_pulses_telemetry" CHECK ("uptime_seconds" >= 0 AND "battery_percent" BETWEEN 0 AND 100);
-- Few displays have one, so that looking for it costs next to nothing.
CREATE UNIQUE INDEX "displays_previous_token_hash_key" ON "displays" ("previous_token_hash") WHERE "previous_token_hash" IS NOT NULL;
ALTER TABLE "displays" ADD CONSTRAINT "displays_previous_token" CHECK (("previous_token_hash" IS NULL) = ("previous_token_until" IS NULL));
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_in_order" CHECK ("ends_at" > "starts_at");

CREATE FUNCTION make_pulse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO display_pulses (display_id, status, status_since)
  VALUES (NEW.id, CASE WHEN NEW.revoked_at IS NULL THEN 'offline'::display_status ELSE 'revoked' END, NEW.revoked_at);
  RETURN NULL;
END $$;
CREATE TRIGGER displays_have_a_pulse AFTER INSERT ON "displays" FOR EACH ROW EXECUTE FUNCTION make_pulse();

-- Never before what was noted last, so that a history ends in it whichever clock was ahead.
CREATE FUNCTION revoke_pulse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE display_pulses SET status = 'revoked', status_since = greatest(NEW.revoked_at, status_since) WHERE display_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER displays_are_revoked AFTER UPDATE OF "revoked_at" ON "displays"
  FOR EACH ROW WHEN (OLD."revoked_at" IS NULL AND NEW."revoked_at" IS NOT NULL) EXECUTE FUNCTION revoke_pulse();

CREATE FUNCTION note_status_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO display_status_changes (display_id, was, status, at, noted_at)
  VALUES (NEW.display_id, OLD.status, NEW.status, coalesce(NEW.status_since, now()), clock_timestamp());
  RETURN NULL;
END $$;
CREATE TRIGGER display_pulses_tell_changes AFTER UPDATE OF "status" ON "display_pulses"
  FOR EACH ROW WHEN (OLD."status" <> NEW."status") EXECUTE FUNCTION note_status_change();

-- Whatever a display may show leaves a row when it changes: what is not named here is shown by none.
CREATE FUNCTION tell_displays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO display_changes (location_id) VALUES (OLD.location_id); END IF;
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND NEW.location_id <> OLD.location_id THEN
    INSERT INTO display_changes (location_id) VALUES (NEW.location_id);
  END IF;
  RETURN NULL;
END $$;
-- Many bookings that are made at once are one change.
CREATE FUNCTION tell_displays_of_new_bookings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO display_changes (location_id) SELECT DISTINCT location_id FROM made;
  RETURN NULL;
END $$;
CREATE TRIGGER bookings_made_change_displays AFTER INSERT ON "bookings"
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION tell_displays_of_new_bookings();
CREATE TRIGGER bookings_change_displays
  AFTER UPDATE OF "title", "status", "starts_at", "ends_at", "occupied_until", "resource_id", "location_id", "member_id", "guest_name" OR DELETE
  ON "bookings" FOR EACH ROW EXECUTE FUNCTION tell_displays();
CREATE TRIGGER events_change_displays
  AFTER INSERT OR UPDATE OF "slug", "title", "summary", "status", "location_id", "resource_id", "starts_at", "ends_at" OR DELETE
  ON "events" FOR EACH ROW EXECUTE FUNCTION tell_displays();
CREATE TRIGGER opening_hours_change_displays AFTER INSERT OR UPDATE OR DELETE ON "opening_hours"
  FOR EACH ROW EXECUTE FUNCTION tell_displays();
CREATE TRIGGER closures_change_displays AFTER INSERT OR UPDATE OF "starts_on", "ends_on", "location_id" OR DELETE ON "closures"
  FOR EACH ROW EXECUTE FUNCTION tell_displays();
CREATE TRIGGER resources_change_displays AFTER UPDATE OF "name" ON "resources"
  FOR EACH ROW WHEN (OLD."name" <> NEW."name") EXECUTE FUNCTION tell_displays();

-- The nil id stands for everywhere: what is named so counts for locations too that this statement cannot see yet.
CREATE FUNCTION tell_displays_of_announcement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO display_changes (location_id) VALUES (coalesce(OLD.location_id, '00000000-0000-0000-0000-000000000000'));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO display_changes (location_id) VALUES (coalesce(NEW.location_id, '00000000-0000-0000-0000-000000000000'));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER announcements_change_displays AFTER INSERT OR UPDATE OR DELETE ON "announcements"
  FOR EACH ROW EXECUTE FUNCTION tell_displays_of_announcement();

CREATE FUNCTION tell_displays_of_location() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO display_changes (location_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER locations_change_displays AFTER UPDATE OF "name", "time_zone" ON "locations"
  FOR EACH ROW EXECUTE FUNCTION tell_displays_of_location();

CREATE FUNCTION tell_displays_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO display_changes (location_id) VALUES ('00000000-0000-0000-0000-000000000000');
  RETURN NULL;
END $$;
CREATE TRIGGER members_change_displays AFTER UPDATE OF "name" ON "members"
  FOR EACH ROW WHEN (OLD."name" <> NEW."name") EXECUTE FUNCTION tell_displays_of_member();

-- Visits.
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_visit" CHECK (
  ("result" = 'admitted') = ("leaves_at" IS NOT NULL)
  AND ("checked_out_at" IS NULL OR "result" = 'admitted' AND "checked_out_at" >= "occurred_at")
  AND ("left_by_itself" = false OR "checked_out_at" IS NOT NULL));
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_scan" CHECK (("scan_id" IS NULL) = ("request_hash" IS NULL));
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_subject" CHECK (
  "result" <> 'admitted' OR CASE "subject" WHEN 'ticket' THEN "ticket_id" IS NOT NULL WHEN 'day_pass' THEN "day_pass_id" IS NOT NULL
    WHEN 'booking' THEN "booking_id" IS NOT NULL WHEN 'member' THEN "member_id" IS NOT NULL WHEN 'visitor' THEN "host_id" IS NOT NULL ELSE false END);
-- A ticket is good once; staff may let its holder in again after they left, which is another entry.
CREATE UNIQUE INDEX "check_ins_ticket_once" ON "check_ins" ("ticket_id", "entry") WHERE "result" = 'admitted' AND "subject" = 'ticket';
-- Nobody is in twice.
CREATE UNIQUE INDEX "check_ins_ticket_in" ON "check_ins" ("ticket_id") WHERE "result" = 'admitted' AND "checked_out_at" IS NULL AND "subject" = 'ticket';
CREATE UNIQUE INDEX "check_ins_day_pass_in" ON "check_ins" ("day_pass_id") WHERE "result" = 'admitted' AND "checked_out_at" IS NULL AND "subject" = 'day_pass';
CREATE UNIQUE INDEX "check_ins_booking_in" ON "check_ins" ("booking_id") WHERE "result" = 'admitted' AND "checked_out_at" IS NULL AND "subject" = 'booking';
CREATE UNIQUE INDEX "check_ins_member_in" ON "check_ins" ("member_id") WHERE "result" = 'admitted' AND "checked_out_at" IS NULL AND "member_id" IS NOT NULL;
-- Who is in, and who leaves by themselves.
CREATE INDEX "check_ins_open_idx" ON "check_ins" ("location_id", "leaves_at") WHERE "result" = 'admitted' AND "checked_out_at" IS NULL;

ALTER TABLE "locations" ADD CONSTRAINT "locations_host_email_lower" CHECK ("host_email" = lower("host_email"));
ALTER TABLE "occupancies" ADD CONSTRAINT "occupancies_present" CHECK ("present" >= 0);
INSERT INTO "occupancies" ("location_id") SELECT "id" FROM "locations";

CREATE FUNCTION make_occupancy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO occupancies (location_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER locations_have_an_occupancy AFTER INSERT ON "locations" FOR EACH ROW EXECUTE FUNCTION make_occupancy();

-- Who comes in is counted where the capacity still allows it, under the lock of the counter's row: two who come at once
-- wait for each other here. Lowering a capacity puts nobody out.
CREATE FUNCTION count_presence() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was int := 0;
  will_be int := 0;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.result = 'admitted' AND OLD.checked_out_at IS NULL THEN was := 1; END IF;
  IF TG_OP <> 'DELETE' AND NEW.result = 'admitted' AND NEW.checked_out_at IS NULL THEN will_be := 1; END IF;
  IF was > will_be THEN
    UPDATE occupancies SET present = present - 1 WHERE location_id = OLD.location_id;
  ELSIF will_be > was THEN
    UPDATE occupancies o SET present = o.present + 1 FROM locations l
    WHERE o.location_id = NEW.location_id AND l.id = o.location_id AND (l.capacity IS NULL OR o.present < l.capacity);
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the location is full' USING ERRCODE = 'check_violation', CONSTRAINT = 'occupancies_never_over_capacity';
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_ins_are_counted AFTER INSERT OR UPDATE OF "result", "checked_out_at" OR DELETE ON "check_ins"
  FOR EACH ROW EXECUTE FUNCTION count_presence();
