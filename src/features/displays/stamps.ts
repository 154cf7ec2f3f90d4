import type { Ctx } from '../../context.ts';
import { DAY_MS } from '../../time.ts';

/**
 * Counts the rows that tell of changes and deletes them, in one statement: the stamp of a location, which is the sum of
 * both, stays what it is. For timed work, as often as one likes.
 */
export const foldChanges = ({ db }: Ctx): Promise<number> =>
  db.$executeRaw`
    WITH counted AS (DELETE FROM display_content_changes RETURNING location_id)
    INSERT INTO display_content_versions AS s (location_id, changes)
    SELECT location_id, count(*) FROM counted GROUP BY location_id ORDER BY location_id
    ON CONFLICT (location_id) DO UPDATE SET changes = s.changes + EXCLUDED.changes`;

const KEPT_MS = 90 * DAY_MS;

/** Deletes what is told of displays that came and went more than 90 days ago. */
export const forgetStatusChanges = ({ db, now }: Ctx) =>
  db.displayStatusChange.deleteMany({ where: { at: { lt: new Date(now().getTime() - KEPT_MS) } } });
