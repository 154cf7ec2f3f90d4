import { type Context, runInTransaction } from '../../../context.ts';
import type { InputOf } from '../../../core/validation.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError } from '../../../errors.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { extendHold } from '../extend-hold.ts';
import type { extendOrderHoldInput } from '../inputs.ts';
import { type Order, orderNotLive, toLatestHoldSql } from '../types.ts';
import { loadOrder, lockOrder } from './find-orders.ts';

const FIND_LATEST = prepareStatement(
  `SELECT ${toLatestHoldSql('o')} AS latest FROM orders o WHERE o.id = $1::uuid`,
);

/**
 * Holds an order longer that is paid at the front desk, at most until its event starts, or until the location closes on the day of
 * its passes. The buyer need not confirm it any more. Sends no email.
 *
 * @throws NOT_FOUND; CONFLICT: NOT_LIVE, or HOLD_FIXED if it is not paid at the front desk; VALIDATION: HOLD_NOT_LONGER, HOLD_TOO_LONG
 *
 * @example
 * await extendOrderHold(ctx, { id: order.id, until: new Date('2026-03-25T17:00:00Z') });
 */
export const extendOrderHold = (
  ctx: Context,
  { id, until }: InputOf<typeof extendOrderHoldInput>,
): Promise<Order> =>
  runInTransaction(ctx, async (ctx) => {
    const { status, expiresAt } = await lockOrder(ctx, id);
    const { payment } = await loadOrder(ctx, id);
    if (status !== 'pending' || expiresAt === null || expiresAt <= ctx.now())
      throw orderNotLive({ status: status === 'pending' ? 'expired' : status });
    if (payment?.provider !== 'on_site')
      throw new DomainError(
        'CONFLICT',
        'Only orders that are paid at the front desk can be held longer.',
        { reason: 'HOLD_FIXED' },
      );
    // Until the buyer confirms it, an order is held until `expiresAt` only, whatever the confirmation would give it.
    if (until <= expiresAt)
      throw invalidEnd(
        'HOLD_NOT_LONGER',
        'The order is already held until then. Choose a later time.',
        expiresAt,
      );
    const [row] = await ctx.lockingSql<{ latest: Date | null }>(FIND_LATEST, [id]);
    if (!row?.latest || until > row.latest)
      throw invalidEnd(
        'HOLD_TOO_LONG',
        'Choose a time before the event starts, or before the location closes on the day of the pass.',
        row?.latest ?? expiresAt,
      );
    await recordUpdated(ctx, 'order.hold_extended', [id], () => extendHold(ctx, id, until));
    return loadOrder(ctx, id);
  });

const invalidEnd = (reason: 'HOLD_NOT_LONGER' | 'HOLD_TOO_LONG', message: string, at: Date) =>
  new DomainError('VALIDATION', `until: ${message}`, {
    reason,
    ...(reason === 'HOLD_TOO_LONG' ? { latest: at } : { heldUntil: at }),
    fields: [{ field: 'until', message }],
  });
