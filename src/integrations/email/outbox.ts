import { v7 } from 'uuid';
import { hashSecret } from '../../auth/tokens.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { toClientNetwork } from '../../core/client-ip.ts';
import type { ActorKind, MailPriority, Prisma } from '../../db/generated/client.ts';

/**
 * A file that is sent with an email. Tickets are rendered when the email is sent, so the database contains neither the file
 * nor its codes.
 */
export type EmailAttachment =
  | {
      type: 'calendar';
      /** Also in the content. `PUBLISH` adds an entry, `REQUEST` invites, `CANCEL` withdraws an invitation. */
      method: 'PUBLISH' | 'REQUEST' | 'CANCEL';
      /** The calendar file (RFC 5545). Removed once the email is sent. */
      content: string;
    }
  | {
      type: 'tickets';
      orderId: string;
      /** Only these tickets or day passes of the order. Default: all that are valid when the email is sent. */
      ticketIds?: string[];
      /** Also sends the QR codes as images that the HTML shows, with the content ids of `toQrContentId`. */
      showsCodes?: true;
    };

export interface OutgoingEmail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  attachments?: EmailAttachment[];
  /** A POST to it stops such emails (RFC 8058). Email programs show a button for it. */
  unsubscribeUrl?: string | undefined;
  /**
   * Decides which emails are sent first, and what happens above the recipient's budget. Default: `essential` for emails
   * caused by staff or the service itself, otherwise `requested`, since the caller can enter any address.
   */
  priority?: MailPriority | undefined;
  /** Who caused it, if not the caller. */
  client?: EmailClient;
}

/** Who caused an email. The networks of anonymous clients have a budget. */
export interface EmailClient {
  viewer: Pick<Viewer, 'kind'>;
  clientAddress?: string;
}

/** Returns whoever made a change. */
export const toEmailClient = ({
  actorKind,
  address,
}: {
  actorKind: ActorKind;
  address: string | null;
}): EmailClient => ({
  viewer: { kind: actorKind },
  ...(address === null ? {} : { clientAddress: address }),
});

/** Stores an email in the caller's transaction. It is sent after the commit. Erased people get no emails. */
export const enqueueEmail = (ctx: Context, email: OutgoingEmail): Promise<void> =>
  enqueueEmails(ctx, [email]);

/** Stores emails like `enqueueEmail`, in one statement. */
export async function enqueueEmails(ctx: Context, emails: OutgoingEmail[]): Promise<void> {
  const now = ctx.now();
  const data = emails
    .filter(({ to }) => !isDeletedAddress(to))
    .map((email) => ({ ...toEmailRow(email, ctx), createdAt: now, nextAttemptAt: now }));
  if (data.length === 0) return;
  await ctx.db.mail.createMany({ data });
  await ctx.triggerJob?.(ctx, 'mail.deliver');
}

const getDefaultPriority = ({ viewer }: EmailClient): MailPriority =>
  viewer.kind === 'staff' || viewer.kind === 'system' ? 'essential' : 'requested';

/** Returns the row of an email, for statements that insert it together with its cause. */
export function toEmailRow(email: OutgoingEmail, caller: EmailClient) {
  const { to, subject, text, html, attachments = [], unsubscribeUrl, client = caller } = email;
  const priority = email.priority ?? getDefaultPriority(client);
  return {
    id: v7(),
    recipient: to,
    priority,
    clientKey: priority === 'requested' ? toClientKey(client) : null,
    subject,
    text,
    html: html ?? null,
    attachments: attachments as Prisma.InputJsonArray,
    ...(unsubscribeUrl === undefined ? {} : { unsubscribeUrl }),
  };
}

/** Returns a hash of an anonymous client's network. Signed-in callers have no client budget. */
const toClientKey = ({ viewer, clientAddress }: EmailClient) =>
  viewer.kind === 'anonymous' && clientAddress !== undefined
    ? Buffer.from(hashSecret(toClientNetwork(clientAddress))).toString('base64url')
    : null;

/** Replaces the name of an erased person. Partial indexes of the database contain this text. */
export const DELETED_PERSON = 'Deleted person';

/** RFC 2606 reserves this domain: it never exists. The database discards emails to it. */
const DELETED_DOMAIN = '@deleted.invalid';

/** Returns the replacement of an erased address. It is the same for the same id, so that buyers can still be counted. */
export const toDeletedAddress = (id: string) => `deleted-${id}${DELETED_DOMAIN}`;

export const isDeletedAddress = (email: string) => email.endsWith(DELETED_DOMAIN);
