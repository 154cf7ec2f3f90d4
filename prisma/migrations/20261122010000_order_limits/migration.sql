-- CreateEnum
CREATE TYPE "seat_subject_kind" AS ENUM ('email', 'member', 'address', 'network');

-- AlterTable
ALTER TABLE "day_pass_types" ADD COLUMN     "confirm_free_orders" BOOLEAN,
ADD COLUMN     "limit_window_hours" INTEGER NOT NULL DEFAULT 24,
ADD COLUMN     "max_seats_per_address" INTEGER,
ADD COLUMN     "max_seats_per_email" INTEGER,
ADD COLUMN     "max_seats_per_network" INTEGER;

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "confirm_free_orders" BOOLEAN,
ADD COLUMN     "limit_window_hours" INTEGER NOT NULL DEFAULT 24,
ADD COLUMN     "max_seats_per_address" INTEGER,
ADD COLUMN     "max_seats_per_email" INTEGER,
ADD COLUMN     "max_seats_per_network" INTEGER;

-- AlterTable
-- Until now only offers of the waiting list waited for a yes, and their links were mailed.
ALTER TABLE "order_links" ADD COLUMN     "can_confirm" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "order_links" ALTER COLUMN "can_confirm" SET DEFAULT false;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "seat_keys" BYTEA[] DEFAULT ARRAY[]::BYTEA[];

-- AlterTable
ALTER TABLE "waitlist_entries" ADD COLUMN     "seat_keys" BYTEA[] DEFAULT ARRAY[]::BYTEA[];

-- CreateTable
CREATE TABLE "seat_usages" (
    "key" BYTEA NOT NULL,
    "kind" "seat_subject_kind" NOT NULL,
    "seats" INTEGER NOT NULL,
    "max_seats" INTEGER NOT NULL,
    "released_seats" INTEGER NOT NULL DEFAULT 0,
    "window_ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "seat_usages_pkey" PRIMARY KEY ("key")
);

ALTER TABLE "seat_usages" ADD CONSTRAINT "seat_usages_never_over_limit" CHECK ("seats" >= 0 AND "seats" <= "max_seats");
ALTER TABLE "seat_usages" ADD CONSTRAINT "seat_usages_released" CHECK ("released_seats" >= 0);

ALTER TABLE "events" ADD CONSTRAINT "events_order_limits" CHECK (
  "max_seats_per_email" > 0 AND "max_seats_per_address" > 0 AND "max_seats_per_network" > 0
  AND "limit_window_hours" BETWEEN 1 AND 168);
ALTER TABLE "day_pass_types" ADD CONSTRAINT "day_pass_types_order_limits" CHECK (
  "max_seats_per_email" > 0 AND "max_seats_per_address" > 0 AND "max_seats_per_network" > 0
  AND "limit_window_hours" BETWEEN 1 AND 168);
