-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "previous_id" UUID;

-- CreateIndex
CREATE INDEX "memberships_previous_id_idx" ON "memberships"("previous_id");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_previous_id_fkey" FOREIGN KEY ("previous_id") REFERENCES "memberships"("id") ON DELETE SET NULL ON UPDATE CASCADE;
