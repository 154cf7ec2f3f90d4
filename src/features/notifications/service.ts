import type { Context } from '../../context.ts';
import type { ChangeType } from '../../journal/catalog.ts';
import type { JournalReader, RecordedChange } from '../../journal/read-changes.ts';
import { ORDER_EMAIL_TYPES, ORDER_EMAIL_WHERE, sendOrderEmails } from '../orders/service.ts';
import { ARRIVAL_EMAIL_TYPES, sendArrivalEmails } from './arrival-emails.ts';
import { BOOKING_EMAIL_TYPES, sendBookingEmails } from './booking-emails.ts';
import { MEMBERSHIP_EMAIL_TYPES, sendMembershipEmails } from './membership-emails.ts';

export { reportOutages } from './outage-emails.ts';
export { sendReminders } from './reminders.ts';

/** Emails by the changes that cause them. */
const SENDERS: {
  types: readonly ChangeType[];
  send(ctx: Context, changes: RecordedChange[]): Promise<void>;
}[] = [
  { types: BOOKING_EMAIL_TYPES, send: sendBookingEmails },
  { types: ORDER_EMAIL_TYPES, send: sendOrderEmails },
  { types: ARRIVAL_EMAIL_TYPES, send: sendArrivalEmails },
  { types: MEMBERSHIP_EMAIL_TYPES, send: sendMembershipEmails },
];

/** Queues emails about changes. They are inserted in the transaction that moves the reader, so each is sent once. */
export const mailReader: JournalReader = {
  name: 'mail',
  findTypes: async () => SENDERS.flatMap(({ types }) => types),
  where: ORDER_EMAIL_WHERE,
  handle: async (ctx, changes) => {
    for (const { types, send } of SENDERS) {
      const own = changes.filter(({ type }) => types.includes(type));
      if (own.length > 0) await send(ctx, own);
    }
  },
};
