-- Runs beside: 0.2.0

ALTER TABLE bookings VALIDATE CONSTRAINT bookings_import_revision;
