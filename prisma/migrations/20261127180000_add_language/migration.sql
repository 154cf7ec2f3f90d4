-- Runs beside: 0.2.0

-- No CHECK lists the languages: a newer version can have more. Older ones show English instead of a language that they do not have.
ALTER TABLE "setup" ADD COLUMN     "language" TEXT;
