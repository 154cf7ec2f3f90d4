-- AlterTable
ALTER TABLE "orders" ALTER COLUMN "buyer_email" DROP NOT NULL;
