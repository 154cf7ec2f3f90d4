import { redact, redactStaffLinks } from '../../auth/secrets.ts';
import { can } from '../../auth/viewer.ts';
import type { Ctx } from '../../context.ts';
import type { Mail as Row } from '../../db/generated/client.ts';
import { notFound } from '../../errors.ts';
import { LONGEST_WAIT_MS, MOST_ATTEMPTS } from '../../mail/delivery.ts';
import {
  createdPosition,
  newestFirst,
  olderThan,
  type Page,
  type PageRequest,
  pageOf,
} from '../../page.ts';

/** `kept` where there is no mail server to send it; `failed` when no more attempts are made; `suppressed` beyond the recipient's budget. */
type MailState = 'sent' | 'waiting' | 'failed' | 'suppressed' | 'kept';

export interface Mail extends Omit<Row, 'attempts' | 'status'> {
  state: MailState;
}

/** Whether a mail server is configured. */
interface Delivery {
  delivers: boolean;
}

/** Newest first. Callers see to it that these are managers. */
export async function list(ctx: Ctx, delivery: Delivery, page: PageRequest): Promise<Page<Mail>> {
  const rows = await ctx.db.mail.findMany({
    where: olderThan(page),
    orderBy: newestFirst,
    take: page.limit + 1,
  });
  const mails = rows.map((row) => shown(ctx, delivery, row));
  return pageOf(mails, page.limit, createdPosition);
}

/** Throws NOT_FOUND. */
export async function read(ctx: Ctx, delivery: Delivery, id: string): Promise<Mail> {
  const row = await ctx.db.mail.findUnique({ where: { id } });
  if (row === null) throw notFound('mail');
  return shown(ctx, delivery, row);
}

// Where mails are sent, what opens doors is for the recipient alone. Where none are, the panel is the only mailbox there is.
function shown(
  { now, viewer }: Ctx,
  { delivers }: Delivery,
  { attempts, status, ...mail }: Row,
): Mail {
  const isOver =
    status === 'failed' ||
    attempts >= MOST_ATTEMPTS ||
    mail.createdAt.getTime() <= now().getTime() - LONGEST_WAIT_MS;
  const unsent = !delivers ? 'kept' : isOver ? 'failed' : 'waiting';
  // A link to set an owner's password would make a manager an owner.
  const hide = delivers ? redact : can(viewer, '*') ? (text: string) => text : redactStaffLinks;
  return {
    ...mail,
    text: hide(mail.text),
    html: mail.html === null ? null : hide(mail.html),
    state: mail.sentAt ? 'sent' : status === 'suppressed' ? status : unsent,
  };
}
