import { greetingTo, written } from '../../../mail/letter.ts';
import type { OutgoingMail } from '../../../mail/outbox.ts';
import type { Order } from '../order.ts';
import { occasionOf } from './words.ts';

interface Holder {
  name: string;
  email: string;
}

/** Those besides the buyer whose address stands on one of these tickets and passes, each once. */
export function holdersOf(order: Order, ids: string[]): Holder[] {
  const meant = new Set(ids);
  const people = [
    ...order.tickets.map(({ id, attendee }) => ({ id, ...attendee })),
    ...order.dayPasses.map(({ id, holder }) => ({ id, ...holder })),
  ];
  const byEmail = new Map<string, Holder>();
  for (const { id, name, email } of people) {
    if (email !== null && email !== order.buyer.email && meant.has(id)) {
      byEmail.set(email, { name, email });
    }
  }
  return [...byEmail.values()];
}

/** To somebody whose ticket another person has bought: it lets nobody in any more. */
export const ticketEnded = (order: Order, to: Holder, reason: string | null): OutgoingMail => ({
  to: to.email,
  subject: `Cancelled: ${occasionOf(order).title}`,
  ...written({
    greeting: greetingTo(null),
    paragraphs: [
      `your ticket for ${[occasionOf(order).title, ...occasionOf(order).lines].join(', ')} is cancelled and lets nobody in any more.`,
      `Ordered by: ${order.buyer.name}`,
      ...(reason ? [`The reason: ${reason}`] : []),
    ],
  }),
});

/** To somebody whose ticket another person has bought: it is good for another time or place. */
export const ticketMoved = (order: Order, to: Holder): OutgoingMail => ({
  to: to.email,
  priority: 'essential',
  subject: `Changed: ${occasionOf(order).title}`,
  ...written({
    greeting: greetingTo(null),
    paragraphs: [
      `the time or the place of ${occasionOf(order).title} has changed: ${occasionOf(order).lines.join(', ')}. Your ticket stays good.`,
    ],
  }),
});
