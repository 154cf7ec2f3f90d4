import { greetingTo, written } from '../../../mail/letter.ts';
import type { OutgoingMail } from '../../../mail/outbox.ts';
import type { Order } from '../order.ts';
import { occasionOf } from './words.ts';

/** To somebody who was given a ticket. */
export function handedOver(
  order: Order,
  to: { name: string; email: string; code: string; url: string },
): OutgoingMail {
  const { title, lines } = occasionOf(order);
  return {
    to: to.email,
    priority: 'requested',
    subject: `A ticket for you: ${title}`,
    ...written({
      greeting: greetingTo(null),
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
