-- Runs beside: 0.2.0

ALTER TABLE events VALIDATE CONSTRAINT events_import_revision;
