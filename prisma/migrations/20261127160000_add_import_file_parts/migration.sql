-- Runs beside: 0.2.0

-- CreateTable
CREATE TABLE "import_file_parts" (
    "id" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "import_file_parts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "import_file_parts_position" CHECK ("position" >= 0)
);

-- CreateIndex
CREATE INDEX "import_file_parts_created_at_idx" ON "import_file_parts"("created_at");

-- A part that is sent again replaces itself.
CREATE UNIQUE INDEX "import_file_parts_file_id_position_key" ON "import_file_parts"("file_id", "position");
