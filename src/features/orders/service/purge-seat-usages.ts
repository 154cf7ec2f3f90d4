import type { Context } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { MAX_LIMIT_WINDOW_HOURS } from '../../order-limits/rows.ts';

const BATCH_SIZE = 5_000;
/** Keys of orders and entries are retained for the longest window, plus a day. */
const KEY_RETENTION_MS = (MAX_LIMIT_WINDOW_HOURS / 24 + 1) * DAY_MS;
/** How far back the hourly run searches for keys, in case the service was down. */
const LOOK_BACK_MS = 60 * DAY_MS;

/**
 * Job: deletes counters whose window has ended, and the hashed addresses in old orders. Returns the number of changed
 * orders and entries.
 */
export async function purgeSeatUsages({ db, now }: Context): Promise<number> {
  await db.$executeRaw`DELETE FROM seat_usages WHERE window_ends_at <= ${now()}::timestamptz`;
  const before = new Date(now().getTime() - KEY_RETENTION_MS);
  const after = new Date(before.getTime() - LOOK_BACK_MS);
  let purged = 0;
  for (const table of ['orders', 'waitlist_entries']) {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; purged += count) {
      count = await db.$executeRawUnsafe(
        `UPDATE ${table} SET seat_keys = '{}' WHERE id IN (
          SELECT id FROM ${table}
          WHERE created_at <= $1::timestamptz AND created_at > $2::timestamptz AND seat_keys <> '{}'
          LIMIT ${BATCH_SIZE} FOR NO KEY UPDATE SKIP LOCKED)`,
        before,
        after,
      );
    }
  }
  return purged;
}
