import type { Context } from '../../../context.ts';
import { toEmailClient } from '../../../integrations/email/outbox.ts';
import {
  enqueueTemplateEmails,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import type { RecordedChange } from '../../../journal/read-changes.ts';
import type { SpaceTexts } from '../../../languages/emails/email-texts.ts';
import { readEmailTexts } from '../../settings/service.ts';
import { findOrdersByIds } from '../service/find-orders.ts';
import { createOrderLinks, type OrderLinks } from '../service/links.ts';
import { hasBuyerAddress, type MailedOrder, type Order } from '../types.ts';
import {
  eventCancelled,
  findOtherHolders,
  orderCancelled,
  paymentExpired,
  paymentReturned,
  ticketCancelled,
} from './changes.ts';
import { loadOrderCommands, type OrderCommand } from './load-order-commands.ts';
import { orderReleased } from './reservations.ts';

/**
 * Emails buyers and other ticket holders about cancellations, refunds and returned payments: one email for all that a command
 * did to an order.
 */
export async function sendCancellationEmails(
  ctx: Context,
  changes: RecordedChange[],
): Promise<void> {
  const commands = await loadOrderCommands(ctx, changes);
  const ids = new Set(commands.map(({ orderId }) => orderId));
  const orders = new Map((await findOrdersByIds(ctx, [...ids])).map((order) => [order.id, order]));
  const links = createOrderLinks(ctx);
  const texts = await readEmailTexts(ctx);
  const emails = commands.flatMap((command) => {
    const order = orders.get(command.orderId);
    const client = toEmailClient(command);
    return order === undefined
      ? []
      : toEmails(ctx, texts, order, command, links).map((email) => ({ ...email, client }));
  });
  await links.save();
  await enqueueTemplateEmails(ctx, texts, emails);
}

function toEmails(
  ctx: Context,
  texts: SpaceTexts,
  order: Order,
  command: OrderCommand,
  links: OrderLinks,
): TemplateEmail[] {
  const { types, status, cancelledIds, refund, reason, eventReason, actorKind } = command;
  // Anyone can enter the address of a stranger.
  if (command.wasUnconfirmed) return [];
  if (types.has('payment.created')) {
    // The confirmation says what was paid, so a refunded surplus needs no email of its own.
    if (refund === null || types.has('order.confirmed') || !hasBuyerAddress(order)) return [];
    return [
      (status === 'expired' ? paymentExpired : paymentReturned)(
        texts,
        { ...order, status },
        refund,
      ),
    ];
  }
  const isByBuyer = actorKind === 'anonymous' || actorKind === 'member';
  const holders = findOtherHolders(order, cancelledIds).map((holder) =>
    ticketCancelled(ctx, texts, order, holder, reason),
  );
  if (order.event?.status === 'cancelled' && types.has('order.cancelled') && !isByBuyer) {
    return hasBuyerAddress(order)
      ? [eventCancelled(ctx, texts, order, { refund, reason: eventReason }), ...holders]
      : holders;
  }
  const tickets = cancelledIds.length;
  const isByStaff = actorKind === 'staff' || actorKind === 'token';
  if (tickets === 0 && refund === null && types.has('order.cancelled') && isByStaff)
    return isReservation(order) ? [orderReleased(texts, order, links.create(order.id))] : [];
  // The buyer cancelled an unpaid order, or the payment provider reports a refund that was made there.
  if (tickets === 0 && (refund === null || !isByStaff)) return [];
  if (!hasBuyerAddress(order)) return holders;
  const portalUrl = links.create(order.id);
  return [orderCancelled(ctx, texts, order, { tickets, refund, reason, portalUrl }), ...holders];
}

/** Whether the buyer planned to pay at the front desk. */
const isReservation = (order: Order): order is MailedOrder =>
  order.payment?.provider === 'on_site' && hasBuyerAddress(order);
