import type { Context } from '../../../context.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import type { RecordedChange } from '../../../journal/read-changes.ts';
import { isEventMoved, startEventMoves } from './event-moves.ts';
import { CANCELLATION_EMAIL_TYPES, sendCancellationEmails } from './send-cancellation-emails.ts';
import { CONFIRMATION_EMAIL_TYPES, sendConfirmationEmails } from './send-confirmation-emails.ts';
import { sendTransferEmails, TRANSFER_EMAIL_TYPES } from './send-transfer-emails.ts';
import { sendWaitlistEmails, WAITLIST_EMAIL_TYPES } from './send-waitlist-emails.ts';

const SENDERS: {
  types: readonly ChangeType[];
  send(ctx: Context, changes: RecordedChange[]): Promise<void>;
}[] = [
  { types: CONFIRMATION_EMAIL_TYPES, send: sendConfirmationEmails },
  { types: CANCELLATION_EMAIL_TYPES, send: sendCancellationEmails },
  { types: TRANSFER_EMAIL_TYPES, send: sendTransferEmails },
  { types: WAITLIST_EMAIL_TYPES, send: sendWaitlistEmails },
  { types: ['event.updated'], send: sendEventMoves },
];

/** The changes that `sendOrderEmails` handles. */
export const ORDER_EMAIL_TYPES: readonly ChangeType[] = SENDERS.flatMap(({ types }) => types);

// Only buyers of free orders are asked to confirm them, and buyers who cancel unpaid orders get no email. Older versions emailed about the others while they made the change,
// and recorded no transaction.
const toListSql = (types: readonly ChangeType[]) => types.map((type) => `'${type}'`).join(', ');
/** SQL: which of them it needs. */
export const ORDER_EMAIL_WHERE = `CASE
  WHEN type = 'order.placed' THEN after ->> 'total_amount' = '0'
  WHEN type = 'order.cancelled' AND before ->> 'status' = 'pending' AND actor_kind IN ('anonymous', 'member') THEN false
  WHEN type IN (${toListSql([
    'order.confirmation_sent',
    ...CANCELLATION_EMAIL_TYPES,
    ...TRANSFER_EMAIL_TYPES,
    ...WAITLIST_EMAIL_TYPES,
  ])}) THEN transaction_id IS NOT NULL
  ELSE true END`;

/** Queues the emails that follow from changes of orders and their events, in the transaction of the reader. */
export async function sendOrderEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  for (const { types, send } of SENDERS) {
    const own = changes.filter(({ type }) => types.includes(type));
    if (own.length > 0) await send(ctx, own);
  }
}

/** A job emails the holders of tickets of an event that was moved. */
async function sendEventMoves(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const movedIds = changes.filter(isEventMoved).flatMap(({ subjectId }) => subjectId ?? []);
  if (movedIds.length > 0) await startEventMoves(ctx, movedIds);
}
