import { formatMoney, type Money } from '../../../core/money.ts';
import { formatGreeting, renderEmail } from '../../../integrations/email/layout.ts';
import type { OutgoingEmail } from '../../../integrations/email/outbox.ts';
import type { Order } from '../types.ts';
import { formatOrderSubject, toOrderSubject } from './format.ts';

/** Greets buyers by name only if they have paid. The name on a free order is arbitrary text that a stranger may have entered. */
const greetPayer = ({ buyer, paid }: Order) => formatGreeting(paid.amount > 0 ? buyer.name : null);

/** To the buyer of an expired order whose payment arrived after its tickets were sold to others. */
export const paymentExpired = (order: Order, refund: Money): OutgoingEmail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `Your payment arrived too late: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: greetPayer(order),
    paragraphs: [
      `We're sorry: your payment for order ${order.code} arrived after the order had expired, and the tickets have been sold to others.`,
      `We're refunding the full amount of ${formatMoney(refund)} to your original payment method. You don't need to do anything.`,
    ],
  }),
});

/** To the buyer of an order that was paid twice, was already cancelled, or was paid with a wrong amount. */
export const paymentReturned = (order: Order, refund: Money): OutgoingEmail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `Refund for order ${order.code}`,
  ...renderEmail({
    greeting: greetPayer(order),
    paragraphs: [
      ...(order.status === 'pending'
        ? [
            `We received ${formatMoney(refund)} for order ${order.code}, which costs ${formatMoney(order.total)}.`,
            "We're refunding this payment to your original payment method. The order isn't paid yet: please pay the full price.",
          ]
        : [
            `We received a payment for order ${order.code}, which is already ${order.status === 'cancelled' ? 'cancelled' : 'paid'}.`,
            `We're refunding ${formatMoney(refund)} to your original payment method. You don't need to do anything.`,
          ]),
    ],
  }),
});

/** To the buyer, after the buyer or staff cancelled the order or a part of it, or staff refunded an amount. */
export const orderCancelled = (
  order: Order,
  details: { tickets: number; refund: Money | null; reason: string | null; portalUrl: string },
): OutgoingEmail => ({
  to: order.buyer.email,
  ...(details.refund ? { priority: 'essential' } : {}),
  subject:
    details.tickets === 0
      ? `Refund for order ${order.code}`
      : `Cancelled: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: greetPayer(order),
    paragraphs: [
      details.tickets === 0
        ? `You're getting a refund for your order ${order.code}, ${toOrderSubject(order).title}.${order.status === 'paid' ? ' Your tickets stay valid.' : ''}`
        : `${formatAdmissionCount(order, details.tickets)} in your order ${order.code} for ${toOrderSubject(order).title} ${details.tickets === 1 ? 'is' : 'are'} cancelled and no longer valid.`,
      ...formatRefund(details.refund),
      ...formatReason(details.reason),
    ],
    action: { label: 'View your order', url: details.portalUrl },
  }),
});

const formatRefund = (refund: Money | null): string[] =>
  refund ? [`We're refunding ${formatMoney(refund)} to your original payment method.`] : [];

const formatReason = (reason: string | null): string[] => (reason ? [`Reason: ${reason}`] : []);

function formatAdmissionCount({ event }: Order, count: number): string {
  if (count === 1) return event ? 'One ticket' : 'One day pass';
  return `${count} ${event ? 'tickets' : 'day passes'}`;
}

/** To every buyer of a cancelled event. */
export const eventCancelled = (
  order: Order,
  { refund, reason }: { refund: Money | null; reason: string | null },
): OutgoingEmail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `Cancelled: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: greetPayer(order),
    paragraphs: [
      `We're sorry: this event has been cancelled, and so has your order ${order.code}.`,
      formatOrderSubject(toOrderSubject(order)),
      ...formatReason(reason),
      ...formatRefund(refund),
    ],
  }),
});

/** To every buyer of an event whose time or place changed. */
export const eventMoved = (order: Order, portalUrl: string): OutgoingEmail => ({
  to: order.buyer.email,
  priority: 'essential',
  subject: `Changed: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: greetPayer(order),
    paragraphs: [
      `The time or place of ${toOrderSubject(order).title} has changed. It is now:`,
      toOrderSubject(order).lines.join(', '),
      `Your tickets (order ${order.code}) stay valid.`,
    ],
    action: { label: 'View your order', url: portalUrl },
  }),
});

interface TicketHolder {
  name: string;
  email: string;
}

/** Finds the holders of these tickets and day passes whose email address is not the buyer's, each once. */
export function findOtherHolders(order: Order, ids: string[]): TicketHolder[] {
  const selectedIds = new Set(ids);
  const holders = [
    ...order.tickets.map(({ id, attendee }) => ({ id, ...attendee })),
    ...order.dayPasses.map(({ id, holder }) => ({ id, ...holder })),
  ];
  const byEmail = new Map<string, TicketHolder>();
  for (const { id, name, email } of holders) {
    if (email !== null && email !== order.buyer.email && selectedIds.has(id)) {
      byEmail.set(email, { name, email });
    }
  }
  return [...byEmail.values()];
}

/** To the holder of a cancelled ticket that another person bought. */
export const ticketCancelled = (
  order: Order,
  holder: TicketHolder,
  reason: string | null,
): OutgoingEmail => ({
  to: holder.email,
  subject: `Cancelled: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [
      `Your ticket for ${formatOrderSubject(toOrderSubject(order))} is cancelled and no longer valid.`,
      `Ordered by: ${order.buyer.name}`,
      ...formatReason(reason),
    ],
  }),
});

/** To the holder of a ticket that another person bought, after the time or place of the event changed. */
export const ticketMoved = (order: Order, holder: TicketHolder): OutgoingEmail => ({
  to: holder.email,
  priority: 'essential',
  subject: `Changed: ${toOrderSubject(order).title}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [
      `The time or place of ${toOrderSubject(order).title} has changed. It is now:`,
      toOrderSubject(order).lines.join(', '),
      'Your ticket stays valid.',
    ],
  }),
});
