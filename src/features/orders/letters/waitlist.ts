import { greetingTo, written } from '../../../mail/letter.ts';
import type { OutgoingMail } from '../../../mail/outbox.ts';
import { wallClock } from '../../../time.ts';

interface Wish {
  name: string;
  email: string;
  quantity: number;
  typeName: string;
  eventTitle: string;
}

const tickets = ({ quantity, typeName }: Wish) =>
  quantity === 1 ? `a ticket (${typeName})` : `${quantity} tickets (${typeName})`;

/** To somebody who waits: tickets came back and are held for them. */
export const offer = (
  of: Wish & { holdUntil: Date; timeZone: string; portalUrl: string },
): OutgoingMail => ({
  to: of.email,
  priority: 'essential',
  subject: `It is your turn: ${of.eventTitle}`,
  ...written({
    greeting: greetingTo(null),
    paragraphs: [
      `you are next on the waiting list of ${of.eventTitle}: we hold ${tickets(of)} for you until ${wallClock(of.holdUntil, of.timeZone)} (${of.timeZone}).`,
      'If you take no notice, the next one in line gets the chance.',
    ],
    action: { label: 'See the offer', url: of.portalUrl },
  }),
});

/** To somebody who has joined the waiting list. */
export const joined = (of: Wish & { leaveUrl: string }): OutgoingMail => ({
  to: of.email,
  priority: 'requested',
  subject: `You are on the waiting list: ${of.eventTitle}`,
  ...written({
    greeting: greetingTo(null),
    paragraphs: [
      `you wait for ${tickets(of)} of ${of.eventTitle}. Once some come back, you get a mail with an offer, and a day to take it, or less when the event is near.`,
    ],
    action: { label: 'Leave the waiting list', url: of.leaveUrl },
    footnote: 'If you did not ask for it, leave the list with this button, or do nothing at all.',
  }),
});

/** To those who wait for an event that is cancelled. */
export const waitingInVain = (of: {
  name: string;
  email: string;
  eventTitle: string;
}): OutgoingMail => ({
  to: of.email,
  priority: 'essential',
  subject: `Cancelled: ${of.eventTitle}`,
  ...written({
    greeting: greetingTo(null),
    paragraphs: [`${of.eventTitle}, for which you are on the waiting list, is cancelled.`],
  }),
});
