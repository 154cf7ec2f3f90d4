-- AlterTable
ALTER TABLE "check_ins" ADD COLUMN     "check_out_hash" BYTEA,
ADD COLUMN     "check_out_salt" BYTEA;

-- CreateTable
CREATE TABLE "known_browsers" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_browsers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "known_browsers_hash_idx" ON "known_browsers"("hash");

-- CreateIndex
CREATE INDEX "known_browsers_last_used_at_idx" ON "known_browsers"("last_used_at");

-- CreateIndex
CREATE UNIQUE INDEX "known_browsers_user_id_hash_key" ON "known_browsers"("user_id", "hash");

-- CreateIndex
CREATE UNIQUE INDEX "check_ins_check_out_hash_key" ON "check_ins"("check_out_hash");

-- AddForeignKey
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A token ends a visit, and nothing else.
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_check_out_hash_of_visit"
  CHECK ("check_out_hash" IS NULL OR ("result" = 'admitted' AND octet_length("check_out_hash") = 32));
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_hash_length" CHECK (octet_length("hash") = 32);

-- Scan ids are stored as hashes from now on. What is answered again is at most a week old.
UPDATE "check_ins" SET "scan_id" = rtrim(translate(encode(sha256(convert_to('["scan",' || to_json("scan_id")::text || ']', 'UTF8')), 'base64'), '+/', '-_'), '=')
  WHERE "scan_id" IS NOT NULL;

-- Counters have other keys from now on; the old ones would stay until their purge.
DELETE FROM "rate_limits";
