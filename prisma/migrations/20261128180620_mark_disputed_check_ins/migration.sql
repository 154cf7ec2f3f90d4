-- Runs beside: 0.2.0

ALTER TABLE "check_ins" ADD COLUMN "disputed" BOOLEAN NOT NULL DEFAULT false;
