-- A calendar feed belongs to the person who made it, is read with the rights of that person, and ends with them.

ALTER TABLE calendar_feeds ADD COLUMN created_by_id uuid;

-- The journal says who made a feed. A feed that is older than the journal belongs to the member whose bookings it shows.
UPDATE calendar_feeds feed SET created_by_id = coalesce(
  (SELECT maker.id FROM changes change JOIN users maker
     ON maker.id = change.actor_id AND change.actor_kind = 'staff'
     OR maker.member_id = change.actor_id AND change.actor_kind = 'member'
   WHERE change.subject_id = feed.id AND change.type = 'calendar_feed.created' LIMIT 1),
  CASE WHEN NOT EXISTS (
    SELECT FROM changes change WHERE change.subject_id = feed.id AND change.type = 'calendar_feed.created')
  THEN (SELECT holder.id FROM users holder WHERE holder.member_id = feed.member_id) END);

-- Nobody is known to have made the others, so they end.
UPDATE calendar_feeds SET revoked_at = CURRENT_TIMESTAMP WHERE created_by_id IS NULL AND revoked_at IS NULL;

ALTER TABLE calendar_feeds
  -- Only feeds that ended before makers were recorded have none.
  ADD CONSTRAINT calendar_feeds_created_by CHECK (created_by_id IS NOT NULL OR revoked_at IS NOT NULL),
  ADD CONSTRAINT calendar_feeds_created_by_id_fkey
    FOREIGN KEY (created_by_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE;
-- Finds the feeds of a person who is erased.
CREATE INDEX calendar_feeds_created_by_id_idx ON calendar_feeds (created_by_id);
