-- Runs beside: 0.2.0

-- Parts without a sender are those of older versions. They are deleted after a day.
ALTER TABLE "import_file_parts" ADD COLUMN     "sent_by_id" UUID;

-- CreateIndex
CREATE INDEX "import_file_parts_sent_by_id_idx" ON "import_file_parts"("sent_by_id");

-- AddForeignKey
ALTER TABLE "import_file_parts" ADD CONSTRAINT "import_file_parts_sent_by_id_fkey" FOREIGN KEY ("sent_by_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
