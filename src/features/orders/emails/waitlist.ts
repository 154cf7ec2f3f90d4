import { formatWallClock } from '../../../core/time/time-zone.ts';
import { formatGreeting, renderEmail } from '../../../integrations/email/layout.ts';
import type { OutgoingEmail } from '../../../integrations/email/outbox.ts';

interface WaitlistRequest {
  name: string;
  email: string;
  quantity: number;
  typeName: string;
  eventTitle: string;
}

const formatTickets = ({ quantity, typeName }: WaitlistRequest) =>
  quantity === 1 ? `a ticket (${typeName})` : `${quantity} tickets (${typeName})`;

/** To somebody who waits: tickets came back and are held for them. */
export const waitlistOffer = (
  of: WaitlistRequest & { holdUntil: Date; timeZone: string; portalUrl: string },
): OutgoingEmail => ({
  to: of.email,
  priority: 'essential',
  subject: `It is your turn: ${of.eventTitle}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [
      `you are next on the waiting list of ${of.eventTitle}: we hold ${formatTickets(of)} for you until ${formatWallClock(of.holdUntil, of.timeZone)} (${of.timeZone}).`,
      'If you take no notice, the next one in line gets the chance.',
    ],
    action: { label: 'See the offer', url: of.portalUrl },
  }),
});

/** To somebody who has joined the waiting list. */
export const waitlistJoined = (of: WaitlistRequest & { leaveUrl: string }): OutgoingEmail => ({
  to: of.email,
  priority: 'requested',
  subject: `You are on the waiting list: ${of.eventTitle}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [
      `you wait for ${formatTickets(of)} of ${of.eventTitle}. Once some come back, you get a mail with an offer, and a day to take it, or less when the event is near.`,
    ],
    action: { label: 'Leave the waiting list', url: of.leaveUrl },
    footnote: 'If you did not ask for it, leave the list with this button, or do nothing at all.',
  }),
});

/** To those who wait for an event that is cancelled. */
export const waitlistEventCancelled = (of: {
  name: string;
  email: string;
  eventTitle: string;
}): OutgoingEmail => ({
  to: of.email,
  priority: 'essential',
  subject: `Cancelled: ${of.eventTitle}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [`${of.eventTitle}, for which you are on the waiting list, is cancelled.`],
  }),
});
