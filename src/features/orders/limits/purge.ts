import type { Ctx } from '../../../context.ts';
import { DAY_MS } from '../../../time.ts';
import { MAX_LIMIT_WINDOW_HOURS } from './settings.ts';

const BATCH_SIZE = 5_000;
/** The keys of orders and entries stay for as long as a window can last, and a day more. */
const KEY_RETENTION_MS = (MAX_LIMIT_WINDOW_HOURS / 24 + 1) * DAY_MS;
/** So far back the hourly run looks for keys, in case the service stood still meanwhile. */
const LOOK_BACK_MS = 60 * DAY_MS;

/** Deletes counters whose window has ended, and the hashed client addresses of orders that no window counts any more. */
export async function purgeSeatUsages({ db, now }: Ctx): Promise<number> {
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
