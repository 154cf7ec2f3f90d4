-- CreateEnum
CREATE TYPE "unpaid_hold" AS ENUM ('until_start', 'days', 'opening_hours');

-- AlterTable
ALTER TABLE "day_pass_types" ADD COLUMN     "unpaid_hold" "unpaid_hold" NOT NULL DEFAULT 'until_start',
ADD COLUMN     "unpaid_hold_amount" INTEGER NOT NULL DEFAULT 3;

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "unpaid_hold" "unpaid_hold" NOT NULL DEFAULT 'until_start',
ADD COLUMN     "unpaid_hold_amount" INTEGER NOT NULL DEFAULT 3;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "confirmed_hold_until" TIMESTAMPTZ(3);

ALTER TABLE events ADD CONSTRAINT events_unpaid_hold_positive CHECK (unpaid_hold_amount BETWEEN 1 AND 366);
ALTER TABLE day_pass_types ADD CONSTRAINT day_pass_types_unpaid_hold_positive CHECK (unpaid_hold_amount BETWEEN 1 AND 366);
COMMENT ON CONSTRAINT events_unpaid_hold_positive ON events IS 'An unpaid order is held for one to 366 days or opening hours.';
COMMENT ON CONSTRAINT day_pass_types_unpaid_hold_positive ON day_pass_types IS 'An unpaid order is held for one to 366 days or opening hours.';

-- The keys of unpaid orders stay until they end, which can be a year after they were placed. The index finds them at any age.
CREATE INDEX orders_seat_keys_idx ON orders (created_at) WHERE seat_keys <> '{}';
