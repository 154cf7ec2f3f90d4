import { greetingTo, written } from '../../../mail/letter.ts';
import type { OutgoingMail } from '../../../mail/outbox.ts';
import type { Money } from '../../../values.ts';
import type { Order } from '../order.ts';
import { inMoney, occasionOf } from './words.ts';

/** Who has paid is named; a name on a free order may be whatever a stranger typed. */
const payerOf = ({ buyer, paid }: Order) => (paid.amount > 0 ? buyer.name : null);

/** To the buyer of an expired order whose payment came when the stock was gone. */
export const tooLate = (order: Order, refund: Money): OutgoingMail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `Your payment came too late: ${occasionOf(order).title}`,
  ...written({
    greeting: greetingTo(payerOf(order)),
    paragraphs: [
      `your payment for order ${order.code} arrived when its time was up and the places had gone to others. We are sorry.`,
      `You get back all of it: ${inMoney(refund)}, the way you paid. There is nothing for you to do.`,
    ],
  }),
});

/** To the buyer of an order that was paid once more, is not to be paid any longer, or was paid with another sum. */
export const paidInVain = (order: Order, refund: Money): OutgoingMail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `You get money back: order ${order.code}`,
  ...written({
    greeting: greetingTo(payerOf(order)),
    paragraphs: [
      order.status === 'pending'
        ? `we received ${inMoney(refund)} for order ${order.code}, which costs ${inMoney(order.total)}. You get it back, the way you paid. The order is still to be paid.`
        : `we received a payment for order ${order.code} that it did not need${order.status === 'cancelled' ? ', since it is cancelled' : ''}. You get back ${inMoney(refund)}, the way you paid.`,
    ],
  }),
});

/** To the buyer: all or a part of an order was cancelled, by themselves or by staff. */
export const cancelled = (
  order: Order,
  of: { tickets: number; refund: Money | null; reason: string | null; portalUrl: string },
): OutgoingMail => ({
  to: order.buyer.email,
  ...(of.refund ? { priority: 'essential' } : {}),
  subject:
    of.tickets === 0
      ? `You get money back: order ${order.code}`
      : `Cancelled: ${occasionOf(order).title}`,
  ...written({
    greeting: greetingTo(payerOf(order)),
    paragraphs: [
      of.tickets === 0
        ? `this is about your order ${order.code} of ${occasionOf(order).title}.`
        : `${counted(order, of.tickets)} of your order ${order.code} of ${occasionOf(order).title} ${of.tickets === 1 ? 'is cancelled and lets' : 'are cancelled and let'} nobody in any more.`,
      ...(of.refund ? [`You get back ${inMoney(of.refund)}, the way you paid.`] : []),
      ...(of.reason ? [`The reason: ${of.reason}`] : []),
    ],
    action: { label: 'See your order', url: of.portalUrl },
  }),
});

function counted({ event }: Order, count: number): string {
  if (count === 1) return event ? 'one ticket' : 'one day pass';
  return `${count} ${event ? 'tickets' : 'day passes'}`;
}

/** To everybody who has an order of an event that is cancelled. */
export const eventCancelled = (
  order: Order,
  of: { refund: Money | null; reason: string | null },
): OutgoingMail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `Cancelled: ${occasionOf(order).title}`,
  ...written({
    greeting: greetingTo(payerOf(order)),
    paragraphs: [
      `we are sorry: ${[occasionOf(order).title, ...occasionOf(order).lines].join(', ')}, does not take place. Your order ${order.code} is cancelled with it.`,
      ...(of.reason ? [`The reason: ${of.reason}`] : []),
      ...(of.refund
        ? [`You get back ${inMoney(of.refund)}, the way you paid. There is nothing for you to do.`]
        : []),
    ],
  }),
});

/** To everybody who has an order of an event that takes place at another time or place. */
export const eventMoved = (order: Order, portalUrl: string): OutgoingMail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `Changed: ${occasionOf(order).title}`,
  ...written({
    greeting: greetingTo(payerOf(order)),
    paragraphs: [
      `the time or the place of ${occasionOf(order).title} has changed: ${occasionOf(order).lines.join(', ')}. Your tickets of order ${order.code} stay good.`,
    ],
    action: { label: 'See your order', url: portalUrl },
  }),
});
