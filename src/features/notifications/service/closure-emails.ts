import { type Context, runInTransaction } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { sendToBookingHolders } from '../closure-booking-emails.ts';
import { sendToTicketHolders } from '../closure-ticket-emails.ts';

const FIND_CLOSURES = prepareStatement(`
  SELECT closure_id AS id FROM closure_bookings WHERE NOT emailed
  UNION SELECT closure_id FROM closure_recipients WHERE NOT emailed ORDER BY id`);

/** How many bookings, or how many buyers and holders of tickets, are in a transaction. All bookings of a holder are in one. */
const BATCH_SIZE = 200;

/**
 * Job: cancels bookings within closures if staff chose so, and emails everybody who has bookings, tickets or day passes within
 * them, in batches. For each closure, a holder gets one email about bookings, and one about tickets and passes.
 */
export async function sendClosureEmails(
  ctx: Context,
  signal?: AbortSignal,
  batchSize = BATCH_SIZE,
): Promise<void> {
  for (const { id } of await ctx.lockingSql<{ id: string }>(FIND_CLOSURES, [])) {
    // A failed closure does not stop the others. The next run retries it.
    try {
      for (const sendNext of [sendToBookingHolders, sendToTicketHolders])
        while (!signal?.aborted && (await sendBatch(ctx, id, batchSize, sendNext)));
    } catch (error) {
      ctx.log.error({ err: error, closure: id }, 'could not email that a location is closed');
    }
  }
}

// Of two runs, one waits for the other.
const LOCK_CLOSURE = prepareStatement(
  `SELECT id FROM closures WHERE id = $1::uuid FOR NO KEY UPDATE`,
);

/** Emails the next holders, and marks them in the same transaction, so that each is emailed once. Returns whether there can be more. */
const sendBatch = (
  ctx: Context,
  closureId: string,
  size: number,
  sendNext: (ctx: Context, closureId: string, size: number) => Promise<boolean>,
): Promise<boolean> =>
  runInTransaction(ctx, async (ctx) => {
    await ctx.lockingSql(LOCK_CLOSURE, [closureId]);
    return sendNext(ctx, closureId, size);
  });
