import type { ChangeHandler } from '../../../../journal/combine-handlers.ts';
import { ORDER_COMMAND_TYPES } from '../load-order-commands.ts';
import { sendCancellationEmails } from '../send-cancellation-emails.ts';
import { sendConfirmationEmails } from '../send-confirmation-emails.ts';
import { sendExpiryEmails } from '../send-expiry-emails.ts';
import { sendTransferEmails } from '../send-transfer-emails.ts';
import { sendWaitlistEmails } from '../send-waitlist-emails.ts';
import { sendEventMoves } from './event-moves.ts';

// Older versions queued most of these emails while they made the change, and recorded no transaction.
const IS_NEW = 'transaction_id IS NOT NULL';

/** Queue the emails that follow from changes of orders, tickets, waiting lists and events. */
export const orderEmailSenders: readonly ChangeHandler[] = [
  {
    types: ['order.placed'],
    // Buyers who pay online get no email before.
    where: `after ->> 'total_amount' = '0' OR after ->> 'provider' = 'on_site'`,
    handle: sendConfirmationEmails,
  },
  { types: ['order.expired'], where: IS_NEW, handle: sendExpiryEmails },
  { types: ['order.confirmed'], handle: sendConfirmationEmails },
  { types: ['order.confirmation_sent'], where: IS_NEW, handle: sendConfirmationEmails },
  {
    types: ORDER_COMMAND_TYPES,
    // Buyers who cancel an unpaid order get no email.
    where: `${IS_NEW} AND NOT (
      type = 'order.cancelled' AND before ->> 'status' = 'pending' AND actor_kind IN ('anonymous', 'member'))`,
    handle: sendCancellationEmails,
  },
  {
    types: ['ticket.transferred', 'day_pass.transferred'],
    where: IS_NEW,
    handle: sendTransferEmails,
  },
  {
    types: ['waitlist_entry.offered', 'waitlist_entry.expired'],
    where: IS_NEW,
    handle: sendWaitlistEmails,
  },
  { types: ['event.updated'], handle: sendEventMoves },
];
