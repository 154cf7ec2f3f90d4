-- AlterTable
ALTER TABLE "closures" ADD COLUMN     "announcement" TEXT;

-- CreateTable
CREATE TABLE "closure_bookings" (
    "closure_id" UUID NOT NULL,
    "booking_id" UUID NOT NULL,
    "cancelled" BOOLEAN NOT NULL,
    "emailed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "closure_bookings_pkey" PRIMARY KEY ("closure_id","booking_id")
);

-- CreateIndex
CREATE INDEX "closure_bookings_booking_id_idx" ON "closure_bookings"("booking_id");

-- AddForeignKey
ALTER TABLE "closure_bookings" ADD CONSTRAINT "closure_bookings_closure_id_fkey" FOREIGN KEY ("closure_id") REFERENCES "closures"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "closure_bookings" ADD CONSTRAINT "closure_bookings_booking_id_fkey" FOREIGN KEY ("booking_id") REFERENCES "bookings"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "closure_recipients" (
    "closure_id" UUID NOT NULL,
    "recipient_key" TEXT NOT NULL,
    "emailed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "closure_recipients_pkey" PRIMARY KEY ("closure_id","recipient_key")
);

-- AddForeignKey
ALTER TABLE "closure_recipients" ADD CONSTRAINT "closure_recipients_closure_id_fkey" FOREIGN KEY ("closure_id") REFERENCES "closures"("id") ON DELETE CASCADE ON UPDATE CASCADE;
