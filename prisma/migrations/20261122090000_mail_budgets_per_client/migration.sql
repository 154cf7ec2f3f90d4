-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "client_key" TEXT;

-- AlterTable
ALTER TABLE "mail_budgets" ADD COLUMN     "client_key" TEXT NOT NULL DEFAULT '',
DROP CONSTRAINT "mail_budgets_pkey",
ADD CONSTRAINT "mail_budgets_pkey" PRIMARY KEY ("recipient_key", "client_key");
