-- Runs beside: 0.2.0

-- AlterTable
ALTER TABLE "disputes" ADD COLUMN     "currency" CHAR(3);
