import type { Context } from '../../context.ts';
import type { Mail } from '../../db/generated/client.ts';
import type { EmailAttachment } from './outbox.ts';

type TicketsAttachment = Extract<EmailAttachment, { type: 'tickets' }>;

/** An attachment in the database. The calendar file of an email that is no longer sent is removed. */
export type StoredAttachment =
  | { type: 'calendar'; method: string; content?: string }
  | TicketsAttachment;

/** A file that is sent with an email. */
export interface EmailFile {
  filename: string;
  contentType: string;
  content: Buffer;
  /** Shows the file where the HTML refers to `cid:`. */
  cid?: string;
}

/** What an email is sent with. */
export interface RenderedAttachments {
  /** Programs that know calendars offer to add it. */
  calendar?: { method: string; content: string };
  files: EmailFile[];
}

/** Renders tickets as files. Returns none if no ticket is valid any more. */
export type RenderTickets = (
  ctx: Context,
  tickets: Omit<TicketsAttachment, 'type'>,
) => Promise<EmailFile[]>;

/** Returns the content id of the QR code of a ticket or day pass. */
export const toQrContentId = (ticketId: string) => `qr-${ticketId}@foyer`;

export const CALENDAR_FILENAME = 'invite.ics';
export const TICKETS_FILENAME = 'tickets.pdf';

export const toStoredAttachments = ({ attachments }: Pick<Mail, 'attachments'>) =>
  attachments as unknown as StoredAttachment[];

/** Renders the attachments of an email. @throws the error of a renderer */
export async function renderAttachments(
  ctx: Context,
  mail: Mail,
  renderTickets: RenderTickets | undefined,
): Promise<RenderedAttachments> {
  const rendered: RenderedAttachments = { files: [] };
  for (const attachment of toStoredAttachments(mail)) {
    if (attachment.type === 'tickets') {
      if (renderTickets === undefined) throw new Error('This process cannot render tickets.');
      rendered.files.push(...(await renderTickets(ctx, attachment)));
    } else if (attachment.content !== undefined) {
      rendered.calendar = { method: attachment.method, content: attachment.content };
    }
  }
  return rendered;
}

/** Removes the files from the attachments of an email that was sent. Their types remain for the panel. */
export const removeAttachmentContent = (mail: Pick<Mail, 'attachments'>) =>
  toStoredAttachments(mail).map((attachment) =>
    attachment.type === 'calendar'
      ? { type: attachment.type, method: attachment.method }
      : attachment,
  );
