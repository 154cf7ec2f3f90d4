import { combineHandlers } from '../../journal/combine-handlers.ts';
import { orderEmailSenders } from '../orders/service.ts';
import { ARRIVAL_EMAIL_TYPES, sendArrivalEmails } from './arrival-emails.ts';
import { BOOKING_EMAIL_TYPES, sendBookingEmails } from './booking-emails.ts';
import { MEMBERSHIP_EMAIL_TYPES, sendMembershipEmails } from './membership-emails.ts';

export { purgeUnconfirmedVisitorEmails } from './arrival-emails.ts';
export { reportOutages } from './outage-emails.ts';
export { sendReminders } from './reminders.ts';

/** Queues emails about changes. They are inserted in the transaction that moves the reader, so each is sent once. */
export const mailReader = combineHandlers('mail', [
  { types: BOOKING_EMAIL_TYPES, handle: sendBookingEmails },
  ...orderEmailSenders,
  { types: ARRIVAL_EMAIL_TYPES, handle: sendArrivalEmails },
  { types: MEMBERSHIP_EMAIL_TYPES, handle: sendMembershipEmails },
]);
