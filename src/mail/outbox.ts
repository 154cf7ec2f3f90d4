import { v7 } from 'uuid';
import { hashSecret } from '../auth/secrets.ts';
import { toClientNetwork } from '../client-ip.ts';
import type { Ctx } from '../context.ts';
import type { MailPriority } from '../db/generated/client.ts';
import { isDeletedAddress } from './deleted-person.ts';

export interface OutgoingMail {
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
export async function send(ctx: Ctx, mail: OutgoingMail): Promise<void> {
  if (isDeletedAddress(mail.to)) return;
  const now = ctx.now();
  const priority = mail.priority ?? defaultPriority(ctx);
  await ctx.db.mail.create({
    data: { ...rowOf({ ...mail, priority }, ctx), createdAt: now, nextAttemptAt: now },
  });
  await ctx.wake?.(ctx, 'mail.deliver');
}

const defaultPriority = ({ viewer }: Ctx): MailPriority =>
  viewer.kind === 'staff' || viewer.kind === 'system' ? 'essential' : 'requested';

/** A mail as it is written down, for statements that write it together with what caused it. */
export const rowOf = (
  { to, subject, text, html, priority = 'requested' }: OutgoingMail,
  client: Pick<Ctx, 'viewer' | 'clientAddress'>,
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
const toClientKey = ({ viewer, clientAddress }: Pick<Ctx, 'viewer' | 'clientAddress'>) =>
  viewer.kind === 'anonymous' && clientAddress !== undefined
    ? Buffer.from(hashSecret(toClientNetwork(clientAddress))).toString('base64url')
    : null;
