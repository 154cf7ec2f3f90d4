import { v7 } from 'uuid';
import { createSecret, hashSecret, isWellFormedSecret } from '../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import type { OptionalEmail } from '../../db/generated/enums.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { notFound, unauthenticated } from '../../errors.ts';
import { recordCreated, recordDeleted } from '../../journal/record-changes.ts';

/** What a mailbox wants. Addresses that differ only after a plus sign belong to the same one. */
export interface EmailPreferences {
  receivesReminders: boolean;
  /** Mailings to members. Those to the attendees of an event are always sent. */
  receivesMailings: boolean;
}

/** SQL: whether the mailbox of an address wants no emails of this kind. */
export const toOptedOutSql = (email: string, kind: OptionalEmail) =>
  `EXISTS (SELECT FROM email_opt_outs o WHERE o.recipient_key = mail_recipient_key(${email}) AND o.kind = '${kind}')`;

const FIND_OPT_OUTS = prepareStatement(
  `SELECT email FROM unnest($1::text[]) email WHERE ${toOptedOutSql('email', 'reminders')}`,
);

/** Finds which of the addresses want no reminders. */
export async function findOptedOut(ctx: Context, emails: string[]): Promise<Set<string>> {
  const rows = await ctx.lockingSql<{ email: string }>(FIND_OPT_OUTS, [emails]);
  return new Set(rows.map(({ email }) => email));
}

/** The links with which the recipient of an email stops emails of its kind. */
export interface PreferenceLinks {
  page: string;
  /** For email programs (RFC 8058). */
  oneClick: string;
}

const INSERT_LINKS = prepareStatement(`
  INSERT INTO email_preference_links (hash, recipient_key, kind, created_at)
  SELECT link.hash, mail_recipient_key(link.email), $3::optional_email, $4::timestamptz
  FROM unnest($1::bytea[], $2::text[]) link (hash, email)`);

/** Creates a link for each of the addresses, in their order. */
export async function createPreferenceLinks(
  ctx: Context,
  emails: string[],
  kind: OptionalEmail,
): Promise<PreferenceLinks[]> {
  const secrets = emails.map(() => createSecret('emailPreferences'));
  const hashes = secrets.map(({ hash }) => hash);
  if (emails.length > 0) await ctx.lockingSql(INSERT_LINKS, [hashes, emails, kind, ctx.now()]);
  return secrets.map(({ plainText }) => ({
    page: toPreferencesPage(ctx, plainText),
    oneClick: `${ctx.baseUrl}/public/email-preferences/${plainText}/unsubscribe`,
  }));
}

/** Returns the URL of the page of a link. Browsers do not send the part after the #, so no server can log the secret. */
export const toPreferencesPage = ({ baseUrl }: Pick<Context, 'baseUrl'>, secret: string): string =>
  `${baseUrl}/email-preferences#${encodeURIComponent(secret)}`;

const READ = prepareStatement(`
  SELECT NOT EXISTS (SELECT FROM email_opt_outs WHERE recipient_key = $1 AND kind = 'reminders') AS "receivesReminders",
    NOT EXISTS (SELECT FROM email_opt_outs WHERE recipient_key = $1 AND kind = 'mailings') AS "receivesMailings"`);

/**
 * Gets what a mailbox wants: that of a link, or that of the viewer if they are a member.
 *
 * @throws NOT_FOUND for an unknown secret; UNAUTHENTICATED without a secret and a member
 */
export async function getEmailPreferences(
  ctx: Context,
  secret: string | undefined,
): Promise<EmailPreferences> {
  return readPreferences(ctx, await getRecipientKey(ctx, secret));
}

async function readPreferences(ctx: Context, key: string): Promise<EmailPreferences> {
  const [preferences] = await ctx.lockingSql<EmailPreferences>(READ, [key]);
  return preferences as EmailPreferences;
}

type PreferenceChanges = { [Key in keyof EmailPreferences]?: boolean | undefined };

/** Changes what a mailbox wants. Repeating it changes nothing. @throws as `getEmailPreferences` */
export async function updateEmailPreferences(
  ctx: Context,
  { secret, ...changes }: PreferenceChanges & { secret?: string | undefined },
): Promise<EmailPreferences> {
  const key = await getRecipientKey(ctx, secret);
  return runInTransaction(ctx, async (ctx) => {
    await setPreference(ctx, key, 'reminders', changes.receivesReminders);
    await setPreference(ctx, key, 'mailings', changes.receivesMailings);
    return readPreferences(ctx, key);
  });
}

/** Stops the emails of the kind that contained the link. @throws NOT_FOUND for an unknown secret */
export async function unsubscribe(ctx: Context, secret: string): Promise<EmailPreferences> {
  const { key, kind } = await findLink(ctx, secret);
  return runInTransaction(ctx, async (ctx) => {
    await setPreference(ctx, key, kind, false);
    return readPreferences(ctx, key);
  });
}

async function setPreference(
  ctx: Context,
  key: string,
  kind: OptionalEmail,
  receives: boolean | undefined,
): Promise<void> {
  if (receives === true) await optIn(ctx, key, kind);
  if (receives === false) await optOut(ctx, key, kind);
}

const INSERT_OPT_OUT = prepareStatement(`
  INSERT INTO email_opt_outs (id, recipient_key, kind, created_at)
  VALUES ($1::uuid, $2, $3::optional_email, $4::timestamptz) ON CONFLICT DO NOTHING RETURNING id`);

async function optOut(ctx: Context, key: string, kind: OptionalEmail): Promise<void> {
  const inserted = await ctx.lockingSql<{ id: string }>(INSERT_OPT_OUT, [
    v7(),
    key,
    kind,
    ctx.now(),
  ]);
  await recordCreated(
    ctx,
    'email_opt_out.created',
    inserted.map(({ id }) => id),
  );
}

const FIND_OPT_OUT = prepareStatement(
  'SELECT id FROM email_opt_outs WHERE recipient_key = $1 AND kind = $2::optional_email',
);
const DELETE_OPT_OUTS = prepareStatement('DELETE FROM email_opt_outs WHERE id = ANY ($1::uuid[])');

async function optIn(ctx: Context, key: string, kind: OptionalEmail): Promise<void> {
  const found = await ctx.lockingSql<{ id: string }>(FIND_OPT_OUT, [key, kind]);
  const ids = found.map(({ id }) => id);
  await recordDeleted(ctx, 'email_opt_out.deleted', ids);
  await ctx.lockingSql(DELETE_OPT_OUTS, [ids]);
}

const FIND_LINK = prepareStatement(
  'SELECT recipient_key AS key, kind FROM email_preference_links WHERE hash = $1::bytea',
);
const FIND_MEMBER = prepareStatement(
  'SELECT mail_recipient_key(email) AS key FROM members WHERE id = $1::uuid',
);

async function getRecipientKey(ctx: Context, secret: string | undefined): Promise<string> {
  if (secret !== undefined) return (await findLink(ctx, secret)).key;
  if (ctx.viewer.kind !== 'member') throw unauthenticated();
  const [member] = await ctx.lockingSql<{ key: string }>(FIND_MEMBER, [ctx.viewer.id]);
  if (member === undefined) throw unauthenticated();
  return member.key;
}

async function findLink(ctx: Context, secret: string) {
  const [link] = isWellFormedSecret('emailPreferences', secret)
    ? await ctx.lockingSql<{ key: string; kind: OptionalEmail }>(FIND_LINK, [hashSecret(secret)])
    : [];
  if (link === undefined) throw notFound('link');
  return link;
}

const LINK_RETENTION_MS = 400 * DAY_MS;

/** Deletes links of old emails. */
export async function purgePreferenceLinks({ db, now }: Context): Promise<void> {
  const createdAt = { lt: new Date(now().getTime() - LINK_RETENTION_MS) };
  await db.emailPreferenceLink.deleteMany({ where: { createdAt } });
}
