import { system } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { RetryableConflict } from '../../../errors.ts';
import { endPendingOrders } from '../end-pending-orders.ts';

const EXPIRE_BATCH_SIZE = 200;

/** Orders whose holds to end: those of one event, or of all. */
interface OverdueScope {
  eventId?: string;
}

/**
 * Expires pending orders of one event, or of all, whose hold has ended, and releases their stock. Returns the number of
 * expired orders. Concurrent calls never expire the same order twice.
 */
export const expireOrders = async (ctx: Context, where: OverdueScope = {}): Promise<number> =>
  (await expireUnlockedOrders(ctx, where)).expired;

/**
 * Does the same for a buyer who needs the stock. If other transactions are ending the last overdue orders, it waits for them, or
 * the buyer would be judged by the stock before their release. Returns whether stock can have been released.
 *
 * @throws RetryableConflict in a transaction, which must not wait: the others can be waiting for its locks.
 */
export async function releaseOverdueHolds(ctx: Context, where: OverdueScope): Promise<boolean> {
  const { expired, isOverdueLeft } = await expireUnlockedOrders(ctx, where);
  if (expired > 0 || !isOverdueLeft) return expired > 0;
  if (ctx.isInTransaction)
    throw new RetryableConflict(
      { reason: 'TRY_AGAIN' },
      'Tickets of other orders are being released. Try again.',
    );
  await asSystem(ctx, (tx) => expireOrderBatch(tx, where, { waits: true }));
  return true;
}

interface ExpiredOrders {
  expired: number;
  /** Whether concurrent transactions have locked overdue orders, to expire or to confirm them. */
  isOverdueLeft: boolean;
}

async function expireUnlockedOrders(ctx: Context, where: OverdueScope): Promise<ExpiredOrders> {
  let total = 0;
  for (;;) {
    const { expired, isOverdueLeft } = await asSystem(ctx, (tx) => expireOrderBatch(tx, where));
    total += expired;
    if (expired < EXPIRE_BATCH_SIZE) return { expired: total, isOverdueLeft };
  }
}

/** Nobody expires orders. The viewer can be another buyer, who needs the stock. */
const asSystem = <T>(ctx: Context, work: (tx: Context) => Promise<T>) =>
  runInTransaction({ ...ctx, viewer: system }, work);

/** Finds overdue orders. `$1` is the current time and `$2` the event, or null. */
const toFindOverdueSql = (end: string) => `
  SELECT id FROM orders
  WHERE status = 'pending' AND expires_at <= $1::timestamptz AND ($2::uuid IS NULL OR event_id = $2::uuid) ${end}`;

const toLockOverdueSql = (lock: string) => `
  WITH locked AS MATERIALIZED (${toFindOverdueSql(`ORDER BY id LIMIT ${EXPIRE_BATCH_SIZE} ${lock}`)})
  SELECT (SELECT coalesce(json_agg(id ORDER BY id), '[]'::json) FROM locked) AS ids,
    EXISTS (${toFindOverdueSql('')}) AS "isOverdueLeft"`;

// A concurrent payment can have locked an order. The job leaves it to its next run.
const LOCK_OVERDUE = toLockOverdueSql('FOR UPDATE SKIP LOCKED');
const WAIT_AND_LOCK_OVERDUE = toLockOverdueSql('FOR UPDATE');

async function expireOrderBatch(
  ctx: Context,
  { eventId }: OverdueScope,
  { waits } = { waits: false },
): Promise<ExpiredOrders> {
  const [row] = await ctx.db.$queryRawUnsafe<{ ids: string[]; isOverdueLeft: boolean }[]>(
    waits ? WAIT_AND_LOCK_OVERDUE : LOCK_OVERDUE,
    ctx.now(),
    eventId ?? null,
  );
  const { ids = [], isOverdueLeft = false } = row ?? {};
  if (ids.length > 0) await endPendingOrders(ctx, ids, 'expired');
  return { expired: ids.length, isOverdueLeft };
}
