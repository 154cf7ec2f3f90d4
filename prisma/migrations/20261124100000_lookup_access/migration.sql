CREATE TYPE lookup_access AS ENUM ('public', 'kiosks');

-- Who may look members up and check them in by handle. Null: public until the first kiosk of the location is paired.
ALTER TABLE locations ADD COLUMN lookup_access lookup_access;
UPDATE locations l SET lookup_access = 'kiosks'
WHERE l.lookup_needs_kiosk OR EXISTS (
  SELECT FROM displays d WHERE d.location_id = l.id AND d.kind = 'kiosk' AND d.revoked_at IS NULL);
ALTER TABLE locations DROP COLUMN lookup_needs_kiosk;
