-- CreateEnum
CREATE TYPE "run_kind" AS ENUM ('job', 'queue');

-- CreateTable
CREATE TABLE "last_runs" (
    "kind" "run_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "succeeded_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "last_runs_pkey" PRIMARY KEY ("kind","name")
);

-- CreateTable
CREATE TABLE "system_problems" (
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "system_problems_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "last_backup" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    "file" TEXT NOT NULL,

    CONSTRAINT "last_backup_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "last_backup_is_one_row" CHECK ("id" = 1)
);
