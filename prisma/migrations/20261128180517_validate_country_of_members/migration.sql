-- Runs beside: 0.2.0

ALTER TABLE "members" VALIDATE CONSTRAINT members_country;
