-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "browser" TEXT,
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "disabled_at" TIMESTAMPTZ(3),
ADD COLUMN     "invited_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_active_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "staff_links" (
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_links_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "staff_links_token_hash_key" ON "staff_links"("token_hash");

-- CreateIndex
CREATE INDEX "staff_links_expires_at_idx" ON "staff_links"("expires_at");

-- AddForeignKey
ALTER TABLE "staff_links" ADD CONSTRAINT "staff_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What Prisma's schema language cannot say.

-- Whoever has a password has accepted the invitation; members are not invited.
ALTER TABLE "users" ADD CONSTRAINT "users_invited" CHECK ("invited_at" IS NULL OR ("role" IS NOT NULL AND "password_hash" IS NULL));
-- A member's account ends with the membership record; only staff accounts are disabled.
ALTER TABLE "users" ADD CONSTRAINT "users_disabled" CHECK ("disabled_at" IS NULL OR "role" IS NOT NULL);

-- Keeps this invariant: once a space has an active owner, it has one forever. An owner is active who has accepted the
-- invitation and is not disabled. The lock makes changes wait for each other that would each leave the other's owner, so
-- that two owners who demote each other at the same moment do not both succeed; the query after it sees what the other
-- one has committed (READ COMMITTED).
CREATE FUNCTION keep_an_active_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('foyer.active_owner', 0));
  IF NOT EXISTS (SELECT FROM users WHERE role = 'owner' AND disabled_at IS NULL AND invited_at IS NULL) THEN
    RAISE EXCEPTION 'users_keep_an_active_owner' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_keep_an_active_owner';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_keep_an_active_owner_on_update AFTER UPDATE OF "role", "disabled_at", "invited_at" ON "users"
  FOR EACH ROW WHEN (
    OLD."role" = 'owner' AND OLD."disabled_at" IS NULL AND OLD."invited_at" IS NULL
    AND (NEW."role" IS DISTINCT FROM 'owner' OR NEW."disabled_at" IS NOT NULL OR NEW."invited_at" IS NOT NULL))
  EXECUTE FUNCTION keep_an_active_owner();
CREATE TRIGGER users_keep_an_active_owner_on_delete AFTER DELETE ON "users"
  FOR EACH ROW WHEN (OLD."role" = 'owner' AND OLD."disabled_at" IS NULL AND OLD."invited_at" IS NULL)
  EXECUTE FUNCTION keep_an_active_owner();
