CREATE EXTENSION IF NOT EXISTS btree_gist;

-- CreateEnum
CREATE TYPE "staff_role" AS ENUM ('owner', 'manager', 'front_desk');

-- CreateEnum
CREATE TYPE "booking_status" AS ENUM ('pending', 'confirmed', 'cancelled', 'no_show');

-- CreateEnum
CREATE TYPE "display_kind" AS ENUM ('room_panel', 'event_board', 'welcome');

-- CreateEnum
CREATE TYPE "event_status" AS ENUM ('draft', 'published', 'cancelled');

-- CreateEnum
CREATE TYPE "event_visibility" AS ENUM ('public', 'members');

-- CreateEnum
CREATE TYPE "member_status" AS ENUM ('active', 'paused', 'former');

-- CreateEnum
CREATE TYPE "resource_type" AS ENUM ('room', 'desk', 'equipment');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT,
    "role" "staff_role",
    "member_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "bookings" (
    "id" UUID NOT NULL,
    "resource_id" UUID NOT NULL,
    "location_id" UUID NOT NULL,
    "member_id" UUID,
    "guest_name" TEXT,
    "guest_email" TEXT,
    "status" "booking_status" NOT NULL DEFAULT 'confirmed',
    "title" TEXT,
    "notes" TEXT,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "occupied_until" TIMESTAMPTZ(3) NOT NULL,
    "price_amount" INTEGER NOT NULL DEFAULT 0,
    "price_currency" CHAR(3) NOT NULL DEFAULT 'EUR',
    "import_uid" TEXT,
    "cancelled_at" TIMESTAMPTZ(3),
    "cancel_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bookings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "displays" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "display_kind" NOT NULL,
    "location_id" UUID NOT NULL,
    "resource_id" UUID,
    "token_hash" BYTEA NOT NULL,
    "token_prefix" TEXT NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "displays_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "announcements" (
    "id" UUID NOT NULL,
    "location_id" UUID,
    "title" TEXT NOT NULL,
    "body" TEXT,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "announcements_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "summary" TEXT,
    "description" TEXT,
    "status" "event_status" NOT NULL DEFAULT 'draft',
    "visibility" "event_visibility" NOT NULL DEFAULT 'public',
    "location_id" UUID NOT NULL,
    "resource_id" UUID,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "capacity" INTEGER,
    "taken" INTEGER NOT NULL DEFAULT 0,
    "import_uid" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticket_types" (
    "id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "price_amount" INTEGER NOT NULL DEFAULT 0,
    "price_currency" CHAR(3) NOT NULL DEFAULT 'EUR',
    "quantity" INTEGER,
    "taken" INTEGER NOT NULL DEFAULT 0,
    "sales_start_at" TIMESTAMPTZ(3),
    "sales_end_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ticket_types_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "phone" TEXT,
    "company" TEXT,
    "status" "member_status" NOT NULL DEFAULT 'active',
    "code" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "members_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "locations" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT,
    "time_zone" TEXT NOT NULL,
    "capacity" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "locations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "resources" (
    "id" UUID NOT NULL,
    "location_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" "resource_type" NOT NULL,
    "capacity" INTEGER NOT NULL DEFAULT 1,
    "amenities" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "hourly_amount" INTEGER NOT NULL DEFAULT 0,
    "currency" CHAR(3) NOT NULL DEFAULT 'EUR',
    "min_minutes" INTEGER NOT NULL DEFAULT 30,
    "max_minutes" INTEGER NOT NULL DEFAULT 480,
    "buffer_minutes" INTEGER NOT NULL DEFAULT 0,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "resources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_tokens" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "replaced_by_id" UUID,

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "users_member_id_key" ON "users"("member_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions"("token_hash");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "bookings_starts_at_id_idx" ON "bookings"("starts_at", "id");

-- CreateIndex
CREATE INDEX "bookings_resource_id_starts_at_id_idx" ON "bookings"("resource_id", "starts_at", "id");

-- CreateIndex
CREATE INDEX "bookings_location_id_starts_at_id_idx" ON "bookings"("location_id", "starts_at", "id");

-- CreateIndex
CREATE INDEX "bookings_member_id_starts_at_id_idx" ON "bookings"("member_id", "starts_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "bookings_resource_id_import_uid_key" ON "bookings"("resource_id", "import_uid");

-- CreateIndex
CREATE UNIQUE INDEX "displays_token_hash_key" ON "displays"("token_hash");

-- CreateIndex
CREATE INDEX "displays_location_id_idx" ON "displays"("location_id");

-- CreateIndex
CREATE INDEX "displays_name_id_idx" ON "displays"("name", "id");

-- CreateIndex
CREATE INDEX "announcements_location_id_starts_at_idx" ON "announcements"("location_id", "starts_at");

-- CreateIndex
CREATE UNIQUE INDEX "events_slug_key" ON "events"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "events_import_uid_key" ON "events"("import_uid");

-- CreateIndex
CREATE INDEX "events_starts_at_id_idx" ON "events"("starts_at", "id");

-- CreateIndex
CREATE INDEX "events_location_id_starts_at_id_idx" ON "events"("location_id", "starts_at", "id");

-- CreateIndex
CREATE INDEX "ticket_types_event_id_position_id_idx" ON "ticket_types"("event_id", "position", "id");

-- CreateIndex
CREATE UNIQUE INDEX "members_email_key" ON "members"("email");

-- CreateIndex
CREATE UNIQUE INDEX "members_code_key" ON "members"("code");

-- CreateIndex
CREATE INDEX "members_name_id_idx" ON "members"("name", "id");

-- CreateIndex
CREATE UNIQUE INDEX "locations_slug_key" ON "locations"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "resources_slug_key" ON "resources"("slug");

-- CreateIndex
CREATE INDEX "resources_location_id_name_id_idx" ON "resources"("location_id", "name", "id");

-- CreateIndex
CREATE UNIQUE INDEX "resources_id_location_id_key" ON "resources"("id", "location_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_hash_key" ON "api_tokens"("hash");

-- CreateIndex
CREATE INDEX "api_tokens_created_at_id_idx" ON "api_tokens"("created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_replaced_by_id_key" ON "api_tokens"("replaced_by_id");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_resource_id_location_id_fkey" FOREIGN KEY ("resource_id", "location_id") REFERENCES "resources"("id", "location_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "displays" ADD CONSTRAINT "displays_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "displays" ADD CONSTRAINT "displays_resource_fkey" FOREIGN KEY ("resource_id", "location_id") REFERENCES "resources"("id", "location_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resources"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticket_types" ADD CONSTRAINT "ticket_types_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resources" ADD CONSTRAINT "resources_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_replaced_by_id_fkey" FOREIGN KEY ("replaced_by_id") REFERENCES "api_tokens"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

-- Two live bookings of one resource never overlap, buffer included.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_no_overlap"
  EXCLUDE USING gist ("resource_id" WITH =, tstzrange("starts_at", "occupied_until") WITH &&)
  WHERE ("status" IN ('pending', 'confirmed'));
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_ends_after_start" CHECK ("ends_at" > "starts_at");
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_buffer_after_end" CHECK ("occupied_until" >= "ends_at");
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_member_or_guest" CHECK (num_nonnulls("member_id", "guest_name") = 1);
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_price_not_negative" CHECK ("price_amount" >= 0);
-- Finds what runs at an instant, however long ago it began.
CREATE INDEX "bookings_during_idx" ON "bookings" USING gist (tstzrange("starts_at", "ends_at"));

ALTER TABLE "events" ADD CONSTRAINT "events_ends_after_start" CHECK ("ends_at" > "starts_at");
ALTER TABLE "events" ADD CONSTRAINT "events_never_oversold" CHECK ("taken" >= 0 AND "taken" <= "capacity");
CREATE INDEX "events_during_idx" ON "events" USING gist (tstzrange("starts_at", "ends_at"));
ALTER TABLE "ticket_types" ADD CONSTRAINT "ticket_types_never_oversold" CHECK ("taken" >= 0 AND "taken" <= "quantity");
ALTER TABLE "ticket_types" ADD CONSTRAINT "ticket_types_price_not_negative" CHECK ("price_amount" >= 0);
ALTER TABLE "ticket_types" ADD CONSTRAINT "ticket_types_sales_window" CHECK ("sales_end_at" > "sales_start_at");

ALTER TABLE "resources" ADD CONSTRAINT "resources_minutes" CHECK (
  "min_minutes" > 0 AND "max_minutes" >= "min_minutes" AND "buffer_minutes" >= 0);
ALTER TABLE "resources" ADD CONSTRAINT "resources_amounts" CHECK ("capacity" > 0 AND "hourly_amount" >= 0);
ALTER TABLE "locations" ADD CONSTRAINT "locations_capacity" CHECK ("capacity" > 0);

ALTER TABLE "displays" ADD CONSTRAINT "displays_room_panel_has_room" CHECK ("kind" <> 'room_panel' OR "resource_id" IS NOT NULL);
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_ends_after_start" CHECK ("ends_at" > "starts_at");

ALTER TABLE "members" ADD CONSTRAINT "members_email_lower" CHECK ("email" = lower("email"));
ALTER TABLE "users" ADD CONSTRAINT "users_email_lower" CHECK ("email" = lower("email"));
ALTER TABLE "users" ADD CONSTRAINT "users_staff_or_member" CHECK (num_nonnulls("role", "member_id") = 1);
