-- CreateEnum
CREATE TYPE "webhook_owner_kind" AS ENUM ('user', 'token', 'system');

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "owner_kind" "webhook_owner_kind" NOT NULL DEFAULT 'system',
ADD COLUMN     "owner_token_id" UUID,
ADD COLUMN     "owner_user_id" UUID;

-- CreateIndex
CREATE INDEX "webhook_endpoints_owner_user_id_idx" ON "webhook_endpoints"("owner_user_id");

-- CreateIndex
CREATE INDEX "webhook_endpoints_owner_token_id_idx" ON "webhook_endpoints"("owner_token_id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_owner_user_id_fkey" FOREIGN KEY ("owner_user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_owner_token_id_fkey" FOREIGN KEY ("owner_token_id") REFERENCES "api_tokens"("id") ON DELETE SET NULL ON UPDATE CASCADE;


-- What Prisma's schema language cannot say.

-- Nobody knows who made the webhooks there are: they go on as before. New ones always say whose they are.
ALTER TABLE "webhook_endpoints" ALTER COLUMN "owner_kind" DROP DEFAULT;

-- An owner that was deleted leaves its kind behind, so that its webhooks stay stopped.
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_owner" CHECK (
  ("owner_user_id" IS NULL OR "owner_kind" = 'user') AND ("owner_token_id" IS NULL OR "owner_kind" = 'token'));

-- These scopes protected nothing. A token that had no others is left with what is open to everybody.
UPDATE "api_tokens" SET "scopes" = array_remove(array_remove("scopes", 'reports:read'), 'reports:write')
WHERE "scopes" && ARRAY['reports:read', 'reports:write'];

-- Plans have scopes of their own. Who could read them still can; changing their prices has to be granted anew.
UPDATE "api_tokens" SET "scopes" = "scopes" || 'plans:read'::text
WHERE 'members:read' = ANY ("scopes") AND NOT 'plans:read' = ANY ("scopes");
