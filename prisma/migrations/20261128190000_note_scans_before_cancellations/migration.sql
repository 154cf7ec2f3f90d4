-- Runs beside: 0.2.0

ALTER TABLE "check_ins" ADD COLUMN "before_cancellation" BOOLEAN NOT NULL DEFAULT false;
