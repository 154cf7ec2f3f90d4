import type { JournalReader } from '../../journal/read-changes.ts';
import { BOOKING_EMAIL_TYPES, sendBookingEmails } from './booking-emails.ts';

export { sendReminders } from './reminders.ts';

/** Queues emails about changes. They are inserted in the transaction that moves the reader, so each is sent once. */
export const mailReader: JournalReader = {
  name: 'mail',
  types: BOOKING_EMAIL_TYPES,
  handle: sendBookingEmails,
};
