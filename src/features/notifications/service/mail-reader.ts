import { combineHandlers } from '../../../journal/combine-handlers.ts';
import { orderEmailSenders } from '../../orders/emails/service/order-email-senders.ts';
import { BOOKING_EMAIL_TYPES, sendBookingEmails } from '../booking-emails.ts';
import { MEMBERSHIP_EMAIL_TYPES, sendMembershipEmails } from '../membership-emails.ts';
import { ARRIVAL_EMAIL_TYPES, sendArrivalEmails } from './arrival-emails.ts';

/** Queues emails about changes. They are inserted in the transaction that moves the reader, so each is sent once. */
export const mailReader = combineHandlers('mail', [
  { types: BOOKING_EMAIL_TYPES, handle: sendBookingEmails },
  ...orderEmailSenders,
  { types: ARRIVAL_EMAIL_TYPES, handle: sendArrivalEmails },
  { types: MEMBERSHIP_EMAIL_TYPES, handle: sendMembershipEmails },
]);
