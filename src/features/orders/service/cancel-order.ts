import { type Context, runInTransaction } from '../../../context.ts';
import { formatMoney } from '../../../core/money.ts';
import { DomainError } from '../../../errors.ts';
import { requireRefundableAmount } from '../../../integrations/payments/require-chargeable.ts';
import {
  alreadyUsed,
  cancelAdmissions,
  findValidAdmissions,
  lockUsedAdmissions,
  type ValidAdmission,
} from '../cancel-tickets.ts';
import { createRefund } from '../create-refund.ts';
import { endPendingOrders } from '../end-pending-orders.ts';
import { type Order, orderNotLive } from '../types.ts';
import { getOrderIdBySecret, loadOrder, lockOrder } from './find-orders.ts';

/**
 * Cancels an order, or some of its tickets and passes, for the buyer, and refunds their price. Used tickets stay valid.
 *
 * @throws NOT_FOUND for an unknown secret
 * @throws VALIDATION (TICKET_UNKNOWN) for an id that is not valid in the order
 * @throws CONFLICT if the order has ended (NOT_LIVE), the event or the day has begun (STARTED), the refund policy does
 *   not allow it (REFUND_CLOSED), a dispute decides about the money (DISPUTED), or all selected tickets are used (ALREADY_USED)
 *
 * @example
 * await cancelOrderBySecret(ctx, secret, [ticket.id]);
 */
export async function cancelOrderBySecret(
  ctx: Context,
  secret: string,
  ticketIds: string[] | undefined,
): Promise<Order> {
  const id = await getOrderIdBySecret(ctx, secret);
  // Unpaid orders are cancelled most often, during a busy sale. One statement cancels most of them.
  const isEnded =
    !ctx.isInTransaction && !ticketIds && (await endPendingOrders(ctx, [id], 'cancelled'));
  if (!isEnded) await runInTransaction(ctx, (ctx) => cancelLockedOrder(ctx, id, secret, ticketIds));
  return loadOrder(ctx, id, secret);
}

async function cancelLockedOrder(
  ctx: Context,
  id: string,
  secret: string,
  ticketIds: string[] | undefined,
): Promise<void> {
  const { status } = await lockOrder(ctx, id);
  if (status === 'pending') {
    if (ticketIds) selectAdmissionsById([], ticketIds); // throws, since a pending order has no valid tickets
    await endPendingOrders(ctx, [id], 'cancelled');
    return;
  }
  const used = await lockUsedAdmissions(ctx, id);
  const order = await loadOrder(ctx, id, secret);
  if (status !== 'paid') throw orderNotLive(order);
  const requested = selectAdmissionsById(await findValidAdmissions(ctx, id), ticketIds);
  const selected = requested.filter((admission) => !used.has(admission.id));
  if (requested.length > 0 && selected.length === 0)
    throw alreadyUsed(requested, 'Used tickets cannot be cancelled. Ask at the front desk.');
  if (!order.allowedActions.cancel) throw cancellationClosed(ctx, order);
  await cancelAdmissions(ctx, id, selected, null);
  await createRefund(ctx, id, sumAmounts(selected), 'Cancelled by the buyer.');
}

const sumAmounts = (admissions: ValidAdmission[]) =>
  admissions.reduce((sum, { amount }) => sum + amount, 0);

/** Selects admissions by id, or all without ids. `field` is that of the input. @throws VALIDATION (TICKET_UNKNOWN) for any other id. */
export function selectAdmissionsById(
  valid: ValidAdmission[],
  ids: string[] | undefined,
  field = 'ticketIds',
): ValidAdmission[] {
  if (ids === undefined) return valid;
  const byId = new Map(valid.map((admission) => [admission.id, admission]));
  return [...new Set(ids)].map((id) => {
    const admission = byId.get(id);
    if (admission) return admission;
    throw new DomainError(
      'VALIDATION',
      `The order has no valid ticket or day pass with the ID ${id}. Reload the order and try again.`,
      { reason: 'TICKET_UNKNOWN', fields: [field] },
    );
  });
}

function cancellationClosed(
  { now }: Context,
  { event, disputedAt, allowedActions: { refundUntil } }: Order,
): DomainError {
  if (disputedAt !== null) {
    return new DomainError(
      'CONFLICT',
      'The payment of this order is disputed with the bank, which decides about the money. Ask at the front desk.',
      { reason: 'DISPUTED' },
    );
  }
  if (event && Date.parse(event.startsAt) <= now().getTime()) {
    return new DomainError(
      'CONFLICT',
      `${event.title} has begun, so the order can no longer be cancelled.`,
      { reason: 'STARTED' },
    );
  }
  if (event === null) {
    return new DomainError(
      'CONFLICT',
      'The day has begun, so the order can no longer be cancelled.',
      { reason: 'STARTED' },
    );
  }
  return new DomainError(
    'CONFLICT',
    refundUntil === null
      ? 'These tickets are not refundable. You can transfer them to another person.'
      : 'The refund deadline has passed. You can transfer the tickets to another person.',
    { reason: 'REFUND_CLOSED', refundUntil },
  );
}

interface RefundInput {
  orderId: string;
  /** Tickets and passes to cancel. Their price is refunded, unless `amount` is given. */
  ticketIds?: string[] | undefined;
  /** Minor units in the order's currency. Without `ticketIds`, the tickets stay valid. */
  amount?: number | undefined;
  reason?: string | undefined;
}

/**
 * Refunds an order for staff, regardless of the refund policy. Without `ticketIds` and `amount`, all of it is cancelled, also if
 * it is pending.
 *
 * @throws NOT_FOUND for an unknown order
 * @throws VALIDATION for an id that is not valid in the order (TICKET_UNKNOWN), or an amount that the payment provider cannot return
 *   (AMOUNT_NOT_CHARGEABLE)
 * @throws CONFLICT for more than the remaining amount (REFUND_TOO_LARGE), or if the order has ended (NOT_LIVE)
 *
 * @example
 * await refundOrder(ctx, { orderId, amount: 500, reason: 'The workshop was shortened.' });
 */
export async function refundOrder(ctx: Context, input: RefundInput): Promise<Order> {
  if (input.amount === 0 && input.ticketIds === undefined) throw nothingToDo();
  return runInTransaction(ctx, async (ctx) => {
    const { id, status } = await lockOrder(ctx, input.orderId);
    const before = await loadOrder(ctx, id);
    if (status === 'pending') {
      validateHoldRefund(before, input);
      await endPendingOrders(ctx, [id], 'cancelled');
      return loadOrder(ctx, id);
    }
    const { currency } = before.total;
    if (input.amount !== undefined && (await hasOnlinePayment(ctx, id)))
      requireRefundableAmount(ctx, { amount: input.amount, currency });
    const selected = await selectAdmissions(ctx, before, input);
    const remaining = before.paid.amount - before.refunded.amount;
    // What staff kept for tickets that were cancelled before is returned only as an explicit amount.
    const amount = input.amount ?? Math.min(remaining, sumAmounts(selected));
    if (amount > remaining) throw refundTooLarge(remaining, currency);
    const reason = input.reason ?? null;
    await cancelAdmissions(ctx, id, selected, reason);
    await createRefund(ctx, id, amount, reason);
    return loadOrder(ctx, id);
  });
}

const hasOnlinePayment = async ({ db, payments }: Context, orderId: string): Promise<boolean> =>
  (await db.payment.count({ where: { orderId, provider: payments.name } })) > 0;

/**
 * Cancels all that is valid of a paid order if all of its money was returned outside of Foyer, as `refundOrder` does. Call it in a
 * transaction that has locked the order.
 */
export async function cancelReturnedOrder(ctx: Context, id: string): Promise<void> {
  const { status, paid, refunded } = await loadOrder(ctx, id);
  if (status !== 'paid' || paid.amount === 0 || refunded.amount < paid.amount) return;
  await cancelAdmissions(ctx, id, await findValidAdmissions(ctx, id), null);
}

/** A pending order has no valid tickets and no payment, so it can only be cancelled as a whole. */
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

const nothingToDo = () => {
  const message = 'must be at least 1, unless ticketIds names tickets to cancel without a refund';
  return new DomainError('VALIDATION', `amount: ${message}`, {
    reason: 'INVALID_INPUT',
    fields: [{ field: 'amount', message }],
  });
};

const refundTooLarge = (left: number, currency: string) =>
  new DomainError(
    'CONFLICT',
    left === 0
      ? 'This order has nothing left to refund.'
      : `This order has ${formatMoney({ amount: left, currency })} left to refund. Choose at most that amount.`,
    { reason: 'REFUND_TOO_LARGE', fields: ['amount'], left: { amount: left, currency } },
  );
