import type { Context } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { MAX_LIMIT_WINDOW_HOURS } from '../../order-limits/rows.ts';

const BATCH_SIZE = 5_000;
/** Keys of orders and entries are retained for the longest window, plus a day. Those of unpaid orders stay as long as they are held. */
const KEY_RETENTION_MS = (MAX_LIMIT_WINDOW_HOURS / 24 + 1) * DAY_MS;
/** How far back the hourly run searches for keys of entries, in case the service was down. */
const LOOK_BACK_MS = 60 * DAY_MS;

const toPurgeSql = (table: string, condition: string) => `
  UPDATE ${table} SET seat_keys = '{}' WHERE id IN (
    SELECT id FROM ${table} WHERE created_at <= $1::timestamptz AND seat_keys <> '{}' AND ${condition}
    LIMIT ${BATCH_SIZE} FOR NO KEY UPDATE SKIP LOCKED)`;

const PURGE_ORDERS = toPurgeSql('orders', `status <> 'pending'`);
const PURGE_ENTRIES = toPurgeSql('waitlist_entries', 'created_at > $2::timestamptz');

/**
 * Job: deletes counters whose window has ended, and the hashed addresses in old orders. Returns the number of changed
 * orders and entries.
 */
export async function purgeSeatUsages({ db, now }: Context): Promise<number> {
  await db.$executeRaw`DELETE FROM seat_usages WHERE window_ends_at <= ${now()}::timestamptz`;
  const before = new Date(now().getTime() - KEY_RETENTION_MS);
  const after = new Date(before.getTime() - LOOK_BACK_MS);
  const purge = async (...[sql, ...values]: [string, ...Date[]]) => {
    let purged = 0;
    for (let count = BATCH_SIZE; count === BATCH_SIZE; purged += count)
      count = await db.$executeRawUnsafe(sql, ...values);
    return purged;
  };
  return (await purge(PURGE_ORDERS, before)) + (await purge(PURGE_ENTRIES, before, after));
}
