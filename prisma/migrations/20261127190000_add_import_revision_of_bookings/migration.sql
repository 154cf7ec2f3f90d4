-- Runs beside: 0.2.0

ALTER TABLE "bookings" ADD COLUMN     "import_revision" INTEGER,
  ADD CONSTRAINT bookings_import_revision CHECK (import_revision IS NULL OR import_revision > 0 AND import_uid IS NOT NULL) NOT VALID;
COMMENT ON CONSTRAINT bookings_import_revision ON bookings IS 'Only a row that was imported has a revision.';

-- A migration that changes imported rows must raise import_revision too, or imports take it for a change in Foyer.
CREATE FUNCTION forget_import_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.import_revision := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER bookings_forget_import_revision BEFORE UPDATE ON bookings
  FOR EACH ROW WHEN (OLD.import_revision IS NOT NULL AND NEW.import_revision IS NOT DISTINCT FROM OLD.import_revision)
  EXECUTE FUNCTION forget_import_revision();
COMMENT ON TRIGGER bookings_forget_import_revision ON bookings IS
  'A row has a revision only as long as nothing but imports has changed it. Imports raise it with each change.';
