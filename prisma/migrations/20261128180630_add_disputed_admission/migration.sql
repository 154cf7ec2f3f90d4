-- Runs beside: 0.2.0

CREATE TYPE "disputed_admission" AS ENUM ('ask', 'admit', 'reject');

ALTER TABLE "setup" ADD COLUMN "disputed_admission" "disputed_admission" NOT NULL DEFAULT 'ask';
