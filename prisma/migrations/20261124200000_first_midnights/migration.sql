-- Bookings of whole days that begin or end at the first of two midnights, such as in Havana in November. The migration
-- `clock_changes` left them out, because PostgreSQL takes the second midnight.
UPDATE bookings b
SET clock_change_minutes = greatest(d.counted, b.included_minutes) - d.elapsed
FROM (
  SELECT o.id, (extract(epoch FROM o.ends_at - o.starts_at) / 60)::int AS elapsed,
    1440 * ((o.ends_at AT TIME ZONE l.time_zone)::date - (o.starts_at AT TIME ZONE l.time_zone)::date) AS counted
  FROM bookings o JOIN resources r ON r.id = o.resource_id JOIN locations l ON l.id = o.location_id
  WHERE r.slot_interval_minutes = 1440 AND o.clock_change_minutes = 0
    AND (o.starts_at AT TIME ZONE l.time_zone)::time = '00:00' AND (o.ends_at AT TIME ZONE l.time_zone)::time = '00:00'
    AND (o.starts_at AT TIME ZONE l.time_zone = (o.starts_at + interval '1 hour') AT TIME ZONE l.time_zone
      OR o.ends_at AT TIME ZONE l.time_zone = (o.ends_at + interval '1 hour') AT TIME ZONE l.time_zone)
) d
WHERE b.id = d.id AND d.counted <> d.elapsed;
