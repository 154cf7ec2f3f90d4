-- Runs beside: 0.2.0

-- AlterTable
ALTER TABLE "disputes" ADD COLUMN     "uncovered_amount" INTEGER NOT NULL DEFAULT 0;
