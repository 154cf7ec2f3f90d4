-- Runs beside: 0.2.0

-- AlterTable
-- Who reads a country gets a code: the form, the journal and later invoices rely on it.
ALTER TABLE "teams" ADD COLUMN     "address" TEXT,
ADD COLUMN     "city" TEXT,
ADD COLUMN     "country" TEXT,
ADD COLUMN     "customer_number" TEXT,
ADD COLUMN     "postcode" TEXT,
ADD CONSTRAINT teams_country CHECK (country ~ '^[A-Z]{2}$') NOT VALID;
