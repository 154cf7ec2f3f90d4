import type { Context } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';

// The seats count against the order limits for as long as they are held, and for a whole window after that, as in `countSeats`.
const EXTEND_HOLD = prepareStatement(`
  WITH held AS (
    UPDATE orders o SET expires_at = $3::timestamptz, updated_at = $2::timestamptz,
      confirmed_hold_until = CASE WHEN o.confirmed_hold_until IS NOT NULL THEN $3::timestamptz END
    WHERE id = $1::uuid RETURNING o.expires_at, o.seat_keys,
      coalesce((SELECT e.limit_window_hours FROM events e WHERE e.id = o.event_id),
        (SELECT max(t.limit_window_hours) FROM day_passes p JOIN day_pass_types t ON t.id = p.type_id WHERE p.order_id = o.id)) AS hours),
  usage AS MATERIALIZED (
    SELECT u.key, held.expires_at + held.hours * interval '1 hour' AS ends_at
    FROM held JOIN seat_usages u ON u.key = ANY (held.seat_keys)
    WHERE u.window_ends_at > $2::timestamptz AND u.window_ends_at < held.expires_at
    ORDER BY u.key FOR NO KEY UPDATE OF u)
  UPDATE seat_usages u SET window_ends_at = usage.ends_at FROM usage WHERE u.key = usage.key`);

/** Holds an order longer, as if its buyer had confirmed it. Call it in a transaction that has locked the order. */
export const extendHold = (ctx: Context, id: string, until: Date): Promise<unknown> =>
  ctx.lockingSql(EXTEND_HOLD, [id, ctx.now(), until]);
