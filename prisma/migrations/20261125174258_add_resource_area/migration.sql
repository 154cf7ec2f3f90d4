-- AlterTable
ALTER TABLE "resources" ADD COLUMN     "area" TEXT;
