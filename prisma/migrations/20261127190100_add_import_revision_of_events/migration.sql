-- Runs beside: 0.2.0

ALTER TABLE "events" ADD COLUMN     "import_revision" INTEGER,
  ADD CONSTRAINT events_import_revision CHECK (import_revision IS NULL OR import_revision > 0 AND import_uid IS NOT NULL) NOT VALID;
COMMENT ON CONSTRAINT events_import_revision ON events IS 'Only a row that was imported has a revision.';

CREATE TRIGGER events_forget_import_revision BEFORE UPDATE ON events
  FOR EACH ROW WHEN (OLD.import_revision IS NOT NULL AND NEW.import_revision IS NOT DISTINCT FROM OLD.import_revision)
  EXECUTE FUNCTION forget_import_revision();
COMMENT ON TRIGGER events_forget_import_revision ON events IS
  'A row has a revision only as long as nothing but imports has changed it. Imports raise it with each change.';
