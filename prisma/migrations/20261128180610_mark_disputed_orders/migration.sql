-- Runs beside: 0.2.0

ALTER TABLE "orders" ADD COLUMN "disputed_at" TIMESTAMPTZ(3);
