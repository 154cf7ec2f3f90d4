import { type Ctx, inTransaction } from '../../../context.ts';
import { DomainError } from '../../../errors.ts';
import * as outbox from '../../../mail/outbox.ts';
import { portalUrl } from '../addresses.ts';
import { cancelled } from '../letters/changes.ts';
import { newLink } from '../links.ts';
import { lockOrder } from '../lock.ts';
import type { Order } from '../order.ts';
import { giveBack } from '../payments/refund.ts';
import { read } from '../service.ts';
import { endHolds } from '../stock/expire.ts';
import { chosen, notLive } from './cancel.ts';
import { type Admission, endAdmissions, tellHolders, validOf } from './end.ts';

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
export async function refund(ctx: Ctx, input: RefundInput): Promise<Order> {
  return inTransaction(ctx, async (ctx) => {
    const { id, status } = await lockOrder(ctx, input.orderId);
    const before = await read(ctx, id);
    if (status === 'pending') {
      checkHeld(before, input);
      await endHolds(ctx, [id], 'cancelled');
      return read(ctx, id);
    }
    const meant = await admissionsMeant(ctx, before, input);
    const left = before.paid.amount - before.refunded.amount;
    const amount = input.amount ?? (input.ticketIds ? owedFor(meant, left) : left);
    if (amount > left) throw tooLarge(left, before.total.currency);
    await endAdmissions(ctx, id, meant);
    await giveBack(ctx, id, amount, input.reason ?? null);
    const reason = input.reason ?? null;
    const after = await tell(ctx, id, { tickets: meant.length, amount, reason });
    await tellHolders(ctx, after, meant, reason);
    return after;
  });
}

/** A hold ends as a whole: nothing is issued that could be named, and nothing paid that could go back. */
function checkHeld({ total }: Order, { ticketIds, amount }: RefundInput): void {
  if (ticketIds) chosen([], ticketIds);
  if (amount !== undefined && amount > 0) throw tooLarge(0, total.currency);
}

async function admissionsMeant(ctx: Ctx, order: Order, input: RefundInput): Promise<Admission[]> {
  const valid = await validOf(ctx, order.id);
  if (input.ticketIds) return chosen(valid, input.ticketIds);
  if (input.amount !== undefined) return [];
  if (order.status !== 'paid') throw notLive(order);
  return valid;
}

/** What these cost, as far as it is there. */
const owedFor = (meant: Admission[], left: number) =>
  Math.min(
    left,
    meant.reduce((sum, one) => sum + one.amount, 0),
  );

async function tell(
  ctx: Ctx,
  id: string,
  { tickets, amount, reason }: { tickets: number; amount: number; reason: string | null },
): Promise<Order> {
  const order = await read(ctx, id);
  const refund = amount > 0 ? { amount, currency: order.total.currency } : null;
  if (tickets > 0 || refund) {
    const link = portalUrl(ctx, await newLink(ctx, id));
    await outbox.send(ctx, cancelled(order, { tickets, refund, reason, portalUrl: link }));
  }
  return order;
}

const tooLarge = (left: number, currency: string) =>
  new DomainError(
    'CONFLICT',
    left === 0
      ? 'Nothing is left of this order to give back.'
      : `At most ${left} minor units (${currency}) are left of this order to give back.`,
    { reason: 'REFUND_TOO_LARGE', left: { amount: left, currency } },
  );
