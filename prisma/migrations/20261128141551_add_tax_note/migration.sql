-- Runs beside: 0.2.0

-- CreateEnum
CREATE TYPE "tax_note" AS ENUM ('none', 'included');

-- AlterTable
ALTER TABLE "setup" ADD COLUMN "tax_note" "tax_note" NOT NULL DEFAULT 'none';
