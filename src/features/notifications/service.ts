import type { Context } from '../../context.ts';
import { addReader, type JournalReader, runReader } from '../../journal/read-changes.ts';
import { BOOKING_EMAIL_TYPES, sendBookingEmails } from './booking-emails.ts';

/** Queues emails about changes. They are inserted in the transaction that moves the reader, so each is sent once. */
const mailReader: JournalReader = {
  name: 'mail',
  types: BOOKING_EMAIL_TYPES,
  handle: sendBookingEmails,
};

/** Job: queues the emails about all changes since the last run. The first run begins with the changes from then on. */
export async function readMailJournal(ctx: Context): Promise<void> {
  await addReader(ctx, mailReader);
  await runReader(ctx, mailReader);
}
