import { redact, redactStaffLinks } from '../../auth/tokens.ts';
import { can } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toCreatedPosition,
  toPage,
  whereOlderThanCursor,
} from '../../core/pagination.ts';
import type { Mail as Row } from '../../db/generated/client.ts';
import { notFound } from '../../errors.ts';
import { MAX_EMAIL_AGE_MS, MAX_EMAIL_ATTEMPTS } from '../../integrations/email/delivery-worker.ts';

/** `kept`: no mail server is configured. `failed`: not retried. `suppressed`: above the budget of the recipient. */
type MailState = 'sent' | 'waiting' | 'failed' | 'suppressed' | 'kept';

export interface Mail extends Omit<Row, 'attempts' | 'status'> {
  state: MailState;
}

/** Whether a mail server is configured. */
interface DeliveryMode {
  hasMailServer: boolean;
}

/** Lists mails, newest first. Callers check that the viewer is a manager. */
export async function listMails(
  ctx: Context,
  delivery: DeliveryMode,
  page: PageRequest,
): Promise<Page<Mail>> {
  const rows = await ctx.db.mail.findMany({
    where: whereOlderThanCursor(page),
    orderBy: orderByNewest,
    take: page.limit + 1,
  });
  const mails = rows.map((row) => toVisibleMail(ctx, delivery, row));
  return toPage(mails, page.limit, toCreatedPosition);
}

/**
 * Reads one mail. Callers check that the viewer is a manager.
 *
 * @throws NOT_FOUND
 */
export async function getMail(ctx: Context, delivery: DeliveryMode, id: string): Promise<Mail> {
  const row = await ctx.db.mail.findUnique({ where: { id } });
  if (row === null) throw notFound('mail');
  return toVisibleMail(ctx, delivery, row);
}

// With a mail server, only the recipient sees the secrets in a mail. Without one, the panel is the only mailbox.
function toVisibleMail(
  { now, viewer }: Context,
  { hasMailServer }: DeliveryMode,
  { attempts, status, ...mail }: Row,
): Mail {
  const isOver =
    status === 'failed' ||
    attempts >= MAX_EMAIL_ATTEMPTS ||
    mail.createdAt.getTime() <= now().getTime() - MAX_EMAIL_AGE_MS;
  const unsent = !hasMailServer ? 'kept' : isOver ? 'failed' : 'waiting';
  // A manager who uses an owner's password link would become an owner.
  const hide = hasMailServer
    ? redact
    : can(viewer, '*')
      ? (text: string) => text
      : redactStaffLinks;
  return {
    ...mail,
    text: hide(mail.text),
    html: mail.html === null ? null : hide(mail.html),
    state: mail.sentAt ? 'sent' : status === 'suppressed' ? status : unsent,
  };
}
