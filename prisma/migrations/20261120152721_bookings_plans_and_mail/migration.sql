-- CreateEnum
CREATE TYPE "plan_interval" AS ENUM ('month', 'quarter', 'year');

-- AlterTable
ALTER TABLE "bookings" ADD COLUMN     "cancel_fee" INTEGER,
ADD COLUMN     "checked_in_at" TIMESTAMPTZ(3),
ADD COLUMN     "included_minutes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "membership_id" UUID,
ADD COLUMN     "series_id" UUID,
ADD COLUMN     "usage_month" DATE;

-- AlterTable
ALTER TABLE "members" ADD COLUMN     "team_id" UUID;

-- AlterTable
ALTER TABLE "resources" ADD COLUMN     "days_ahead" INTEGER NOT NULL DEFAULT 365,
ADD COLUMN     "free_cancellation_hours" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "grid_minutes" INTEGER NOT NULL DEFAULT 15,
ADD COLUMN     "no_show_minutes" INTEGER,
ADD COLUMN     "notice_minutes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "requires_approval" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "sign_in_links" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "member_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "caller" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("caller","key")
);

-- CreateTable
CREATE TABLE "booking_series" (
    "id" UUID NOT NULL,
    "rule" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "minutes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "booking_series_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "calendar_feeds" (
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "resource_id" UUID,
    "member_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "calendar_feeds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mails" (
    "id" UUID NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "teams" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plans" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "price_amount" INTEGER NOT NULL DEFAULT 0,
    "price_currency" CHAR(3) NOT NULL DEFAULT 'EUR',
    "interval" "plan_interval" NOT NULL DEFAULT 'month',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plan_benefits" (
    "plan_id" UUID NOT NULL,
    "resource_type" "resource_type" NOT NULL,
    "included_hours" INTEGER NOT NULL DEFAULT 0,
    "discount_percent" INTEGER NOT NULL DEFAULT 0,
    "limit_hours" INTEGER,

    CONSTRAINT "plan_benefits_pkey" PRIMARY KEY ("plan_id","resource_type")
);

-- CreateTable
CREATE TABLE "memberships" (
    "id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "member_id" UUID,
    "team_id" UUID,
    "starts_on" DATE NOT NULL,
    "ends_on" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "opening_hours" (
    "id" UUID NOT NULL,
    "location_id" UUID NOT NULL,
    "weekday" INTEGER NOT NULL,
    "opens_minute" INTEGER NOT NULL,
    "closes_minute" INTEGER NOT NULL,

    CONSTRAINT "opening_hours_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "closures" (
    "id" UUID NOT NULL,
    "location_id" UUID NOT NULL,
    "starts_on" DATE NOT NULL,
    "ends_on" DATE NOT NULL,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "closures_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_links_token_hash_key" ON "sign_in_links"("token_hash");

-- CreateIndex
CREATE INDEX "sign_in_links_member_id_idx" ON "sign_in_links"("member_id");

-- CreateIndex
CREATE INDEX "sign_in_links_expires_at_idx" ON "sign_in_links"("expires_at");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_feeds_hash_key" ON "calendar_feeds"("hash");

-- CreateIndex
CREATE INDEX "calendar_feeds_resource_id_idx" ON "calendar_feeds"("resource_id");

-- CreateIndex
CREATE INDEX "calendar_feeds_member_id_idx" ON "calendar_feeds"("member_id");

-- CreateIndex
CREATE INDEX "mails_created_at_id_idx" ON "mails"("created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "teams_name_key" ON "teams"("name");

-- CreateIndex
CREATE INDEX "teams_name_id_idx" ON "teams"("name", "id");

-- CreateIndex
CREATE UNIQUE INDEX "plans_name_key" ON "plans"("name");

-- CreateIndex
CREATE INDEX "plans_name_id_idx" ON "plans"("name", "id");

-- CreateIndex
CREATE INDEX "memberships_plan_id_idx" ON "memberships"("plan_id");

-- CreateIndex
CREATE INDEX "memberships_member_id_starts_on_idx" ON "memberships"("member_id", "starts_on");

-- CreateIndex
CREATE INDEX "memberships_team_id_starts_on_idx" ON "memberships"("team_id", "starts_on");

-- CreateIndex
CREATE INDEX "opening_hours_location_id_weekday_opens_minute_idx" ON "opening_hours"("location_id", "weekday", "opens_minute");

-- CreateIndex
CREATE INDEX "closures_location_id_starts_on_idx" ON "closures"("location_id", "starts_on");

-- CreateIndex
CREATE INDEX "bookings_membership_id_usage_month_idx" ON "bookings"("membership_id", "usage_month");

-- CreateIndex
CREATE INDEX "bookings_series_id_starts_at_idx" ON "bookings"("series_id", "starts_at");

-- CreateIndex
CREATE INDEX "members_team_id_idx" ON "members"("team_id");

-- AddForeignKey
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_membership_id_fkey" FOREIGN KEY ("membership_id") REFERENCES "memberships"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "booking_series"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resources"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_benefits" ADD CONSTRAINT "plan_benefits_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "opening_hours" ADD CONSTRAINT "opening_hours_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "closures" ADD CONSTRAINT "closures_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

ALTER TABLE "opening_hours" ADD CONSTRAINT "opening_hours_within_day" CHECK (
  "weekday" BETWEEN 1 AND 7 AND "opens_minute" >= 0 AND "closes_minute" > "opens_minute" AND "closes_minute" <= 1440);
ALTER TABLE "opening_hours" ADD CONSTRAINT "opening_hours_no_overlap"
  EXCLUDE USING gist ("location_id" WITH =, "weekday" WITH =, int4range("opens_minute", "closes_minute") WITH &&);
ALTER TABLE "closures" ADD CONSTRAINT "closures_ends_after_start" CHECK ("ends_on" >= "starts_on");

ALTER TABLE "resources" ADD CONSTRAINT "resources_rules" CHECK (
  "grid_minutes" BETWEEN 1 AND 1440 AND "notice_minutes" >= 0 AND "days_ahead" >= 0
  AND "free_cancellation_hours" >= 0 AND "no_show_minutes" > 0);

ALTER TABLE "plans" ADD CONSTRAINT "plans_price_not_negative" CHECK ("price_amount" >= 0);
ALTER TABLE "plan_benefits" ADD CONSTRAINT "plan_benefits_amounts" CHECK (
  "included_hours" >= 0 AND "discount_percent" BETWEEN 0 AND 100 AND "limit_hours" >= 0);

-- One contract at a time, for a member and for a team.
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_one_for_member"
  EXCLUDE USING gist ("member_id" WITH =, daterange("starts_on", "ends_on", '[]') WITH &&);
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_one_for_team"
  EXCLUDE USING gist ("team_id" WITH =, daterange("starts_on", "ends_on", '[]') WITH &&);
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_member_or_team" CHECK (num_nonnulls("member_id", "team_id") = 1);
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_ends_after_start" CHECK ("ends_on" >= "starts_on");

ALTER TABLE "bookings" ADD CONSTRAINT "bookings_usage" CHECK (
  "included_minutes" >= 0 AND ("membership_id" IS NULL) = ("usage_month" IS NULL)
  AND ("membership_id" IS NOT NULL OR "included_minutes" = 0));
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_fee_within_price" CHECK ("cancel_fee" BETWEEN 0 AND "price_amount");
-- Finds those who have not arrived.
CREATE INDEX "bookings_awaited_idx" ON "bookings" ("starts_at") WHERE "status" = 'confirmed' AND "checked_in_at" IS NULL;

ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_resource_or_member" CHECK (num_nonnulls("resource_id", "member_id") = 1);
-- The mails that wait.
CREATE INDEX "mails_waiting_idx" ON "mails" ("due_at") WHERE "sent_at" IS NULL;
