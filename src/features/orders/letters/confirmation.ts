import { greetingTo, written } from '../../../mail/letter.ts';
import type { OutgoingMail } from '../../../mail/outbox.ts';
import type { Order } from '../order.ts';
import { inMoney, type Occasion, occasionOf } from './words.ts';

interface Confirmation {
  buyer: { name: string; email: string };
  orderCode: string;
  occasion: Occasion;
  /** Each with the name of its holder. */
  admissions: { name: string; code: string }[];
  /** In words; null where nothing was paid. */
  paid: string | null;
  portalUrl: string;
}

/** To the buyer: what was bought, with the codes that let people in. */
export const confirmation = (of: Confirmation): OutgoingMail => ({
  to: of.buyer.email,
  // What is free, anybody can order in the name of anybody.
  priority: of.paid === null ? 'requested' : 'essential',
  subject: `Your tickets: ${of.occasion.title}`,
  ...written({
    greeting: greetingTo(of.paid === null ? null : of.buyer.name),
    paragraphs: [
      `your order ${of.orderCode} is confirmed: ${[of.occasion.title, ...of.occasion.lines].join(', ')}.`,
      ...(of.paid === null ? [] : [`You paid ${of.paid}.`]),
      // Names on a free order may be whatever a stranger typed.
      `For the door: ${of.admissions.map(({ name, code }) => (of.paid === null ? code : `${name} ${code}`)).join('; ')}.`,
      'On the page of your order are the codes to scan, a calendar entry and the receipt. There you may also change names and cancel.',
    ],
    action: { label: 'See your order', url: of.portalUrl },
    footnote: 'Whoever has this link can change the order: keep it to yourself.',
  }),
});

export const confirmationOf = (order: Order, portalUrl: string): OutgoingMail =>
  confirmation({
    buyer: order.buyer,
    orderCode: order.code,
    occasion: occasionOf(order),
    admissions: [
      ...order.tickets
        .filter(({ status }) => status === 'valid')
        .map(({ attendee, code }) => ({ name: attendee.name, code })),
      ...order.dayPasses
        .filter(({ status }) => status === 'valid')
        .map(({ holder, code }) => ({ name: holder.name, code })),
    ],
    paid: order.paid.amount > 0 ? inMoney(order.paid) : null,
    portalUrl,
  });
