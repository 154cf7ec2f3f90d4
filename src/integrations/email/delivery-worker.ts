import { setTimeout } from 'node:timers/promises';
import { redact } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import type { Mail } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import {
  consumeClientBudget,
  consumeEmailBudget,
  purgeEmailBudgets,
  suppressClientEmails,
  suppressOrPostpone,
} from './budget.ts';
import { classifySmtpError, type EmailTransport, MAX_CONCURRENT_DELIVERIES } from './smtp.ts';

/** Minutes from one attempt to the next, a good day in all; the first outlasts any attempt that is still under way. */
const RETRY_DELAYS_MINUTES = [2, 5, 15, 60, 120, 240, 480, 720];
export const MAX_EMAIL_ATTEMPTS = RETRY_DELAYS_MINUTES.length + 1;

/** What could not leave in that time is of no use any more, such as all that was kept while there was no server. */
export const MAX_EMAIL_AGE_MS = 3 * 24 * 3_600_000;

/** So many failed attempts keep later mails to the same recipient waiting: a quarter of an hour, then they pass. */
const MAX_ATTEMPTS_IN_ORDER = 4;
const MAX_EMAILS_PER_RUN = 1_000;
/** How often new mails are looked for while a slow one is under way. */
const POLL_INTERVAL_MS = 500;

/** One call of `deliver`. */
interface DeliveryRun {
  ctx: Context;
  transport: EmailTransport;
  sent: number;
  /** Whether the server took or refused any mail. */
  hasResponse: boolean;
  unanswered: string[];
  timedOut: number;
  error?: unknown;
}

/**
 * Sends what waits, a bounded number of mails, and returns how many were sent: links to sign in first, then what is
 * essential, then the rest, oldest first; several at once, but one after the other to each recipient. Any number of
 * instances may do so at once: each mail is taken by one. A kill between the server's yes and ours sends that mail a
 * second time, never none.
 */
export async function deliverEmails(
  ctx: Context,
  transport: EmailTransport | undefined,
  signal?: AbortSignal,
): Promise<number> {
  if (transport === undefined) return 0;
  const run: DeliveryRun = {
    ctx,
    transport,
    sent: 0,
    hasResponse: false,
    unanswered: [],
    timedOut: 0,
  };
  const underway = new Set<Promise<void>>();
  try {
    for (let taken = 0; taken < MAX_EMAILS_PER_RUN && !signal?.aborted && !isFinished(run); ) {
      if (underway.size === MAX_CONCURRENT_DELIVERIES) {
        await Promise.race(underway);
        continue;
      }
      const mail = await leaseNextEmail(ctx);
      if (mail) {
        taken += 1;
        const delivery = deliverOne(run, mail).finally(() => underway.delete(delivery));
        underway.add(delivery);
      } else if (underway.size > 0) await Promise.race([...underway, waitForNextPoll(signal)]);
      else break;
    }
  } finally {
    await Promise.all(underway);
  }
  await returnAttempts(run);
  if (run.error) throw run.error;
  return run.sent;
}

/** Whether nobody else's mail would fare better: the rest keeps its attempts. */
const isFinished = ({ unanswered, timedOut, hasResponse, error }: DeliveryRun) =>
  error !== undefined ||
  unanswered.length > 0 ||
  (timedOut >= MAX_CONCURRENT_DELIVERIES && !hasResponse);

const waitForNextPoll = (signal: AbortSignal | undefined) =>
  setTimeout(POLL_INTERVAL_MS, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(
    () => {},
  );

// The next attempt is put off before this one begins, and in one statement: that keeps everybody else from the same mail,
// however the attempt ends. What waits for an earlier mail to the same recipient is not considered.
const LEASE_NEXT = prepareStatement(`
  WITH due AS (
    SELECT m.id FROM mails m
    WHERE m.status = 'waiting' AND m.next_attempt_at <= $1::timestamptz AND m.created_at > $3::timestamptz
      AND m.attempts <= cardinality($2::int[])
      AND NOT EXISTS (
        SELECT FROM mails earlier
        WHERE earlier.status = 'waiting' AND mail_recipient_key(earlier.recipient) = mail_recipient_key(m.recipient)
          AND earlier.priority = m.priority AND earlier.id < m.id
          AND earlier.attempts < ${MAX_ATTEMPTS_IN_ORDER} AND earlier.created_at > $3::timestamptz)
    ORDER BY m.priority, m.next_attempt_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
  UPDATE mails SET attempts = attempts + 1,
    next_attempt_at = $1::timestamptz + ($2::int[])[least(attempts + 1, cardinality($2::int[]))] * interval '1 minute'
  FROM due WHERE mails.id = due.id
  RETURNING mails.id, recipient, priority, client_key AS "clientKey", subject, text, html, attempts`);

async function leaseNextEmail({ pipelinedSql, now }: Context): Promise<Mail | undefined> {
  const oldest = new Date(now().getTime() - MAX_EMAIL_AGE_MS);
  const [mail] = await pipelinedSql<Mail>(LEASE_NEXT, [now(), RETRY_DELAYS_MINUTES, oldest]);
  return mail;
}

/** Never throws: what went wrong besides the sending stands in the run. */
async function deliverOne(run: DeliveryRun, mail: Mail): Promise<void> {
  const { ctx, transport } = run;
  try {
    // Counted once, however many attempts it takes.
    if (mail.attempts === 1) {
      if (!(await consumeClientBudget(ctx, mail))) return await suppressClientEmails(ctx, mail);
      if (!(await consumeEmailBudget(ctx, mail))) return await suppressOrPostpone(ctx, mail);
    }
    const problem = await attemptSend(transport, mail);
    countOutcome(run, mail, problem);
    await recordOutcome(ctx, mail, problem);
    if (problem) {
      // Without the message: it names the recipient. The panel shows it.
      const { code, responseCode } = problem as { code?: string; responseCode?: number };
      const { id, attempts } = mail;
      ctx.log.warn({ mail: id, attempts, code, responseCode }, 'a mail was not sent');
    }
  } catch (error) {
    run.error ??= error;
  }
}

async function attemptSend(transport: EmailTransport, mail: Mail): Promise<Error | undefined> {
  try {
    await transport.send(mail);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function countOutcome(run: DeliveryRun, { id }: Mail, problem: Error | undefined): void {
  const verdict = problem && classifySmtpError(problem);
  if (verdict === 'unreachable') run.unanswered.push(id);
  else if (verdict === 'timed out') run.timedOut += 1;
  else run.hasResponse = true;
  if (verdict === undefined) run.sent += 1;
}

async function recordOutcome(
  { db, now }: Context,
  mail: Mail,
  problem: Error | undefined,
): Promise<void> {
  const { id, text, html } = mail;
  if (problem === undefined) {
    // Who has the mail has the secrets in it; nobody else needs them.
    const kept = { text: redact(text), html: html === null ? null : redact(html) };
    await db.mail.update({
      where: { id },
      data: { ...kept, status: 'sent', sentAt: now(), lastError: null },
    });
  } else {
    const refused = classifySmtpError(problem) === 'refused';
    await db.mail.update({
      where: { id },
      data: {
        lastError: problem.message.slice(0, 500),
        ...(refused || mail.attempts >= MAX_EMAIL_ATTEMPTS
          ? { status: 'failed', attempts: MAX_EMAIL_ATTEMPTS }
          : {}),
      },
    });
  }
}

// One attempt stays counted: it says that the recipient's budget was consumed.
const RETURN_ATTEMPTS = prepareStatement(`
  UPDATE mails SET status = 'waiting', attempts = greatest(attempts - 1, 1), next_attempt_at = $2::timestamptz
  WHERE id = ANY($1::uuid[]) AND status IN ('waiting', 'failed')`);

/** A server that answered nobody is down: that costs the mails time and no attempts. */
async function returnAttempts({ ctx, unanswered, hasResponse }: DeliveryRun): Promise<void> {
  if (hasResponse || unanswered.length === 0) return;
  await ctx.lockingSql(RETURN_ATTEMPTS, [unanswered, ctx.now()]);
}

const RETENTION_DAYS = 90;

/**
 * Timed work: mails go after three months. What opens doors goes earlier: links to sign in an hour after they were
 * written, whether the mail was sent or not, since they open nothing any more; the links of orders and of waiting lists
 * as soon as their mail was sent, since then they are the recipient's alone, or was suppressed, since nobody gets them.
 */
export async function purgeEmails(ctx: Context): Promise<void> {
  const { db, now } = ctx;
  const hourAgo = new Date(now().getTime() - 3_600_000);
  await db.mail.deleteMany({
    where: { createdAt: { lt: new Date(now().getTime() - RETENTION_DAYS * 24 * 3_600_000) } },
  });
  await db.$executeRaw`
    UPDATE mails SET text = regexp_replace(text, 'foyerl_[0-9A-Za-z]{8,}', 'foyerl_***', 'g'),
      html = regexp_replace(html, 'foyerl_[0-9A-Za-z]{8,}', 'foyerl_***', 'g'),
      attempts = CASE WHEN sent_at IS NULL THEN ${MAX_EMAIL_ATTEMPTS}::int ELSE attempts END,
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
      createdAt: { lte: new Date(now().getTime() - MAX_EMAIL_AGE_MS) },
    },
    data: { status: 'failed' },
  });
  await db.mail.updateMany({
    where: { status: { not: 'waiting' }, clientKey: { not: null } },
    data: { clientKey: null },
  });
  await purgeEmailBudgets(ctx);
}
