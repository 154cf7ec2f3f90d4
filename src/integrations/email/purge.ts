import type { Context } from '../../context.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time/time-zone.ts';
import { purgeEmailBudgets } from './budget.ts';
import { MAX_EMAIL_AGE_MS, MAX_EMAIL_ATTEMPTS } from './delivery-worker.ts';

const RETENTION_MS = 90 * DAY_MS;
const SIGN_IN_LINK_LIFETIME_MS = 60 * MINUTE_MS;

/**
 * Job: deletes mails after three months, and the secrets in them earlier. Sign-in links are redacted after an hour, when
 * they have expired. Links of orders and waitlists are redacted once their mail was sent or suppressed.
 */
export async function purgeEmails(ctx: Context): Promise<void> {
  const { db, now } = ctx;
  const ago = (ms: number) => new Date(now().getTime() - ms);
  await db.mail.deleteMany({ where: { createdAt: { lt: ago(RETENTION_MS) } } });
  await db.$executeRaw`
    UPDATE mails SET text = regexp_replace(text, 'foyerl_[0-9A-Za-z]{8,}', 'foyerl_***', 'g'),
      html = regexp_replace(html, 'foyerl_[0-9A-Za-z]{8,}', 'foyerl_***', 'g'),
      attempts = CASE WHEN sent_at IS NULL THEN ${MAX_EMAIL_ATTEMPTS}::int ELSE attempts END,
      last_error = CASE WHEN sent_at IS NULL THEN 'Its link has expired.' ELSE last_error END,
      status = CASE WHEN sent_at IS NULL THEN 'failed' ELSE status END
    WHERE created_at < ${ago(SIGN_IN_LINK_LIFETIME_MS)} AND text ~ 'foyerl_[0-9A-Za-z]{8,}'`;
  await db.$executeRaw`
    UPDATE mails SET text = regexp_replace(text, '(foyer[eow]_)[0-9A-Za-z]{8,}', '\\1***', 'g'),
      html = regexp_replace(html, '(foyer[eow]_)[0-9A-Za-z]{8,}', '\\1***', 'g')
    WHERE (sent_at IS NOT NULL OR status = 'suppressed') AND text ~ 'foyer[eow]_[0-9A-Za-z]{8,}'`;
  await db.mail.updateMany({
    where: { status: 'waiting', createdAt: { lte: ago(MAX_EMAIL_AGE_MS) } },
    data: { status: 'failed' },
  });
  await db.mail.updateMany({
    where: { status: { not: 'waiting' }, clientKey: { not: null } },
    data: { clientKey: null },
  });
  await purgeEmailBudgets(ctx);
}
