import { formatGreeting, renderEmail } from '../../../integrations/email/layout.ts';
import type { OutgoingEmail } from '../../../integrations/email/outbox.ts';
import type { Order } from '../types.ts';
import { formatMoney, type OrderSubject, toOrderSubject } from './format.ts';

interface OrderConfirmation {
  buyer: { name: string; email: string };
  orderCode: string;
  orderSubject: OrderSubject;
  /** Each with the name of its holder. */
  admissions: { name: string; code: string }[];
  /** In words; null where nothing was paid. */
  paid: string | null;
  portalUrl: string;
}

/** To the buyer: what was bought, with the codes that let people in. */
export const orderConfirmed = (of: OrderConfirmation): OutgoingEmail => ({
  to: of.buyer.email,
  // What is free, anybody can order in the name of anybody.
  priority: of.paid === null ? 'requested' : 'essential',
  subject: `Your tickets: ${of.orderSubject.title}`,
  ...renderEmail({
    greeting: formatGreeting(of.paid === null ? null : of.buyer.name),
    paragraphs: [
      `your order ${of.orderCode} is confirmed: ${[of.orderSubject.title, ...of.orderSubject.lines].join(', ')}.`,
      ...(of.paid === null ? [] : [`You paid ${of.paid}.`]),
      // Names on a free order may be whatever a stranger typed.
      `For the door: ${of.admissions.map(({ name, code }) => (of.paid === null ? code : `${name} ${code}`)).join('; ')}.`,
      'On the page of your order are the codes to scan, a calendar entry and the receipt. There you may also change names and cancel.',
    ],
    action: { label: 'See your order', url: of.portalUrl },
    footnote: 'Whoever has this link can change the order: keep it to yourself.',
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
 * To whoever is named as the buyer of something free: confirm it. It greets nobody by name, because anybody may have
 * entered this address, with whatever name.
 */
export const confirmationRequested = (of: {
  to: string;
  orderSubject: OrderSubject;
  quantity: number;
  portalUrl: string;
}): OutgoingEmail => ({
  to: of.to,
  subject: `Confirm your registration: ${of.orderSubject.title}`,
  ...renderEmail({
    greeting: 'Hello,',
    paragraphs: [
      `${of.quantity === 1 ? 'one place is' : `${of.quantity} places are`} held for you: ${[of.orderSubject.title, ...of.orderSubject.lines].join(', ')}.`,
      'Open your order and press “Confirm” within 30 minutes. After that the places are free for others again.',
    ],
    action: { label: 'Confirm your registration', url: of.portalUrl },
    footnote:
      'If you did not ask for this, you need not do anything: nothing is booked in your name.',
  }),
});

/** To somebody who was given a ticket. */
export function ticketTransferred(
  order: Order,
  to: { name: string; email: string; code: string; url: string },
): OutgoingEmail {
  const { title, lines } = toOrderSubject(order);
  return {
    to: to.email,
    priority: 'requested',
    subject: `A ticket for you: ${title}`,
    ...renderEmail({
      greeting: formatGreeting(null),
      paragraphs: [
        `there is a ticket for you: ${[title, ...lines].join(', ')}.`,
        `Your code for the door: ${to.code}`,
        // A name on a free order may be whatever a stranger typed.
        ...(order.paid.amount > 0 ? [`Ordered by: ${order.buyer.name}`] : []),
      ],
      action: { label: 'Show the ticket', url: to.url },
      footnote: 'Whoever shows this code first is let in: keep it to yourself.',
    }),
  };
}

/** To somebody who has lost the links of their orders. All are of the same address. */
export function ordersFound(orders: Order[], links: Map<string, string>): OutgoingEmail {
  const [first] = orders;
  return {
    to: first?.buyer.email ?? '',
    priority: 'requested',
    subject: 'Your orders',
    ...renderEmail({
      greeting: formatGreeting(null),
      paragraphs: [
        'these are your orders, each with its page:',
        ...orders.map((order) => {
          const { title, lines } = toOrderSubject(order);
          return `${[title, ...lines].join(', ')} (order ${order.code}): ${links.get(order.id)}`;
        }),
      ],
      footnote: 'If you did not ask for them, you need not do anything: only you get this mail.',
    }),
  };
}
