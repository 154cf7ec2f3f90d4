-- AlterTable
ALTER TABLE "locations" ADD COLUMN     "embed_origins" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "public_availability" BOOLEAN NOT NULL DEFAULT false;
