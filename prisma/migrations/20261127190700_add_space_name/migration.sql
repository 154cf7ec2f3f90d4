-- Runs beside: 0.2.0

ALTER TABLE "setup" ADD COLUMN     "name" TEXT,
  ADD CONSTRAINT setup_name CHECK (btrim(name) <> '' AND char_length(name) <= 100) NOT VALID;
