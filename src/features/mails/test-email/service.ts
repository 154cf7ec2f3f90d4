import { v7 } from 'uuid';
import { redact } from '../../../auth/tokens.ts';
import type { Context } from '../../../context.ts';
import { unauthenticated } from '../../../errors.ts';
import { formatGreeting, renderEmail } from '../../../integrations/email/layout.ts';
import {
  classifySmtpError,
  createSmtpTransport,
  type SentMail,
} from '../../../integrations/email/smtp.ts';
import { type EmailTexts, getEmailTexts } from '../../../languages/emails/email-texts.ts';
import { readSettings } from '../../settings/service.ts';

/** Shorter than for other emails, since a person waits. */
const TEST_TIMEOUT_MS = 20_000;
const MAX_ERROR_LENGTH = 500;

type TestEmailOutcome =
  | 'sent'
  | 'no_mail_server'
  | 'sign_in_rejected'
  | 'email_rejected'
  | 'timed_out'
  | 'unreachable';

export interface TestEmail {
  recipient: string;
  outcome: TestEmailOutcome;
  /** What the mail server or the connection answered; null if there was no problem. */
  error: string | null;
}

/**
 * Sends an email to the caller at once, without the queue, and says what the mail server answered. It is not stored.
 * `smtpUrl` is absent without a mail server. Call it outside transactions.
 */
export async function sendTestEmail(ctx: Context, smtpUrl: string | undefined): Promise<TestEmail> {
  if (ctx.viewer.kind !== 'staff') throw unauthenticated();
  const { email: recipient, name } = await ctx.db.user.findUniqueOrThrow({
    where: { id: ctx.viewer.id },
    select: { email: true, name: true },
  });
  if (smtpUrl === undefined) return { recipient, outcome: 'no_mail_server', error: null };
  const settings = await readSettings(ctx);
  const texts = getEmailTexts(settings.language);
  const startedAt = performance.now();
  const problem = await attempt(
    ctx,
    smtpUrl,
    toTestMail(ctx, texts, { recipient, name, senderName: settings.name }),
  );
  recordAttempt(ctx, problem, (performance.now() - startedAt) / 1_000);
  if (problem !== null) return { recipient, ...problem };
  const sent = { testEmailSentAt: ctx.now() };
  await ctx.db.setup.upsert({ where: { id: 1 }, create: sent, update: sent });
  return { recipient, outcome: 'sent', error: null };
}

/** Counts it among the attempts to send emails, so that the system page shows its result. */
function recordAttempt({ metrics }: Context, problem: Problem | null, seconds: number): void {
  const hasResponded = problem === null || problem.outcome === 'email_rejected';
  const outage = hasResponded ? undefined : (problem.error ?? problem.outcome);
  metrics?.countAttempt('mails', problem === null ? 'succeeded' : 'failed', seconds, outage);
}

type Problem = Pick<TestEmail, 'outcome' | 'error'>;

async function attempt(
  { mailFrom }: Context,
  url: string,
  mail: SentMail,
): Promise<Problem | null> {
  const transport = createSmtpTransport({ url, from: mailFrom, timeoutMs: TEST_TIMEOUT_MS });
  try {
    await transport.send(mail, { files: [] });
    return null;
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { outcome: toOutcome(thrown), error: redact(message).slice(0, MAX_ERROR_LENGTH) };
  } finally {
    transport.close();
  }
}

function toOutcome(error: unknown): TestEmailOutcome {
  if ((error as { code?: string }).code === 'EAUTH') return 'sign_in_rejected';
  switch (classifySmtpError(error)) {
    case 'rejected':
    case 'temporary':
      return 'email_rejected';
    case 'timed out':
      return 'timed_out';
    case 'unreachable':
      return 'unreachable';
  }
}

function toTestMail(
  ctx: Context,
  texts: EmailTexts,
  { recipient, name, senderName }: { recipient: string; name: string; senderName: string | null },
): SentMail {
  const now = ctx.now();
  return {
    id: v7(),
    recipient,
    senderName,
    priority: 'critical',
    status: 'waiting',
    subject: texts.text('test.subject'),
    ...renderEmail(texts, {
      greeting: formatGreeting(texts, name),
      paragraphs: [texts.text('test.text')],
      action: { label: texts.text('test.action'), url: `${ctx.baseUrl}/admin` },
    }),
    attachments: [],
    unsubscribeUrl: null,
    attempts: 1,
    clientKey: null,
    lastError: null,
    nextAttemptAt: now,
    sentAt: null,
    mailingId: null,
    createdAt: now,
  };
}
