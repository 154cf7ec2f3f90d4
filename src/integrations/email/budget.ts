import type { Context } from '../../context.ts';
import { DAY_MS, HOUR_MS } from '../../core/time/time-zone.ts';
import type { Mail, MailPriority } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';

/**
 * How many emails one mailbox can receive per hour and per day, all kinds together. More important emails have larger
 * budgets, so that sign-in links and paid tickets arrive even if strangers cause many emails.
 */
export const EMAIL_BUDGETS: Record<MailPriority, { perHour: number; perDay: number }> = {
  bulk: { perHour: 10, perDay: 30 },
  requested: { perHour: 20, perDay: 60 },
  essential: { perHour: 60, perDay: 300 },
  critical: { perHour: 100, perDay: 400 },
};

/** How much of the smallest budget the anonymous clients of one network can consume. */
export const CLIENT_EMAIL_BUDGET = { perHour: 8, perDay: 24 };

// One statement checks and counts, so that concurrent emails do not exceed the budget.
const CONSUME = prepareStatement(`
  INSERT INTO mail_budgets AS b (recipient_key, client_key, hour_starts_at, hour_count, day_starts_at, day_count)
  VALUES (mail_recipient_key($1::text), $5::text, $2::timestamptz, 1, $2::timestamptz, 1)
  ON CONFLICT (recipient_key, client_key) DO UPDATE SET
    hour_starts_at = CASE WHEN b.hour_starts_at <= $2::timestamptz - interval '1 hour' THEN $2::timestamptz ELSE b.hour_starts_at END,
    hour_count = CASE WHEN b.hour_starts_at <= $2::timestamptz - interval '1 hour' THEN 1 ELSE b.hour_count + 1 END,
    day_starts_at = CASE WHEN b.day_starts_at <= $2::timestamptz - interval '1 day' THEN $2::timestamptz ELSE b.day_starts_at END,
    day_count = CASE WHEN b.day_starts_at <= $2::timestamptz - interval '1 day' THEN 1 ELSE b.day_count + 1 END
  WHERE (b.hour_starts_at <= $2::timestamptz - interval '1 hour' OR b.hour_count < $3::int)
    AND (b.day_starts_at <= $2::timestamptz - interval '1 day' OR b.day_count < $4::int)
  RETURNING recipient_key`);

/** Counts one email to the address. Returns false if the budget of the address is used up. */
export async function consumeEmailBudget(
  { lockingSql, now }: Context,
  { recipient, priority }: Pick<Mail, 'recipient' | 'priority'>,
): Promise<boolean> {
  const { perHour, perDay } = EMAIL_BUDGETS[priority];
  return (await lockingSql(CONSUME, [recipient, now(), perHour, perDay, ''])).length > 0;
}

/**
 * Counts one email for the network of the client that caused it. Returns false if its budget is used up. Call it before
 * `consumeEmailBudget`: such emails must not count against the mailbox.
 */
export async function consumeClientBudget(
  { lockingSql, now }: Context,
  { recipient, clientKey }: Pick<Mail, 'recipient' | 'clientKey'>,
): Promise<boolean> {
  if (clientKey === null) return true;
  const { perHour, perDay } = CLIENT_EMAIL_BUDGET;
  return (await lockingSql(CONSUME, [recipient, now(), perHour, perDay, clientKey])).length > 0;
}

const READ_USAGE = prepareStatement(`
  SELECT hour_starts_at AS "hourStartsAt", hour_count AS "hourCount", day_starts_at AS "dayStartsAt", day_count AS "dayCount"
  FROM mail_budgets WHERE recipient_key = mail_recipient_key($1::text) AND client_key = ''`);

interface BudgetUsage {
  hourStartsAt: Date;
  hourCount: number;
  dayStartsAt: Date;
  dayCount: number;
}

/** Finds when emails of this priority can be sent to this address again. */
async function findNextBudget(ctx: Context, { recipient, priority }: Mail): Promise<Date> {
  const { perHour, perDay } = EMAIL_BUDGETS[priority];
  const [usage] = await ctx.pipelinedSql<BudgetUsage>(READ_USAGE, [recipient]);
  const ends = [
    ctx.now().getTime(),
    ...(usage && usage.hourCount >= perHour
      ? [new Date(usage.hourStartsAt).getTime() + HOUR_MS]
      : []),
    ...(usage && usage.dayCount >= perDay ? [new Date(usage.dayStartsAt).getTime() + DAY_MS] : []),
  ];
  return new Date(Math.max(...ends));
}

// Other waiting emails to the recipient have no budget either. Emails that have been attempted are not changed.
const SUPPRESS = prepareStatement(`
  UPDATE mails SET status = 'suppressed', last_error = $3
  WHERE ($4::text IS NULL OR client_key = $4::text) AND status = 'waiting' AND mail_recipient_key(recipient) = mail_recipient_key($1::text) AND priority = 'requested'
    AND (attempts = 0 OR id = $2::uuid)
  RETURNING id`);

const POSTPONE = prepareStatement(`
  UPDATE mails SET attempts = 0, next_attempt_at = $3::timestamptz, last_error = $4
  WHERE status = 'waiting' AND mail_recipient_key(recipient) = mail_recipient_key($1::text)
    AND priority = $5::text::mail_priority AND (attempts = 0 OR id = $2::uuid)
  RETURNING id`);

const SUPPRESSED_MESSAGE = 'Not sent: too many emails were requested for this address.';
const POSTPONED_MESSAGE = 'Postponed: this address has received too many emails.';

/** Suppresses an email above the budget of its client, and the client's other waiting emails to the address. */
export async function suppressClientEmails(ctx: Context, { id, recipient, clientKey }: Mail) {
  const suppressed = await ctx.lockingSql(SUPPRESS, [recipient, id, SUPPRESSED_MESSAGE, clientKey]);
  ctx.log.warn(
    { mail: id, count: suppressed.length },
    'emails suppressed: no budget for the client',
  );
}

/**
 * Handles an email above the budget of its recipient, and the waiting emails behind it: suppresses requested emails and
 * postpones others.
 */
export async function suppressOrPostpone(ctx: Context, mail: Mail): Promise<void> {
  const { id, recipient, priority } = mail;
  if (priority === 'requested') {
    const suppressed = await ctx.lockingSql(SUPPRESS, [recipient, id, SUPPRESSED_MESSAGE, null]);
    ctx.log.warn(
      { mail: id, count: suppressed.length },
      'emails suppressed: no budget for the recipient',
    );
    return;
  }
  const until = await findNextBudget(ctx, mail);
  const postponed = await ctx.lockingSql(POSTPONE, [
    recipient,
    id,
    until,
    POSTPONED_MESSAGE,
    priority,
  ]);
  ctx.log.warn(
    { mail: id, count: postponed.length, until },
    'emails postponed: no budget for the recipient',
  );
}

/** Deletes counters whose hour and day have ended. */
export async function purgeEmailBudgets({ db, now }: Context): Promise<void> {
  const dayAgo = new Date(now().getTime() - DAY_MS);
  await db.mailBudget.deleteMany({
    where: { dayStartsAt: { lte: dayAgo }, hourStartsAt: { lte: dayAgo } },
  });
}
