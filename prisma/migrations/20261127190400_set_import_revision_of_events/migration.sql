-- Runs beside: 0.2.0

-- An older version cannot change a row after the journal was read. Reads go on.
LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE;

-- Imports change what lies ahead and was not changed since it was imported. The journal says so of earlier imports. Partial
-- indexes find the changes of a row, those with a position and those without.
UPDATE events row SET import_revision = 1
WHERE row.import_uid IS NOT NULL AND row.starts_at > now()
  AND (SELECT bool_and(c.type = 'event.created') FROM (
    SELECT type FROM changes WHERE subject_id = row.id AND position IS NOT NULL
    UNION ALL SELECT type FROM changes WHERE subject_id = row.id AND position IS NULL) c);
