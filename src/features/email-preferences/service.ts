import { createSecret, hashSecret, isWellFormedSecret } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { notFound, unauthenticated } from '../../errors.ts';

/** What a mailbox wants. Addresses that differ only after a plus sign belong to the same one. */
export interface EmailPreferences {
  receivesReminders: boolean;
}

const INSERT_LINK = prepareStatement(`
  INSERT INTO email_preference_links (hash, recipient_key, created_at)
  VALUES ($1::bytea, mail_recipient_key($2::text), $3::timestamptz)`);

const FIND_OPT_OUTS = prepareStatement(`
  SELECT email FROM unnest($1::text[]) email
  WHERE EXISTS (SELECT FROM reminder_opt_outs o WHERE o.recipient_key = mail_recipient_key(email))`);

/** Finds which of the addresses want no reminders. */
export async function findOptedOut(ctx: Context, emails: string[]): Promise<Set<string>> {
  const rows = await ctx.lockingSql<{ email: string }>(FIND_OPT_OUTS, [emails]);
  return new Set(rows.map(({ email }) => email));
}

/** Creates the links with which the recipient of an email stops reminders: for people, and for email programs (RFC 8058). */
export async function createPreferenceLinks(ctx: Context, email: string) {
  const { plainText, hash } = createSecret('emailPreferences');
  await ctx.lockingSql(INSERT_LINK, [hash, email, ctx.now()]);
  return {
    // Browsers do not send the part after the #, so no server can log the secret.
    page: `${ctx.baseUrl}/email-preferences#${plainText}`,
    oneClick: `${ctx.baseUrl}/public/email-preferences/${plainText}/unsubscribe`,
  };
}

const READ = prepareStatement(`
  SELECT NOT EXISTS (SELECT FROM reminder_opt_outs WHERE recipient_key = $1) AS "receivesReminders"`);

/**
 * Gets what a mailbox wants: that of a link, or that of the viewer if they are a member.
 *
 * @throws NOT_FOUND for an unknown secret; UNAUTHENTICATED without a secret and a member
 */
export async function getEmailPreferences(
  ctx: Context,
  secret: string | undefined,
): Promise<EmailPreferences> {
  const [preferences] = await ctx.lockingSql<EmailPreferences>(READ, [
    await getRecipientKey(ctx, secret),
  ]);
  return preferences as EmailPreferences;
}

const OPT_OUT = prepareStatement(`
  INSERT INTO reminder_opt_outs (recipient_key, created_at) VALUES ($1, $2::timestamptz) ON CONFLICT DO NOTHING`);
const OPT_IN = prepareStatement('DELETE FROM reminder_opt_outs WHERE recipient_key = $1');

/** Changes what a mailbox wants. Repeating it changes nothing. @throws as `getEmailPreferences` */
export async function updateEmailPreferences(
  ctx: Context,
  { secret, receivesReminders }: { secret?: string | undefined; receivesReminders: boolean },
): Promise<EmailPreferences> {
  const key = await getRecipientKey(ctx, secret);
  await (receivesReminders
    ? ctx.lockingSql(OPT_IN, [key])
    : ctx.lockingSql(OPT_OUT, [key, ctx.now()]));
  return { receivesReminders };
}

const FIND_LINK = prepareStatement(
  'SELECT recipient_key AS key FROM email_preference_links WHERE hash = $1::bytea',
);
const FIND_MEMBER = prepareStatement(
  'SELECT mail_recipient_key(email) AS key FROM members WHERE id = $1::uuid',
);

async function getRecipientKey(ctx: Context, secret: string | undefined): Promise<string> {
  if (secret === undefined) {
    if (ctx.viewer.kind !== 'member') throw unauthenticated();
    const [member] = await ctx.lockingSql<{ key: string }>(FIND_MEMBER, [ctx.viewer.id]);
    if (member) return member.key;
  } else if (isWellFormedSecret('emailPreferences', secret)) {
    const [link] = await ctx.lockingSql<{ key: string }>(FIND_LINK, [hashSecret(secret)]);
    if (link) return link.key;
  }
  throw notFound('link');
}

const LINK_RETENTION_MS = 400 * DAY_MS;

/** Deletes links of old emails. */
export async function purgePreferenceLinks({ db, now }: Context): Promise<void> {
  const createdAt = { lt: new Date(now().getTime() - LINK_RETENTION_MS) };
  await db.emailPreferenceLink.deleteMany({ where: { createdAt } });
}
