-- Runs beside: 0.2.0

-- AlterTable
ALTER TABLE "orders" ADD COLUMN "delayed_payment_at" TIMESTAMPTZ(3);
