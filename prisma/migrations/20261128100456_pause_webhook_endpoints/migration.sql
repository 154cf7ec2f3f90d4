-- Runs beside: 0.2.0

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "paused_until" TIMESTAMPTZ(3);
