import { SpanKind } from '@opentelemetry/api';
import { redact } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import { getMaxAttempts, RETRY_SCHEDULES } from '../../core/retry-schedule.ts';
import { DAY_MS, HOUR_MS } from '../../core/time/time-zone.ts';
import { withSpan } from '../../core/tracing.ts';
import {
  type AttemptOutcome,
  type Leased,
  runWorkQueue,
  type Settlement,
  toFailureData,
  type WorkQueue,
} from '../../core/work-queue.ts';
import { renewLeases } from '../../db/lease-renewal.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import {
  type RenderedAttachments,
  type RenderTickets,
  removeAttachmentContent,
  renderAttachments,
} from './attachments.ts';
import {
  consumeClientBudget,
  consumeEmailBudget,
  purgeEmailBudgets,
  suppressClientEmails,
  suppressOrPostpone,
} from './budget.ts';
import { failExpired, hasExpiredLink } from './expired-links.ts';
import {
  classifySmtpError,
  type EmailTransport,
  MAX_CONCURRENT_DELIVERIES,
  type SentMail,
} from './smtp.ts';

export const MAX_EMAIL_ATTEMPTS = getMaxAttempts(RETRY_SCHEDULES.emails);

/** Older emails are not sent, such as those enqueued while no SMTP server was configured. */
export const MAX_EMAIL_AGE_MS = 3 * DAY_MS;

/** Later emails to a recipient wait until an earlier one has failed this often, which takes about 20 minutes. */
const MAX_ATTEMPTS_IN_ORDER = 4;

/** The state of the SMTP server, as the attempts of one run have observed it. */
interface ServerHealth {
  /** Whether the server accepted or rejected any mail. */
  hasResponded: boolean;
  timeouts: number;
  /** Emails that were not sent because the server was unreachable. */
  undeliverableIds: string[];
}

/**
 * Sends the emails that are due and returns how many were sent. Sign-in links go first, then essential and requested emails,
 * and mailings last, each oldest first. Several are sent at a time, but only one to each recipient. If the process is killed
 * after the server accepted an email and before that is recorded, the email is sent again.
 */
export async function deliverEmails(
  ctx: Context,
  transport: EmailTransport | undefined,
  { renderTickets, signal }: { renderTickets?: RenderTickets; signal?: AbortSignal } = {},
): Promise<number> {
  if (transport === undefined) return 0;
  const health: ServerHealth = { hasResponded: false, timeouts: 0, undeliverableIds: [] };
  const queue = createEmailQueue(ctx, { transport, renderTickets }, health);
  try {
    return (await runWorkQueue(queue, ctx, signal)).succeeded;
  } finally {
    await returnAttempts(ctx, health);
  }
}

interface Delivery {
  transport: EmailTransport;
  renderTickets: RenderTickets | undefined;
}

const createEmailQueue = (
  ctx: Context,
  delivery: Delivery,
  health: ServerHealth,
): WorkQueue<SentMail> => ({
  name: 'mails',
  schedule: RETRY_SCHEDULES.emails,
  concurrency: MAX_CONCURRENT_DELIVERIES,
  lease: (until) => leaseEmail(ctx, until),
  renew: (mails, until) => renewLeases(ctx, 'mails', mails, until),
  attempt: (mail) => attemptEmail(ctx, delivery, mail, health),
  settle: (mail, settlement) => settleEmail(ctx, mail, settlement),
});

// Skips emails that must wait for an earlier one to the same recipient. The name of the space is that of the sender.
const LEASE_EMAIL = prepareStatement(`
  WITH due AS (
    SELECT m.id FROM mails m
    WHERE m.status = 'waiting' AND m.next_attempt_at <= $1::timestamptz AND m.created_at > $3::timestamptz
      AND m.attempts < ${MAX_EMAIL_ATTEMPTS}
      AND NOT EXISTS (
        SELECT FROM mails earlier
        WHERE earlier.status = 'waiting' AND mail_recipient_key(earlier.recipient) = mail_recipient_key(m.recipient)
          AND earlier.priority = m.priority AND earlier.id < m.id
          AND earlier.attempts < ${MAX_ATTEMPTS_IN_ORDER} AND earlier.created_at > $3::timestamptz)
    ORDER BY m.priority, m.next_attempt_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
  UPDATE mails SET attempts = attempts + 1, next_attempt_at = $2::timestamptz
  FROM due WHERE mails.id = due.id
  RETURNING mails.id, recipient, priority, client_key AS "clientKey", subject, text, html, attachments,
    unsubscribe_url AS "unsubscribeUrl", attempts, (SELECT name FROM setup) AS "senderName"`);

async function leaseEmail(
  { pipelinedSql, now }: Context,
  until: Date,
): Promise<SentMail | undefined> {
  const oldest = new Date(now().getTime() - MAX_EMAIL_AGE_MS);
  const [mail] = await pipelinedSql<SentMail>(LEASE_EMAIL, [now(), until, oldest]);
  return mail;
}

async function attemptEmail(
  ctx: Context,
  { transport, renderTickets }: Delivery,
  mail: SentMail,
  health: ServerHealth,
): Promise<AttemptOutcome> {
  if (await hasExpiredLink(ctx, mail)) {
    await failExpired(ctx, mail, MAX_EMAIL_ATTEMPTS);
    return { kind: 'settled' };
  }
  // An email counts against its budgets once, at its first attempt.
  if (mail.attempts === 1) {
    if (!(await consumeClientBudget(ctx, mail))) {
      await suppressClientEmails(ctx, mail);
      return { kind: 'settled' };
    }
    if (!(await consumeEmailBudget(ctx, mail))) {
      await suppressOrPostpone(ctx, mail);
      return { kind: 'settled' };
    }
  }
  let attachments: RenderedAttachments;
  try {
    attachments = await renderAttachments(ctx, mail, renderTickets);
  } catch (thrown) {
    return toFailedRendering(thrown);
  }
  try {
    await withSpan(ctx.tracer, 'send email', { kind: SpanKind.CLIENT }, () =>
      transport.send(mail, attachments),
    );
  } catch (error) {
    return toFailedAttempt(error, mail, health);
  }
  health.hasResponded = true;
  return { kind: 'succeeded' };
}

/** The mail server is not involved, so other emails are still sent. */
function toFailedRendering(thrown: unknown): AttemptOutcome {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  // The message can name a person, so it is not logged. Staff see it in the panel.
  const logged = { rendering: error.name, stack: error.stack?.match(/^ +at .*$/gm) };
  return { kind: 'retry', error: `An attachment could not be created: ${error.message}`, logged };
}

function toFailedAttempt(thrown: unknown, { id }: SentMail, health: ServerHealth): AttemptOutcome {
  const error = thrown instanceof Error ? thrown.message : String(thrown);
  // The message names the recipient, so it is not logged. Staff see it in the panel.
  const { code, responseCode } = thrown as { code?: string; responseCode?: number };
  const failure = { error, logged: { code, responseCode } };
  switch (classifySmtpError(thrown)) {
    case 'unreachable':
      health.undeliverableIds.push(id);
      return { kind: 'retry', ...failure, endsRun: true };
    case 'timed out': {
      health.timeouts += 1;
      const endsRun = health.timeouts >= MAX_CONCURRENT_DELIVERIES && !health.hasResponded;
      return { kind: 'retry', ...failure, endsRun };
    }
    case 'rejected':
      health.hasResponded = true;
      return { kind: 'rejected', ...failure };
    case 'temporary':
      health.hasResponded = true;
      return { kind: 'retry', ...failure };
  }
}

function settleEmail({ db, now }: Context, mail: Leased<SentMail>, settlement: Settlement) {
  const { id, text, html, leasedUntil } = mail;
  if (settlement.state === 'succeeded') {
    // Only the recipient needs the secrets in the email, so they are removed once it is sent.
    const redacted = {
      text: redact(text),
      html: html === null ? null : redact(html),
      attachments: removeAttachmentContent(mail),
      unsubscribeUrl: null,
    };
    return db.mail.updateMany({
      where: { id },
      data: { ...redacted, status: 'sent', sentAt: now(), lastError: null },
    });
  }
  return db.mail.updateMany({
    where: { id, status: 'waiting', nextAttemptAt: leasedUntil },
    data: toFailureData(settlement, { status: 'failed', attempts: MAX_EMAIL_ATTEMPTS }),
  });
}

// At least one attempt stays counted, since the first attempt consumes the budgets.
const RETURN_ATTEMPTS = prepareStatement(`
  UPDATE mails SET status = 'waiting', attempts = greatest(attempts - 1, 1), next_attempt_at = $2::timestamptz
  WHERE id = ANY($1::uuid[]) AND status IN ('waiting', 'failed')`);

/** Returns the attempts of a run in which the server never responded, so that an outage does not use up attempts. */
async function returnAttempts(ctx: Context, health: ServerHealth): Promise<void> {
  if (health.hasResponded || health.undeliverableIds.length === 0) return;
  await ctx.lockingSql(RETURN_ATTEMPTS, [health.undeliverableIds, ctx.now()]);
}

const RETENTION_MS = 90 * DAY_MS;
const SIGN_IN_LINK_LIFETIME_MS = HOUR_MS;

/**
 * Job: deletes emails after three months and redacts their secrets earlier: sign-in links after an hour, when they have
 * expired, links of orders, waitlists and reminders once the email has been sent or suppressed, and calendar files once it is no
 * longer sent. Partial indexes with the same conditions contain only the emails that still have secrets.
 */
export async function purgeEmails(ctx: Context): Promise<void> {
  const { db, now } = ctx;
  const ago = (ms: number) => new Date(now().getTime() - ms);
  await db.mail.deleteMany({ where: { createdAt: { lt: ago(RETENTION_MS) } } });
  await db.$executeRaw`
    UPDATE mails SET text = regexp_replace(text, 'foyerl_[0-9A-Za-z]{8,}', 'foyerl_***', 'g'),
      html = regexp_replace(html, 'foyerl_[0-9A-Za-z]{8,}', 'foyerl_***', 'g'),
      attempts = CASE WHEN sent_at IS NULL THEN ${MAX_EMAIL_ATTEMPTS}::int ELSE attempts END,
      last_error = CASE WHEN sent_at IS NULL THEN 'Not sent: its link has expired.' ELSE last_error END,
      status = CASE WHEN sent_at IS NULL THEN 'failed' ELSE status END
    WHERE created_at < ${ago(SIGN_IN_LINK_LIFETIME_MS)} AND text ~ 'foyerl_[0-9A-Za-z]{8,}'`;
  await db.$executeRaw`
    UPDATE mails SET text = regexp_replace(text, '(foyer[eouw]_)[0-9A-Za-z]{8,}', '\\1***', 'g'),
      html = regexp_replace(html, '(foyer[eouw]_)[0-9A-Za-z]{8,}', '\\1***', 'g'), unsubscribe_url = NULL
    WHERE (sent_at IS NOT NULL OR status = 'suppressed')
      AND (text ~ 'foyer[eouw]_[0-9A-Za-z]{8,}' OR unsubscribe_url IS NOT NULL)`;
  await db.$executeRaw`
    UPDATE mails SET status = 'failed' WHERE status = 'waiting' AND created_at <= ${ago(MAX_EMAIL_AGE_MS)}`;
  await db.$executeRaw`
    UPDATE mails SET attachments = (SELECT jsonb_agg(file - 'content') FROM jsonb_array_elements(attachments) file)
    WHERE status <> 'waiting' AND attachments @? '$[*].content'`;
  await db.mail.updateMany({
    where: { status: { not: 'waiting' }, clientKey: { not: null } },
    data: { clientKey: null },
  });
  await purgeEmailBudgets(ctx);
}
