-- CreateEnum
CREATE TYPE "payment_method" AS ENUM ('card_online', 'cash', 'card', 'other');

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "method" "payment_method",
ADD COLUMN     "taken_by_id" UUID;

-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "method" "payment_method",
ADD COLUMN     "paid_back_by_id" UUID;

-- CreateIndex
CREATE INDEX "payments_taken_by_id_idx" ON "payments"("taken_by_id");

-- CreateIndex
CREATE INDEX "refunds_paid_back_by_id_idx" ON "refunds"("paid_back_by_id");

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_taken_by_id_fkey" FOREIGN KEY ("taken_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_paid_back_by_id_fkey" FOREIGN KEY ("paid_back_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Nobody recorded how payments at the front desk were made. Most are cash, which is also the default of markOrderPaid.
UPDATE payments SET method = CASE provider WHEN 'on_site' THEN 'cash' ELSE 'card_online' END::payment_method;
-- A refund without the provider's ID was returned by hand.
UPDATE refunds r SET method = CASE
    WHEN p.provider = 'on_site' THEN 'cash' WHEN r.ref IS NULL THEN 'other' ELSE 'card_online' END::payment_method
  FROM payments p WHERE p.id = r.payment_id AND r.status = 'succeeded';

ALTER TABLE payments ALTER COLUMN method SET NOT NULL,
  ADD CONSTRAINT payments_method_of_provider CHECK ((method = 'card_online') = (provider <> 'on_site'));
COMMENT ON CONSTRAINT payments_method_of_provider ON payments IS
  'Payments through a provider, and only those, are paid by card online.';

ALTER TABLE refunds ADD CONSTRAINT refunds_method CHECK ((method IS NOT NULL) = (status = 'succeeded'));
COMMENT ON CONSTRAINT refunds_method ON refunds IS 'Every refund that was returned, and no other, says how.';
