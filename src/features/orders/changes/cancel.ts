import { type Ctx, inTransaction } from '../../../context.ts';
import { DomainError } from '../../../errors.ts';
import * as outbox from '../../../mail/outbox.ts';
import { portalUrl } from '../addresses.ts';
import { cancelled } from '../letters/changes.ts';
import { lockOrder } from '../lock.ts';
import type { Order } from '../order.ts';
import { giveBack } from '../payments/refund.ts';
import { idOf, read } from '../service.ts';
import { endHolds } from '../stock/expire.ts';
import { letGo } from '../stock/release.ts';
import { type Admission, endAdmissions, tellHolders, validOf } from './end.ts';
import { alreadyUsed, usedOf } from './used.ts';

/**
 * The buyer gives up an order, or these tickets and passes of it; what was paid for them goes back. Throws NOT_FOUND
 * for an unknown secret; VALIDATION, reason TICKET_UNKNOWN, for what is not valid in it; CONFLICT where the order has
 * ended (NOT_LIVE), the event or the day has begun (STARTED), its refund policy says no (REFUND_CLOSED), or nothing is
 * meant but what has let somebody in (ALREADY_USED): that stays as it is, whatever else is given up.
 */
export async function cancelBySecret(
  ctx: Ctx,
  secret: string,
  ticketIds: string[] | undefined,
): Promise<Order> {
  const id = await idOf(ctx, secret);
  // In the rush of a sale most change their mind before they have paid.
  if (!ctx.atomic && !ticketIds && (await letGo(ctx, id))) return read(ctx, id, secret);
  return inTransaction(ctx, async (ctx) => {
    const { status } = await lockOrder(ctx, id);
    if (status === 'pending') {
      if (ticketIds) chosen([], ticketIds); // a hold has issued none, and ends as a whole
      await endHolds(ctx, [id], 'cancelled');
      return read(ctx, id, secret);
    }
    const used = await usedOf(ctx, id);
    const order = await read(ctx, id, secret);
    if (status !== 'paid') throw notLive(order);
    const named = chosen(await validOf(ctx, id), ticketIds);
    const meant = named.filter((one) => !used.has(one.id));
    if (named.length > 0 && meant.length === 0)
      throw alreadyUsed(named, 'what is used can no longer be cancelled. Ask at the desk.');
    if (!order.may.cancel) throw notAnyMore(ctx, order);
    await endAdmissions(ctx, id, meant);
    const amount = meant.reduce((sum, one) => sum + one.amount, 0);
    const rest = await giveBack(ctx, id, amount, 'Cancelled by the buyer.');
    const after = await read(ctx, id, secret);
    const refund = amount - rest;
    await outbox.send(
      ctx,
      cancelled(after, {
        tickets: meant.length,
        refund: refund > 0 ? { amount: refund, currency: order.total.currency } : null,
        reason: null,
        portalUrl: portalUrl(ctx, secret),
      }),
    );
    await tellHolders(ctx, after, meant, null);
    return after;
  });
}

/** Those that were named, or all. Throws VALIDATION for one that is not among them. */
export function chosen(valid: Admission[], ids: string[] | undefined): Admission[] {
  if (ids === undefined) return valid;
  const known = new Map(valid.map((one) => [one.id, one]));
  return [...new Set(ids)].map((id) => {
    const one = known.get(id);
    if (one) return one;
    throw new DomainError(
      'VALIDATION',
      `ticket_ids: ${id} is no valid ticket of this order. Look at the order again.`,
      { reason: 'TICKET_UNKNOWN' },
    );
  });
}

const NOT_LIVE = {
  pending: 'The order is not confirmed yet. Pay for it or confirm it first.',
  paid: 'The order is confirmed already.',
  expired: 'The time to pay or confirm this order is over. Place a new one.',
  cancelled: 'The order is cancelled already.',
};

export const notLive = ({ status }: Pick<Order, 'status'>) =>
  new DomainError('CONFLICT', NOT_LIVE[status], { reason: 'NOT_LIVE', status });

function notAnyMore({ now }: Ctx, { event, may }: Order): DomainError {
  if (event && Date.parse(event.startsAt) <= now().getTime()) {
    return new DomainError('CONFLICT', `${event.title} has begun: it can no longer be cancelled.`, {
      reason: 'STARTED',
    });
  }
  if (event === null) {
    return new DomainError('CONFLICT', 'The day has begun: it can no longer be cancelled.', {
      reason: 'STARTED',
    });
  }
  return new DomainError(
    'CONFLICT',
    may.refundUntil === null
      ? 'These tickets are not taken back. You can give them to somebody else.'
      : 'It is too late to get the money back. You can give the tickets to somebody else.',
    { reason: 'REFUND_CLOSED', refundUntil: may.refundUntil },
  );
}
