-- Runs beside: 0.2.0

ALTER TABLE "teams" VALIDATE CONSTRAINT teams_country;
