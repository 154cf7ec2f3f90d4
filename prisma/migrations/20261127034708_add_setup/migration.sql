-- CreateTable
CREATE TABLE "setup" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "checklist_dismissed_at" TIMESTAMPTZ(3),
    "test_email_sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "setup_pkey" PRIMARY KEY ("id"),
    -- Whoever creates the first owner locks the only row, so that there is one first owner.
    CONSTRAINT "setup_is_one_row" CHECK ("id" = 1)
);

-- CreateTable
CREATE TABLE "setup_codes" (
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "setup_codes_pkey" PRIMARY KEY ("hash")
);

-- Spaces that work already need no checklist.
INSERT INTO "setup" ("checklist_dismissed_at") SELECT now() WHERE EXISTS (SELECT FROM "users" WHERE "role" = 'owner');
