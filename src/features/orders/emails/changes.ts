import type { Money } from '../../../core/money.ts';
import { formatGreeting, renderEmail } from '../../../integrations/email/layout.ts';
import type { OutgoingEmail } from '../../../integrations/email/outbox.ts';
import type { Order } from '../types.ts';
import { formatMoney, toOrderSubject } from './format.ts';

/** Who has paid is named; a name on a free order may be whatever a stranger typed. */
const findPayerName = ({ buyer, paid }: Order) => (paid.amount > 0 ? buyer.name : null);

/** To the buyer of an expired order whose payment came when the stock was gone. */
export const paymentExpired = (order: Order, refund: Money): OutgoingEmail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `Your payment came too late: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: formatGreeting(findPayerName(order)),
    paragraphs: [
      `your payment for order ${order.code} arrived when its time was up and the places had gone to others. We are sorry.`,
      `You get back all of it: ${formatMoney(refund)}, the way you paid. There is nothing for you to do.`,
    ],
  }),
});

/** To the buyer of an order that was paid once more, is not to be paid any longer, or was paid with another sum. */
export const paymentReturned = (order: Order, refund: Money): OutgoingEmail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `You get money back: order ${order.code}`,
  ...renderEmail({
    greeting: formatGreeting(findPayerName(order)),
    paragraphs: [
      order.status === 'pending'
        ? `we received ${formatMoney(refund)} for order ${order.code}, which costs ${formatMoney(order.total)}. You get it back, the way you paid. The order is still to be paid.`
        : `we received a payment for order ${order.code} that it did not need${order.status === 'cancelled' ? ', since it is cancelled' : ''}. You get back ${formatMoney(refund)}, the way you paid.`,
    ],
  }),
});

/** To the buyer: all or a part of an order was cancelled, by themselves or by staff. */
export const orderCancelled = (
  order: Order,
  of: { tickets: number; refund: Money | null; reason: string | null; portalUrl: string },
): OutgoingEmail => ({
  to: order.buyer.email,
  ...(of.refund ? { priority: 'essential' } : {}),
  subject:
    of.tickets === 0
      ? `You get money back: order ${order.code}`
      : `Cancelled: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: formatGreeting(findPayerName(order)),
    paragraphs: [
      of.tickets === 0
        ? `this is about your order ${order.code} of ${toOrderSubject(order).title}.`
        : `${formatAdmissionCount(order, of.tickets)} of your order ${order.code} of ${toOrderSubject(order).title} ${of.tickets === 1 ? 'is cancelled and lets' : 'are cancelled and let'} nobody in any more.`,
      ...(of.refund ? [`You get back ${formatMoney(of.refund)}, the way you paid.`] : []),
      ...(of.reason ? [`The reason: ${of.reason}`] : []),
    ],
    action: { label: 'See your order', url: of.portalUrl },
  }),
});

function formatAdmissionCount({ event }: Order, count: number): string {
  if (count === 1) return event ? 'one ticket' : 'one day pass';
  return `${count} ${event ? 'tickets' : 'day passes'}`;
}

/** To everybody who has an order of an event that is cancelled. */
export const eventCancelled = (
  order: Order,
  of: { refund: Money | null; reason: string | null },
): OutgoingEmail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `Cancelled: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: formatGreeting(findPayerName(order)),
    paragraphs: [
      `we are sorry: ${[toOrderSubject(order).title, ...toOrderSubject(order).lines].join(', ')}, does not take place. Your order ${order.code} is cancelled with it.`,
      ...(of.reason ? [`The reason: ${of.reason}`] : []),
      ...(of.refund
        ? [
            `You get back ${formatMoney(of.refund)}, the way you paid. There is nothing for you to do.`,
          ]
        : []),
    ],
  }),
});

/** To everybody who has an order of an event that takes place at another time or place. */
export const eventMoved = (order: Order, portalUrl: string): OutgoingEmail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `Changed: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: formatGreeting(findPayerName(order)),
    paragraphs: [
      `the time or the place of ${toOrderSubject(order).title} has changed: ${toOrderSubject(order).lines.join(', ')}. Your tickets of order ${order.code} stay good.`,
    ],
    action: { label: 'See your order', url: portalUrl },
  }),
});

interface TicketHolder {
  name: string;
  email: string;
}

/** Those besides the buyer whose address stands on one of these tickets and passes, each once. */
export function findOtherHolders(order: Order, ids: string[]): TicketHolder[] {
  const meant = new Set(ids);
  const people = [
    ...order.tickets.map(({ id, attendee }) => ({ id, ...attendee })),
    ...order.dayPasses.map(({ id, holder }) => ({ id, ...holder })),
  ];
  const byEmail = new Map<string, TicketHolder>();
  for (const { id, name, email } of people) {
    if (email !== null && email !== order.buyer.email && meant.has(id)) {
      byEmail.set(email, { name, email });
    }
  }
  return [...byEmail.values()];
}

/** To somebody whose ticket another person has bought: it lets nobody in any more. */
export const ticketCancelled = (
  order: Order,
  to: TicketHolder,
  reason: string | null,
): OutgoingEmail => ({
  to: to.email,
  subject: `Cancelled: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [
      `your ticket for ${[toOrderSubject(order).title, ...toOrderSubject(order).lines].join(', ')} is cancelled and lets nobody in any more.`,
      `Ordered by: ${order.buyer.name}`,
      ...(reason ? [`The reason: ${reason}`] : []),
    ],
  }),
});

/** To somebody whose ticket another person has bought: it is good for another time or place. */
export const ticketMoved = (order: Order, to: TicketHolder): OutgoingEmail => ({
  to: to.email,
  priority: 'essential',
  subject: `Changed: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [
      `the time or the place of ${toOrderSubject(order).title} has changed: ${toOrderSubject(order).lines.join(', ')}. Your ticket stays good.`,
    ],
  }),
});
