import type { Ctx } from '../context.ts';
import { purgeMailBudgets } from './budget.ts';
import { LONGEST_WAIT_MS, MOST_ATTEMPTS } from './delivery.ts';

const KEPT_DAYS = 90;

/**
 * Timed work: mails go after three months. What opens doors goes earlier: links to sign in an hour after they were
 * written, whether the mail was sent or not, since they open nothing any more; the links of orders and of waiting lists
 * as soon as their mail was sent, since then they are the recipient's alone, or was suppressed, since nobody gets them.
 */
export async function forgetMails(ctx: Ctx): Promise<void> {
  const { db, now } = ctx;
  const hourAgo = new Date(now().getTime() - 3_600_000);
  await db.mail.deleteMany({
    where: { createdAt: { lt: new Date(now().getTime() - KEPT_DAYS * 24 * 3_600_000) } },
  });
  await db.$executeRaw`
    UPDATE mails SET text = regexp_replace(text, 'foyerl_[0-9A-Za-z]{8,}', 'foyerl_***', 'g'),
      html = regexp_replace(html, 'foyerl_[0-9A-Za-z]{8,}', 'foyerl_***', 'g'),
      attempts = CASE WHEN sent_at IS NULL THEN ${MOST_ATTEMPTS}::int ELSE attempts END,
      last_error = CASE WHEN sent_at IS NULL THEN 'Its link is over.' ELSE last_error END,
      status = CASE WHEN sent_at IS NULL THEN 'failed' ELSE status END
    WHERE created_at < ${hourAgo} AND text ~ 'foyerl_[0-9A-Za-z]{8,}'`;
  await db.$executeRaw`
    UPDATE mails SET text = regexp_replace(text, '(foyer[eow]_)[0-9A-Za-z]{8,}', '\\1***', 'g'),
      html = regexp_replace(html, '(foyer[eow]_)[0-9A-Za-z]{8,}', '\\1***', 'g')
    WHERE (sent_at IS NOT NULL OR status = 'suppressed') AND text ~ 'foyer[eow]_[0-9A-Za-z]{8,}'`;
  await db.mail.updateMany({
    where: {
      status: 'waiting',
      createdAt: { lte: new Date(now().getTime() - LONGEST_WAIT_MS) },
    },
    data: { status: 'failed' },
  });
  await db.mail.updateMany({
    where: { status: { not: 'waiting' }, clientKey: { not: null } },
    data: { clientKey: null },
  });
  await purgeMailBudgets(ctx);
}
