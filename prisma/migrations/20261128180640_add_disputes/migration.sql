-- Runs beside: 0.2.0

CREATE TYPE "dispute_status" AS ENUM ('open', 'won', 'lost');

CREATE TABLE "disputes" (
    "provider" "payment_provider" NOT NULL,
    "ref" TEXT NOT NULL,
    "order_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "amount" INTEGER NOT NULL,
    "reason" TEXT,
    "status" "dispute_status" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "disputes_pkey" PRIMARY KEY ("provider","ref"),
    CONSTRAINT "disputes_amount" CHECK ("amount" >= 0),
    -- A dispute has ended exactly if its outcome is known.
    CONSTRAINT "disputes_ended_at" CHECK (("status" = 'open') = ("ended_at" IS NULL))
);

CREATE INDEX "disputes_order_id_idx" ON "disputes"("order_id");
CREATE INDEX "disputes_payment_id_idx" ON "disputes"("payment_id");
-- For the list of disputed orders.
CREATE INDEX "disputes_open_idx" ON "disputes"("order_id") WHERE "status" = 'open';

ALTER TABLE "disputes" ADD CONSTRAINT "disputes_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
