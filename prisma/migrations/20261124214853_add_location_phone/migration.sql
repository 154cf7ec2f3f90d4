-- AlterTable
ALTER TABLE "locations" ADD COLUMN     "phone" TEXT;
