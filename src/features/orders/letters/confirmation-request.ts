import { written } from '../../../mail/letter.ts';
import type { OutgoingMail } from '../../../mail/outbox.ts';
import type { Occasion } from './words.ts';

/**
 * To whoever is named as the buyer of something free: confirm it. It greets nobody by name, because anybody may have
 * entered this address, with whatever name.
 */
export const confirmationRequest = (of: {
  to: string;
  occasion: Occasion;
  quantity: number;
  portalUrl: string;
}): OutgoingMail => ({
  to: of.to,
  subject: `Confirm your registration: ${of.occasion.title}`,
  ...written({
    greeting: 'Hello,',
    paragraphs: [
      `${of.quantity === 1 ? 'one place is' : `${of.quantity} places are`} held for you: ${[of.occasion.title, ...of.occasion.lines].join(', ')}.`,
      'Open your order and press “Confirm” within 30 minutes. After that the places are free for others again.',
    ],
    action: { label: 'Confirm your registration', url: of.portalUrl },
    footnote:
      'If you did not ask for this, you need not do anything: nothing is booked in your name.',
  }),
});
