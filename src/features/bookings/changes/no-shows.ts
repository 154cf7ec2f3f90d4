import type { Ctx } from '../../../context.ts';

/**
 * Sets resources free whose bookers have not arrived in time, where the resource says after how many minutes: from the
 * start, or from when it was last changed, such as for somebody who walked in later. Members who are in at the location
 * have arrived. The price stays as it is. Answers with how many there were; for timed work, as often as one likes.
 */
export const releaseNoShows = ({ db, now }: Ctx): Promise<number> =>
  db.$executeRaw`
    UPDATE bookings b SET status = 'no_show', updated_at = late.now
    FROM (
      SELECT o.id, late.now FROM bookings o JOIN resources r ON r.id = o.resource_id,
        (SELECT ${now()}::timestamptz AS now) late
      WHERE o.status = 'confirmed' AND o.checked_in_at IS NULL AND o.ends_at > late.now
        AND o.starts_at <= late.now AND o.starts_at > late.now - interval '31 days'
        AND greatest(o.starts_at, o.updated_at) + r.no_show_minutes * interval '1 minute' <= late.now
        AND NOT EXISTS (
          SELECT FROM check_ins c WHERE c.member_id = o.member_id AND c.location_id = o.location_id
            AND c.result = 'admitted' AND c.checked_out_at IS NULL AND c.auto_check_out_at > late.now)
      ORDER BY o.id FOR UPDATE OF o SKIP LOCKED) late
    WHERE b.id = late.id`;
