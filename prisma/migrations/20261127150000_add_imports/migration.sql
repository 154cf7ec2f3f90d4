-- CreateEnum
CREATE TYPE "import_kind" AS ENUM ('members', 'events', 'bookings');

-- CreateEnum
CREATE TYPE "import_state" AS ENUM ('running', 'finished', 'undone');

-- CreateEnum
CREATE TYPE "import_outcome" AS ENUM ('imported', 'updated', 'unchanged', 'skipped');

-- CreateTable
CREATE TABLE "imports" (
    "id" UUID NOT NULL,
    "kind" "import_kind" NOT NULL,
    "file_name" TEXT,
    "state" "import_state" NOT NULL DEFAULT 'running',
    "updates_existing" BOOLEAN NOT NULL DEFAULT false,
    "resource_id" UUID,
    "imported_count" INTEGER NOT NULL DEFAULT 0,
    "updated_count" INTEGER NOT NULL DEFAULT 0,
    "unchanged_count" INTEGER NOT NULL DEFAULT 0,
    "skipped_count" INTEGER NOT NULL DEFAULT 0,
    "started_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id"),
    -- An import that was undone says when, and no other does.
    CONSTRAINT "imports_undone_at" CHECK (("state" = 'undone') = ("undone_at" IS NOT NULL)),
    CONSTRAINT "imports_counts" CHECK (least("imported_count", "updated_count", "unchanged_count", "skipped_count") >= 0)
);

-- CreateTable
CREATE TABLE "import_rows" (
    "id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "outcome" "import_outcome" NOT NULL,
    "reason" TEXT,
    "subject_id" UUID,

    CONSTRAINT "import_rows_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_changes" (
    "id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "import_changes_pkey" PRIMARY KEY ("id"),
    -- Undoing knows what to do with these subjects. Without the fields of before, the import created the row.
    CONSTRAINT "import_changes_subject" CHECK ("subject_type" IN ('member', 'membership', 'team', 'event', 'booking')),
    CONSTRAINT "import_changes_fields" CHECK (("before" IS NULL) = ("after" IS NULL))
);

-- CreateIndex
CREATE INDEX "imports_created_at_id_idx" ON "imports"("created_at", "id");

-- CreateIndex
CREATE INDEX "imports_kind_created_at_id_idx" ON "imports"("kind", "created_at", "id");

-- CreateIndex
CREATE INDEX "imports_resource_id_idx" ON "imports"("resource_id");

-- CreateIndex
CREATE INDEX "imports_started_by_id_idx" ON "imports"("started_by_id");

-- CreateIndex
CREATE INDEX "import_rows_line_id_idx" ON "import_rows"("line", "id");

-- CreateIndex
CREATE INDEX "import_rows_import_id_line_id_idx" ON "import_rows"("import_id", "line", "id");

-- CreateIndex
CREATE INDEX "import_rows_import_id_outcome_line_id_idx" ON "import_rows"("import_id", "outcome", "line", "id");

-- CreateIndex
CREATE INDEX "import_rows_subject_id_idx" ON "import_rows"("subject_id");

-- CreateIndex
CREATE INDEX "import_changes_import_id_subject_type_subject_id_idx" ON "import_changes"("import_id", "subject_type", "subject_id");

-- CreateIndex
CREATE INDEX "import_changes_subject_id_idx" ON "import_changes"("subject_id");

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resources"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_started_by_id_fkey" FOREIGN KEY ("started_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_changes" ADD CONSTRAINT "import_changes_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;
