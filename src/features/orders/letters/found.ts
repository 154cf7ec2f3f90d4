import { greetingTo, written } from '../../../mail/letter.ts';
import type { OutgoingMail } from '../../../mail/outbox.ts';
import type { Order } from '../order.ts';
import { occasionOf } from './words.ts';

/** To somebody who has lost the links of their orders. All are of the same address. */
export function found(orders: Order[], links: Map<string, string>): OutgoingMail {
  const [first] = orders;
  return {
    to: first?.buyer.email ?? '',
    priority: 'requested',
    subject: 'Your orders',
    ...written({
      greeting: greetingTo(null),
      paragraphs: [
        'these are your orders, each with its page:',
        ...orders.map((order) => {
          const { title, lines } = occasionOf(order);
          return `${[title, ...lines].join(', ')} (order ${order.code}): ${links.get(order.id)}`;
        }),
      ],
      footnote: 'If you did not ask for them, you need not do anything: only you get this mail.',
    }),
  };
}
