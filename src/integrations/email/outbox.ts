import { v7 } from 'uuid';
import { hashSecret } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import { toClientNetwork } from '../../core/client-ip.ts';
import type { MailPriority } from '../../db/generated/client.ts';

export interface OutgoingEmail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /**
   * Whether it leaves first, and what happens beyond the recipient's budget. Left out: `essential` where staff or the
   * service itself writes, else `requested`, since whoever calls may have typed any address.
   */
  priority?: MailPriority;
}

/** Writes the mail down in the caller's transaction: it leaves when that is done, or never was. Calls nobody. An erased person gets none. */
export async function enqueueEmail(ctx: Context, mail: OutgoingEmail): Promise<void> {
  if (isDeletedAddress(mail.to)) return;
  const now = ctx.now();
  const priority = mail.priority ?? getDefaultPriority(ctx);
  await ctx.db.mail.create({
    data: { ...toEmailRow({ ...mail, priority }, ctx), createdAt: now, nextAttemptAt: now },
  });
  await ctx.triggerJob?.(ctx, 'mail.deliver');
}

const getDefaultPriority = ({ viewer }: Context): MailPriority =>
  viewer.kind === 'staff' || viewer.kind === 'system' ? 'essential' : 'requested';

/** A mail as it is written down, for statements that write it together with what caused it. */
export const toEmailRow = (
  { to, subject, text, html, priority = 'requested' }: OutgoingEmail,
  client: Pick<Context, 'viewer' | 'clientAddress'>,
) => ({
  id: v7(),
  recipient: to,
  priority,
  clientKey: priority === 'requested' ? toClientKey(client) : null,
  subject,
  text,
  html: html ?? null,
});

/** Names the network of an anonymous client in its own budget; whoever has signed in is known. */
const toClientKey = ({ viewer, clientAddress }: Pick<Context, 'viewer' | 'clientAddress'>) =>
  viewer.kind === 'anonymous' && clientAddress !== undefined
    ? Buffer.from(hashSecret(toClientNetwork(clientAddress))).toString('base64url')
    : null;

/** What stands where the name of an erased person stood. Partial indexes of the database know these words. */
export const DELETED_PERSON = 'Deleted person';

/** A domain of which RFC 2606 says that it never exists. The database discards mails to it. */
const DELETED_DOMAIN = '@deleted.invalid';

/** Stands for an address that had to go; the same id gives the same address, so that buyers can still be counted. */
export const toDeletedAddress = (id: string) => `deleted-${id}${DELETED_DOMAIN}`;

export const isDeletedAddress = (email: string) => email.endsWith(DELETED_DOMAIN);
