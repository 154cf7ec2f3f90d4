-- Plans count elapsed minutes. Only a resource that is booked by the day counts 24 hours for a day that has 23 or 25.
ALTER TABLE bookings ADD COLUMN clock_change_minutes integer NOT NULL DEFAULT 0;

-- Bookings of whole days across a clock change.
UPDATE bookings b
SET clock_change_minutes = d.counted - d.elapsed
FROM (
  SELECT o.id, (extract(epoch FROM o.ends_at - o.starts_at) / 60)::int AS elapsed,
    1440 * ((o.ends_at AT TIME ZONE l.time_zone)::date - (o.starts_at AT TIME ZONE l.time_zone)::date) AS counted
  FROM bookings o JOIN resources r ON r.id = o.resource_id JOIN locations l ON l.id = o.location_id
  WHERE r.slot_interval_minutes = 1440
    AND o.starts_at = (o.starts_at AT TIME ZONE l.time_zone)::date::timestamp AT TIME ZONE l.time_zone
    AND o.ends_at = (o.ends_at AT TIME ZONE l.time_zone)::date::timestamp AT TIME ZONE l.time_zone
) d
WHERE b.id = d.id AND d.counted <> d.elapsed;

-- Before, intervals of more than an hour counted local time, so that a plan could cover more minutes than elapsed.
UPDATE bookings
SET clock_change_minutes = included_minutes - (extract(epoch FROM ends_at - starts_at) / 60)::int
WHERE included_minutes > extract(epoch FROM ends_at - starts_at) / 60 + clock_change_minutes;

ALTER TABLE bookings
  -- A plan never covers more minutes than a booking has.
  ADD CONSTRAINT bookings_included_within_length CHECK (
    included_minutes <= extract(epoch FROM ends_at - starts_at) / 60 + clock_change_minutes
  );
