-- Runs beside: 0.2.0

-- AlterTable
ALTER TABLE "setup" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT '1970-01-01 00:00:00 +00:00';
