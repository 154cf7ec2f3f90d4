import { hashSecret, isWellFormedSecret, redact, SECRET_KINDS } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import type { Mail } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';

/** The secrets of links that are an email's only purpose, and that expire. */
const KINDS = ['signInLink', 'staffLink', 'emailConfirmation'] as const;
const SECRETS = new RegExp(`(?:${KINDS.map((kind) => SECRET_KINDS[kind]).join('|')})\\w+`, 'g');

// Used and replaced links are deleted or marked, and expired ones are deleted after a while.
const COUNT_USABLE = prepareStatement(`
  SELECT (SELECT count(*) FROM sign_in_links WHERE token_hash = ANY ($1::bytea[]) AND used_at IS NULL AND expires_at > $2::timestamptz)
    + (SELECT count(*) FROM staff_links WHERE token_hash = ANY ($1::bytea[]) AND expires_at > $2::timestamptz)
    + (SELECT count(*) FROM member_email_changes
       WHERE (confirm_hash = ANY ($1::bytea[]) OR approve_hash = ANY ($1::bytea[])) AND expires_at > $2::timestamptz) AS count`);

/**
 * Whether an email is about a link that has expired or was used or replaced, such as a sign-in link that waited until a mail server
 * was set up.
 */
export async function hasExpiredLink({ pipelinedSql, now }: Context, mail: Mail): Promise<boolean> {
  const secrets = [...new Set(mail.text.match(SECRETS))].filter((secret) =>
    KINDS.some((kind) => isWellFormedSecret(kind, secret)),
  );
  if (secrets.length === 0) return false;
  const hashes = secrets.map(hashSecret);
  const [row] = await pipelinedSql<{ count: bigint }>(COUNT_USABLE, [hashes, now()]);
  return Number(row?.count ?? 0) === 0;
}

/** Records that an email is not sent because of its link, and removes the secrets in it. */
export async function failExpired({ db }: Context, mail: Mail, attempts: number): Promise<void> {
  await db.mail.updateMany({
    where: { id: mail.id, status: 'waiting' },
    data: {
      status: 'failed',
      attempts,
      lastError: 'Not sent: its link has expired.',
      text: redact(mail.text),
      html: mail.html === null ? null : redact(mail.html),
      unsubscribeUrl: null,
    },
  });
}
