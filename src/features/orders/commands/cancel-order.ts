import { type Context, runInTransaction } from '../../../context.ts';
import { DomainError } from '../../../errors.ts';
import { enqueueEmail } from '../../../integrations/email/outbox.ts';
import { orderCancelled } from '../emails/changes.ts';
import { createOrderLink, portalUrl } from '../links.ts';
import { getOrderIdBySecret, loadOrder, lockOrder } from '../queries.ts';
import { cancelPendingOrder, endPendingOrders } from '../stock.ts';
import type { Order } from '../types.ts';
import {
  alreadyUsed,
  cancelAdmissions,
  findValidAdmissions,
  lockUsedAdmissions,
  notifyHolders,
  type ValidAdmission,
} from './cancel-tickets.ts';
import { createRefund } from './create-refund.ts';

/**
 * The buyer gives up an order, or these tickets and passes of it; what was paid for them goes back. Throws NOT_FOUND
 * for an unknown secret; VALIDATION, reason TICKET_UNKNOWN, for what is not valid in it; CONFLICT where the order has
 * ended (NOT_LIVE), the event or the day has begun (STARTED), its refund policy says no (REFUND_CLOSED), or nothing is
 * meant but what has let somebody in (ALREADY_USED): that stays as it is, whatever else is given up.
 */
export async function cancelOrderBySecret(
  ctx: Context,
  secret: string,
  ticketIds: string[] | undefined,
): Promise<Order> {
  const id = await getOrderIdBySecret(ctx, secret);
  // In the rush of a sale most change their mind before they have paid.
  if (!ctx.isInTransaction && !ticketIds && (await cancelPendingOrder(ctx, id)))
    return loadOrder(ctx, id, secret);
  return runInTransaction(ctx, async (ctx) => {
    const { status } = await lockOrder(ctx, id);
    if (status === 'pending') {
      if (ticketIds) selectAdmissionsById([], ticketIds); // a hold has issued none, and ends as a whole
      await endPendingOrders(ctx, [id], 'cancelled');
      return loadOrder(ctx, id, secret);
    }
    const used = await lockUsedAdmissions(ctx, id);
    const order = await loadOrder(ctx, id, secret);
    if (status !== 'paid') throw orderNotLive(order);
    const named = selectAdmissionsById(await findValidAdmissions(ctx, id), ticketIds);
    const meant = named.filter((one) => !used.has(one.id));
    if (named.length > 0 && meant.length === 0)
      throw alreadyUsed(named, 'what is used can no longer be cancelled. Ask at the desk.');
    if (!order.allowedActions.cancel) throw cancellationClosed(ctx, order);
    await cancelAdmissions(ctx, id, meant);
    const amount = meant.reduce((sum, one) => sum + one.amount, 0);
    const rest = await createRefund(ctx, id, amount, 'Cancelled by the buyer.');
    const after = await loadOrder(ctx, id, secret);
    const refund = amount - rest;
    await enqueueEmail(
      ctx,
      orderCancelled(after, {
        tickets: meant.length,
        refund: refund > 0 ? { amount: refund, currency: order.total.currency } : null,
        reason: null,
        portalUrl: portalUrl(ctx, secret),
      }),
    );
    await notifyHolders(ctx, after, meant, null);
    return after;
  });
}

/** Those that were named, or all. Throws VALIDATION for one that is not among them. */
export function selectAdmissionsById(
  valid: ValidAdmission[],
  ids: string[] | undefined,
): ValidAdmission[] {
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

const NOT_LIVE_MESSAGES = {
  pending: 'The order is not confirmed yet. Pay for it or confirm it first.',
  paid: 'The order is confirmed already.',
  expired: 'The time to pay or confirm this order is over. Place a new one.',
  cancelled: 'The order is cancelled already.',
};

export const orderNotLive = ({ status }: Pick<Order, 'status'>) =>
  new DomainError('CONFLICT', NOT_LIVE_MESSAGES[status], { reason: 'NOT_LIVE', status });

function cancellationClosed(
  { now }: Context,
  { event, allowedActions: { refundUntil } }: Order,
): DomainError {
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
    refundUntil === null
      ? 'These tickets are not taken back. You can give them to somebody else.'
      : 'It is too late to get the money back. You can give the tickets to somebody else.',
    { reason: 'REFUND_CLOSED', refundUntil },
  );
}

interface RefundInput {
  orderId: string;
  /** Tickets and passes that are cancelled; what was paid for them goes back, unless `amount` says otherwise. */
  ticketIds?: string[] | undefined;
  /** Minor units in the order's currency. Without tickets: a gesture, the tickets stay good. */
  amount?: number | undefined;
  reason?: string | undefined;
}

/**
 * Staff gives money back, whatever the policy says: all of it and cancels the order, or a part. An order that is only
 * held ends. Throws NOT_FOUND; CONFLICT, reason REFUND_TOO_LARGE, for more than is there, NOT_LIVE for what has ended;
 * VALIDATION, reason TICKET_UNKNOWN, for tickets that are not valid in it.
 */
export async function refundOrder(ctx: Context, input: RefundInput): Promise<Order> {
  return runInTransaction(ctx, async (ctx) => {
    const { id, status } = await lockOrder(ctx, input.orderId);
    const before = await loadOrder(ctx, id);
    if (status === 'pending') {
      validateHoldRefund(before, input);
      await endPendingOrders(ctx, [id], 'cancelled');
      return loadOrder(ctx, id);
    }
    const meant = await selectAdmissions(ctx, before, input);
    const left = before.paid.amount - before.refunded.amount;
    const amount = input.amount ?? (input.ticketIds ? sumRefundable(meant, left) : left);
    if (amount > left) throw refundTooLarge(left, before.total.currency);
    await cancelAdmissions(ctx, id, meant);
    await createRefund(ctx, id, amount, input.reason ?? null);
    const reason = input.reason ?? null;
    const after = await sendCancellationEmail(ctx, id, { tickets: meant.length, amount, reason });
    await notifyHolders(ctx, after, meant, reason);
    return after;
  });
}

/** A hold ends as a whole: nothing is issued that could be named, and nothing paid that could go back. */
function validateHoldRefund({ total }: Order, { ticketIds, amount }: RefundInput): void {
  if (ticketIds) selectAdmissionsById([], ticketIds);
  if (amount !== undefined && amount > 0) throw refundTooLarge(0, total.currency);
}

async function selectAdmissions(
  ctx: Context,
  order: Order,
  input: RefundInput,
): Promise<ValidAdmission[]> {
  const valid = await findValidAdmissions(ctx, order.id);
  if (input.ticketIds) return selectAdmissionsById(valid, input.ticketIds);
  if (input.amount !== undefined) return [];
  if (order.status !== 'paid') throw orderNotLive(order);
  return valid;
}

/** What these cost, as far as it is there. */
const sumRefundable = (meant: ValidAdmission[], left: number) =>
  Math.min(
    left,
    meant.reduce((sum, one) => sum + one.amount, 0),
  );

async function sendCancellationEmail(
  ctx: Context,
  id: string,
  { tickets, amount, reason }: { tickets: number; amount: number; reason: string | null },
): Promise<Order> {
  const order = await loadOrder(ctx, id);
  const refund = amount > 0 ? { amount, currency: order.total.currency } : null;
  if (tickets > 0 || refund) {
    const link = portalUrl(ctx, await createOrderLink(ctx, id));
    await enqueueEmail(ctx, orderCancelled(order, { tickets, refund, reason, portalUrl: link }));
  }
  return order;
}

const refundTooLarge = (left: number, currency: string) =>
  new DomainError(
    'CONFLICT',
    left === 0
      ? 'Nothing is left of this order to give back.'
      : `At most ${left} minor units (${currency}) are left of this order to give back.`,
    { reason: 'REFUND_TOO_LARGE', left: { amount: left, currency } },
  );
