import { redact } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import { getMaxAttempts, RETRY_SCHEDULES } from '../../core/retry-schedule.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import {
  type AttemptOutcome,
  type Leased,
  runWorkQueue,
  type Settlement,
  type WorkQueue,
} from '../../core/work-queue.ts';
import type { Mail, Prisma } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import {
  consumeClientBudget,
  consumeEmailBudget,
  suppressClientEmails,
  suppressOrPostpone,
} from './budget.ts';
import { classifySmtpError, type EmailTransport, MAX_CONCURRENT_DELIVERIES } from './smtp.ts';

export const MAX_EMAIL_ATTEMPTS = getMaxAttempts(RETRY_SCHEDULES.emails);

/** An older mail is of no use any more, such as those written while no server was configured. */
export const MAX_EMAIL_AGE_MS = 3 * DAY_MS;

/** Later mails to a recipient wait until an earlier one has failed so often, which takes a quarter of an hour. */
const MAX_ATTEMPTS_IN_ORDER = 4;

const MAX_ERROR_LENGTH = 500;

/** What the attempts of one run say about the mail server. */
interface ServerHealth {
  /** Whether the server accepted or rejected any mail. */
  hasResponded: boolean;
  timeouts: number;
  /** Mails that could not be handed over because the server was unreachable. */
  undeliverableIds: string[];
}

/**
 * Sends the mails that are due and returns how many were sent: sign-in links first, then essential mails, then the rest,
 * oldest first; several at once, but one after the other to each recipient. A process that is killed between the server's
 * response and the record of it sends that mail a second time.
 */
export async function deliverEmails(
  ctx: Context,
  transport: EmailTransport | undefined,
  signal?: AbortSignal,
): Promise<number> {
  if (transport === undefined) return 0;
  const health: ServerHealth = { hasResponded: false, timeouts: 0, undeliverableIds: [] };
  const queue = createEmailQueue(ctx, transport, health);
  try {
    return (await runWorkQueue(queue, ctx, signal)).succeeded;
  } finally {
    await returnAttempts(ctx, health);
  }
}

const createEmailQueue = (
  ctx: Context,
  transport: EmailTransport,
  health: ServerHealth,
): WorkQueue<Mail> => ({
  name: 'mails',
  schedule: RETRY_SCHEDULES.emails,
  concurrency: MAX_CONCURRENT_DELIVERIES,
  lease: (until) => leaseEmail(ctx, until),
  attempt: (mail) => attemptEmail(ctx, transport, mail, health),
  settle: (mail, settlement) => settleEmail(ctx, mail, settlement),
});

// Mails that wait for an earlier one to the same recipient are left out.
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
  RETURNING mails.id, recipient, priority, client_key AS "clientKey", subject, text, html, attempts`);

async function leaseEmail({ pipelinedSql, now }: Context, until: Date): Promise<Mail | undefined> {
  const oldest = new Date(now().getTime() - MAX_EMAIL_AGE_MS);
  const [mail] = await pipelinedSql<Mail>(LEASE_EMAIL, [now(), until, oldest]);
  return mail;
}

async function attemptEmail(
  ctx: Context,
  transport: EmailTransport,
  mail: Mail,
  health: ServerHealth,
): Promise<AttemptOutcome> {
  // A mail counts against its budgets once, however many attempts it takes.
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
  try {
    await transport.send(mail);
  } catch (error) {
    return toFailedAttempt(error, mail, health);
  }
  health.hasResponded = true;
  return { kind: 'succeeded' };
}

function toFailedAttempt(thrown: unknown, { id }: Mail, health: ServerHealth): AttemptOutcome {
  const error = thrown instanceof Error ? thrown.message : String(thrown);
  // Not the message: it names the recipient. Staff reads it in the panel.
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

function settleEmail({ db, now }: Context, mail: Leased<Mail>, settlement: Settlement) {
  const { id, text, html, leasedUntil } = mail;
  if (settlement.state === 'succeeded') {
    // The recipient has the secrets in the mail; nobody else needs them.
    const redacted = { text: redact(text), html: html === null ? null : redact(html) };
    return db.mail.updateMany({
      where: { id },
      data: { ...redacted, status: 'sent', sentAt: now(), lastError: null },
    });
  }
  return db.mail.updateMany({
    where: { id, status: 'waiting', nextAttemptAt: leasedUntil },
    data: toFailureData(settlement),
  });
}

function toFailureData(
  settlement: Exclude<Settlement, { state: 'succeeded' }>,
): Prisma.MailUpdateManyMutationInput {
  if (settlement.state === 'released')
    return { attempts: { decrement: 1 }, nextAttemptAt: settlement.nextAttemptAt };
  const lastError = settlement.error.slice(0, MAX_ERROR_LENGTH);
  return settlement.state === 'waiting'
    ? { lastError, nextAttemptAt: settlement.nextAttemptAt }
    : { lastError, status: 'failed', attempts: MAX_EMAIL_ATTEMPTS };
}

// One attempt stays counted: it says that the budgets were consumed.
const RETURN_ATTEMPTS = prepareStatement(`
  UPDATE mails SET status = 'waiting', attempts = greatest(attempts - 1, 1), next_attempt_at = $2::timestamptz
  WHERE id = ANY($1::uuid[]) AND status IN ('waiting', 'failed')`);

/** A mail server that answered nobody is down. That costs the mails time, but no attempts. */
async function returnAttempts(ctx: Context, health: ServerHealth): Promise<void> {
  if (health.hasResponded || health.undeliverableIds.length === 0) return;
  await ctx.lockingSql(RETURN_ATTEMPTS, [health.undeliverableIds, ctx.now()]);
}
