-- Runs beside: 0.2.0

ALTER TABLE setup VALIDATE CONSTRAINT setup_name;
