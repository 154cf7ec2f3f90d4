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

const formatTickets = ({ quantity, typeName, eventTitle }: WaitlistRequest) =>
  `${quantity === 1 ? 'one ticket' : `${quantity} tickets`} (${typeName}) for ${eventTitle}`;

/** To a person on the waiting list for whom available tickets are held. */
export const waitlistOffer = (
  offer: WaitlistRequest & { holdUntil: Date; timeZone: string; portalUrl: string },
): OutgoingEmail => ({
  to: offer.email,
  priority: 'essential',
  subject: `Tickets available: ${offer.eventTitle}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [
      `It's your turn on the waiting list. We are holding ${formatTickets(offer)} until ${formatWallClock(offer.holdUntil, offer.timeZone)} (${offer.timeZone}).`,
      "If you don't accept the offer by then, the tickets go to the next person on the list.",
    ],
    action: { label: 'View the offer', url: offer.portalUrl },
  }),
});

/** To a person who joined the waiting list. */
export const waitlistJoined = (entry: WaitlistRequest & { leaveUrl: string }): OutgoingEmail => ({
  to: entry.email,
  priority: 'requested',
  subject: `You're on the waiting list: ${entry.eventTitle}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [
      `You're on the waiting list for ${formatTickets(entry)}.`,
      'When tickets become available, we email you an offer. You then have up to 24 hours to accept it, or less if the event starts soon.',
    ],
    action: { label: 'Leave the waiting list', url: entry.leaveUrl },
    footnote: "If you didn't request this, leave the list or ignore this email.",
  }),
});

/** To everyone on the waiting list of a cancelled event. */
export const waitlistEventCancelled = (entry: {
  name: string;
  email: string;
  eventTitle: string;
}): OutgoingEmail => ({
  to: entry.email,
  priority: 'essential',
  subject: `Cancelled: ${entry.eventTitle}`,
  ...renderEmail({
    greeting: formatGreeting(null),
    paragraphs: [
      `${entry.eventTitle} is cancelled, and its waiting list is closed. You don't need to do anything.`,
    ],
  }),
});
