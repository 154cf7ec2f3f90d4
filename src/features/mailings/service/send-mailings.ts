import { type Context, runInTransaction } from '../../../context.ts';
import type { Mailing } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { isDeletedAddress, toEmailRow } from '../../../integrations/email/outbox.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { createPreferenceLinks } from '../../email-preferences/service.ts';
import { findNextRecipients } from '../audience.ts';
import { countMailsByStatus } from '../mail-counts.ts';
import { describeAudience, renderMailing, toStopLink } from '../render.ts';

/** How many orders or members are read for one batch of emails. */
const MAILING_BATCH_SIZE = 200;

/**
 * Job: writes the emails of mailings in batches, each in its own transaction with the place from which the next one
 * continues, so an interrupted run is resumed. A mailing is sent once no email of it waits any more. Returns how many
 * emails were written.
 */
export async function sendMailings(
  ctx: Context,
  signal?: AbortSignal,
  batchSize = MAILING_BATCH_SIZE,
): Promise<number> {
  const open = await ctx.db.mailing.findMany({
    where: { sentCount: null },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  let count = 0;
  for (const { id } of open) {
    // A failed mailing does not stop the others. The next run retries it.
    try {
      for (;;) {
        if (signal?.aborted) return count;
        const written = await writeBatch(ctx, id, batchSize);
        if (written === null) break;
        count += written;
      }
      await finishMailing(ctx, id);
    } catch (error) {
      ctx.log.error({ err: error, mailing: id }, 'could not send a mailing');
    }
  }
  return count;
}

// Cancelling waits for the batch, and the batch for a cancellation. Two processes do not write the same batch.
const LOCK_MAILING = prepareStatement(
  'SELECT 1 FROM mailings WHERE id = $1::uuid FOR NO KEY UPDATE',
);

async function lockMailing(ctx: Context, id: string): Promise<Mailing | null> {
  await ctx.lockingSql(LOCK_MAILING, [id]);
  return ctx.db.mailing.findUnique({ where: { id } });
}

/** Writes the next emails of a mailing. Returns how many, or null if there are no more to write. */
const writeBatch = (ctx: Context, id: string, size: number): Promise<number | null> =>
  runInTransaction(ctx, async (ctx) => {
    const mailing = await lockMailing(ctx, id);
    if (mailing?.status !== 'sending' || mailing.writtenAt !== null) return null;
    const audience = { ...mailing, at: mailing.createdAt };
    const recipients = await findNextRecipients(ctx, audience, mailing.cursor, size);
    const last = recipients.at(-1);
    if (last === undefined) {
      await ctx.db.mailing.update({ where: { id }, data: { writtenAt: ctx.now() } });
      return null;
    }
    const { count } = await ctx.db.mail.createMany({
      data: await toMailRows(ctx, mailing, recipients),
      skipDuplicates: true, // one for each mailbox
    });
    await ctx.db.mailing.update({ where: { id }, data: { cursor: last.sourceId } });
    await ctx.triggerJob?.(ctx, 'mail.deliver');
    return count;
  });

async function toMailRows(
  ctx: Context,
  mailing: Mailing,
  recipients: { email: string; name: string }[],
) {
  const now = ctx.now();
  const frame = await describeAudience(ctx, mailing);
  const reachable = recipients.filter(({ email }) => !isDeletedAddress(email));
  const emails = mailing.audience === 'members' ? reachable.map(({ email }) => email) : [];
  const links = await createPreferenceLinks(ctx, emails, 'mailings');
  return reachable.map(({ email, name }, index) => {
    // Only members can stop mailings, and only they are addressed by name.
    const link = links[index];
    const content = renderMailing(
      mailing,
      frame,
      link ? name : null,
      link && toStopLink(frame.texts, link.page),
    );
    return {
      ...toEmailRow(
        { to: email, ...content, priority: 'bulk', unsubscribeUrl: link?.oneClick },
        ctx,
      ),
      mailingId: mailing.id,
      createdAt: now,
      nextAttemptAt: now,
    };
  });
}

/** Stores the counts of a mailing once no email waits any more: the emails themselves are deleted after 90 days. */
const finishMailing = (ctx: Context, id: string): Promise<void> =>
  runInTransaction(ctx, async (ctx) => {
    const mailing = await lockMailing(ctx, id);
    if (mailing === null || mailing.sentCount !== null) return;
    if (mailing.status === 'sending' && mailing.writtenAt === null) return;
    const {
      sent: sentCount = 0,
      failed: failedCount = 0,
      waiting = 0,
    } = (await countMailsByStatus(ctx, [id])).get(id) ?? {};
    if (waiting > 0) return;
    const counts = { sentCount, failedCount };
    if (mailing.status === 'cancelled') {
      await ctx.db.mailing.update({ where: { id }, data: counts });
      return;
    }
    await recordUpdated(ctx, 'mailing.sent', [id], () =>
      ctx.db.mailing.update({
        where: { id },
        data: {
          ...counts,
          recipientCount: sentCount + failedCount,
          status: 'sent',
          endedAt: ctx.now(),
        },
      }),
    );
  });
