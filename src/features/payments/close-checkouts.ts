import type { Ctx } from '../../context.ts';
import { statement } from '../../db/sql.ts';

const MOST_AT_ONCE = 100;
/** No provider keeps a page open for longer. */
const LONGEST_MS = 7 * 24 * 3_600_000;

/**
 * Has the provider take no more money for orders whose hold is over, so that few payments come too late. Each is told
 * once; where that fails, a late payment is dealt with when it comes.
 */
export async function closeCheckouts(ctx: Ctx, signal?: AbortSignal): Promise<number> {
  const { payments, log } = ctx;
  let closed = 0;
  if (!payments.close) return closed;
  for (let taken = 0; taken < MOST_AT_ONCE && !signal?.aborted; taken += 1) {
    const ref = await take(ctx);
    if (ref === undefined) break;
    try {
      await payments.close(ref);
      closed += 1;
    } catch (error) {
      log.warn({ err: error, checkout: ref }, 'a checkout was not closed');
    }
  }
  return closed;
}

const TAKE = statement(`
  WITH over AS (
    SELECT id, checkout_ref FROM orders
    WHERE created_at > $1::timestamptz AND status IN ('expired', 'cancelled')
      AND provider = $2::payment_provider AND checkout_ref IS NOT NULL AND checkout_url IS NOT NULL
    ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  UPDATE orders SET checkout_url = NULL FROM over WHERE orders.id = over.id
  RETURNING over.checkout_ref AS ref`);

async function take({ sql, now, payments }: Ctx): Promise<string | undefined> {
  const since = new Date(now().getTime() - LONGEST_MS);
  const [row] = await sql<{ ref: string }>(TAKE, [since, payments.provider]);
  return row?.ref;
}
