import type { Ctx } from '../../context.ts';
import { DAY_MS } from '../../time.ts';

const KEPT_DAYS = 30;
/** What was told so long ago has been looked at. */
const LOOKED_AT_DAYS = 90;

/**
 * Timed work: takes away attempts that let nobody in, whoever it was. Visits stay, and with them who said that they left.
 * Answers with how many there were.
 */
export function forgetRefusals({ db, now }: Ctx): Promise<number> {
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS).toISOString();
  const [until, since] = [ago(KEPT_DAYS), ago(LOOKED_AT_DAYS)];
  // Of a used ticket the answer is "checked out" too: that is a departure only where a visit ended at that instant.
  return db.$executeRaw`
    DELETE FROM check_ins WHERE result <> 'admitted' AND created_at < ${until}::timestamptz
      AND (result <> 'checked_out' OR created_at > ${since}::timestamptz AND (location_id, occurred_at) NOT IN (
        SELECT location_id, checked_out_at FROM check_ins
        WHERE result = 'admitted' AND checked_out_at > ${since}::timestamptz - interval '10 days'))`;
}
