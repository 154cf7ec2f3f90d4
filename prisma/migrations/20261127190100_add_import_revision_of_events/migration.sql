-- Runs beside: 0.2.0

ALTER TABLE "events" ADD COLUMN     "import_revision" INTEGER,
  ADD CONSTRAINT events_import_revision CHECK (import_revision IS NULL OR import_revision > 0 AND import_uid IS NOT NULL);
COMMENT ON CONSTRAINT events_import_revision ON events IS 'Only a row that was imported has a revision.';

-- Imports change what lies ahead and was not changed since it was imported. The journal says so of earlier imports.
UPDATE events row SET import_revision = 1
WHERE row.import_uid IS NOT NULL AND row.starts_at > now()
  AND EXISTS (SELECT FROM changes c WHERE c.subject_id = row.id AND c.type = 'event.created')
  AND NOT EXISTS (SELECT FROM changes c WHERE c.subject_id = row.id AND c.type <> 'event.created');

CREATE TRIGGER events_forget_import_revision BEFORE UPDATE ON events
  FOR EACH ROW WHEN (OLD.import_revision IS NOT NULL AND NEW.import_revision IS NOT DISTINCT FROM OLD.import_revision)
  EXECUTE FUNCTION forget_import_revision();
COMMENT ON TRIGGER events_forget_import_revision ON events IS
  'A row has a revision only as long as nothing but imports has changed it. Imports raise it with each change.';
