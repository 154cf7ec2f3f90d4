-- AlterTable
ALTER TABLE "changes" ADD COLUMN     "agent" TEXT;
