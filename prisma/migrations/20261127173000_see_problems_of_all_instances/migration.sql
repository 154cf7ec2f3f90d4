-- Runs beside: 0.2.0

-- When an instance last saw the problem: one with other settings, or of an older version, does not see it.
ALTER TABLE "system_problems" ADD COLUMN     "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
