import type { Ctx } from '../../../context.ts';

/**
 * Sets resources free whose bookers have not arrived in time, where the resource says after how many minutes. The
 * price stays as it is. Answers with how many there were; for timed work, as often as one likes.
 */
export const releaseNoShows = ({ db, now }: Ctx): Promise<number> =>
  db.$executeRaw`
    UPDATE bookings b SET status = 'no_show', updated_at = late.now
    FROM resources r, (SELECT ${now()}::timestamptz AS now) late
    WHERE r.id = b.resource_id AND b.status = 'confirmed' AND b.checked_in_at IS NULL
      AND b.starts_at + r.no_show_minutes * interval '1 minute' <= late.now AND b.ends_at > late.now
      AND b.starts_at <= late.now AND b.starts_at > late.now - interval '31 days'`;
