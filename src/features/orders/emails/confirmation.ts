import { formatMoney } from '../../../core/money.ts';
import { formatGreeting, renderEmail } from '../../../integrations/email/layout.ts';
import type { OutgoingEmail } from '../../../integrations/email/outbox.ts';
import type { Order } from '../types.ts';
import { formatOrderSubject, type OrderSubject, toOrderSubject } from './format.ts';

interface OrderConfirmation {
  buyer: { name: string; email: string };
  orderCode: string;
  orderSubject: OrderSubject;
  /** Names are those of the holders. */
  admissions: { name: string; code: string }[];
  /** Formatted; null for a free order. */
  paid: string | null;
  portalUrl: string;
}

/** To the buyer of a confirmed order, with the codes to show at the entrance. */
export const orderConfirmed = (order: OrderConfirmation): OutgoingEmail => ({
  to: order.buyer.email,
  // Anyone can place a free order with any email address.
  priority: order.paid === null ? 'requested' : 'essential',
  subject: `Your tickets: ${order.orderSubject.title}`,
  ...renderEmail({
    greeting: formatGreeting(order.paid === null ? null : order.buyer.name),
    paragraphs: [
      `Your order ${order.orderCode} is confirmed: ${formatOrderSubject(order.orderSubject)}.`,
      ...(order.paid === null ? [] : [`You paid ${order.paid}.`]),
      // The names on a free order are arbitrary text that a stranger may have entered.
      `Show at the entrance: ${order.admissions.map(({ name, code }) => (order.paid === null ? code : `${name} ${code}`)).join('; ')}.`,
      'Your order page has the QR codes, a calendar entry and the receipt. You can also change names and cancel there.',
    ],
    action: { label: 'View your order', url: order.portalUrl },
    footnote: "Anyone with this link can change the order. Don't share it.",
  }),
});

export const toOrderConfirmed = (order: Order, portalUrl: string): OutgoingEmail =>
  orderConfirmed({
    buyer: order.buyer,
    orderCode: order.code,
    orderSubject: toOrderSubject(order),
    admissions: [
      ...order.tickets
        .filter(({ status }) => status === 'valid')
        .map(({ attendee, code }) => ({ name: attendee.name, code })),
      ...order.dayPasses
        .filter(({ status }) => status === 'valid')
        .map(({ holder, code }) => ({ name: holder.name, code })),
    ],
    paid: order.paid.amount > 0 ? formatMoney(order.paid) : null,
    portalUrl,
  });

/**
 * Asks the buyer of a free order to confirm it. The email contains no names, because anyone can enter this address with
 * any name.
 */
export const confirmationRequested = (order: {
  to: string;
  orderSubject: OrderSubject;
  quantity: number;
  portalUrl: string;
}): OutgoingEmail => ({
  to: order.to,
  subject: `Confirm your registration: ${order.orderSubject.title}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [
      `We are holding ${order.quantity === 1 ? 'one place' : `${order.quantity} places`} for you: ${formatOrderSubject(order.orderSubject)}.`,
      'Open your order and select “Confirm” within 30 minutes. After that, we release the places to others.',
    ],
    action: { label: 'Confirm your registration', url: order.portalUrl },
    footnote: "If you didn't request this, ignore this email: nothing is booked in your name.",
  }),
});

/** To the new holder of a transferred ticket or day pass. */
export function ticketTransferred(
  order: Order,
  holder: { name: string; email: string; code: string; url: string },
): OutgoingEmail {
  const subject = toOrderSubject(order);
  return {
    to: holder.email,
    priority: 'requested',
    subject: `A ticket for you: ${subject.title}`,
    ...renderEmail({
      greeting: formatGreeting(null),
      paragraphs: [
        `You have a ticket for ${formatOrderSubject(subject)}.`,
        `Your entry code: ${holder.code}`,
        // The name on a free order is arbitrary text that a stranger may have entered.
        ...(order.paid.amount > 0 ? [`Ordered by: ${order.buyer.name}`] : []),
      ],
      action: { label: 'View your ticket', url: holder.url },
      footnote: "The code admits the first person who shows it. Don't share it.",
    }),
  };
}

/** To a buyer who requested the links to their orders. All orders have the same email address. */
export function ordersFound(orders: Order[], links: Map<string, string>): OutgoingEmail {
  const [first] = orders;
  return {
    to: first?.buyer.email ?? '',
    priority: 'requested',
    subject: 'Your orders',
    ...renderEmail({
      greeting: formatGreeting(null),
      paragraphs: [
        'Here are the links to your orders:',
        ...orders.map(
          (order) =>
            `${formatOrderSubject(toOrderSubject(order))} (order ${order.code}): ${links.get(order.id)}`,
        ),
      ],
      footnote: "If you didn't request this, ignore this email: only you received it.",
    }),
  };
}
