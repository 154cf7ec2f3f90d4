import { redact, redactStaffLinks } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import type { MailPriority, Mail as Row } from '../../db/generated/client.ts';
import type { Bind } from '../../db/prepared-statement.ts';
import { matchText } from '../../db/text-search.ts';
import { notFound } from '../../errors.ts';
import {
  CALENDAR_FILENAME,
  TICKETS_FILENAME,
  toStoredAttachments,
} from '../../integrations/email/attachments.ts';
import { MAX_EMAIL_AGE_MS, MAX_EMAIL_ATTEMPTS } from '../../integrations/email/delivery-worker.ts';
import { isTemplateEnabled } from '../../integrations/email/render-template.ts';
import {
  type CreationFilter,
  type ListScope,
  matchCreation,
  matchEnum,
  type RowList,
} from '../../lists/row-list.ts';

/** `stored`: no SMTP server is configured. `failed`: retries have ended. `suppressed`: the email exceeds a budget. */
export const MAIL_STATES = ['sent', 'waiting', 'failed', 'suppressed', 'stored'] as const;
type MailState = (typeof MAIL_STATES)[number];

const MAIL_ATTACHMENT_TYPES = ['calendar', 'tickets'] as const;

/** Says which file is attached. The file itself is for the recipient only. */
export interface MailAttachment {
  type: (typeof MAIL_ATTACHMENT_TYPES)[number];
  name: string;
}

export interface Mail extends Omit<Row, 'attempts' | 'attachments' | 'status'> {
  state: MailState;
  attachments: MailAttachment[];
}

interface MailFilter extends CreationFilter {
  /** Part of the address or the subject. */
  q?: string | undefined;
  /** The whole address, in upper or lower case. */
  recipient?: string | undefined;
  state?: readonly MailState[] | undefined;
  priority?: readonly MailPriority[] | undefined;
  mailingId?: string | undefined;
}

/** Emails, by default the newest first. Callers must check that the viewer is a manager. */
export const mailList: RowList<Mail, MailFilter, 'CREATED_AT'> = {
  name: 'mails',
  table: 'mails',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { q, recipient, state, priority, mailingId, ...creation }, scope) => {
    const { bind } = scope;
    const conditions = matchCreation(row, creation, bind);
    if (q) conditions.push(matchText([`${row}.recipient`, `${row}.subject`], q, bind));
    if (recipient) conditions.push(`lower(${row}.recipient) = lower(${bind(recipient, 'text')})`);
    if (mailingId) conditions.push(`${row}.mailing_id = ${bind(mailingId, 'uuid')}`);
    if (priority) conditions.push(matchEnum(`${row}.priority`, priority));
    if (state) conditions.push(matchState(row, state, scope));
    return conditions;
  },
  findByIds: async (ctx, ids) =>
    (await ctx.db.mail.findMany({ where: { id: { in: ids } } })).map((row) =>
      toVisibleMail(ctx, row),
    ),
};

/** The same states as `toMailState`. The conditions of unsent emails let PostgreSQL use the index of those. */
function matchState(row: string, states: readonly MailState[], scope: ListScope): string {
  const conditions = states.map((state) =>
    state === 'sent'
      ? `${row}.sent_at IS NOT NULL`
      : `(${row}.sent_at IS NULL AND ${toUnsentCondition(row, state, scope)})`,
  );
  return `(${conditions.join(' OR ')})`;
}

function toUnsentCondition(
  row: string,
  state: Exclude<MailState, 'sent'>,
  { hasMailServer, now, bind }: ListScope,
): string {
  if (state === 'suppressed') return `${row}.status = 'suppressed'`;
  const isOpen = `${row}.status <> 'suppressed'`;
  if (state === 'stored') return hasMailServer ? 'false' : isOpen;
  if (!hasMailServer) return 'false';
  const isGivenUp = toGivenUpCondition(row, now(), bind);
  return `${isOpen} AND ${state === 'failed' ? isGivenUp : `NOT ${isGivenUp}`}`;
}

const toGivenUpCondition = (row: string, now: Date, bind: Bind) =>
  `(${row}.status = 'failed' OR ${row}.attempts >= ${MAX_EMAIL_ATTEMPTS} OR ${row}.created_at <= ${bind(toOldestRetry(now), 'timestamptz')})`;

const toOldestRetry = (now: Date) => new Date(now.getTime() - MAX_EMAIL_AGE_MS);

/**
 * Gets an email. Callers must check that the viewer is a manager.
 *
 * @throws NOT_FOUND
 */
export async function getMail(ctx: Context, id: string): Promise<Mail> {
  const row = await ctx.db.mail.findUnique({ where: { id } });
  if (row === null) throw notFound('mail');
  return toVisibleMail(ctx, row);
}

const FILENAMES = { calendar: CALENDAR_FILENAME, tickets: TICKETS_FILENAME };

// With an SMTP server, only the recipient sees the secrets in an email. Without one, emails can only be read in the panel, except for
// links that set a staff password: the owner who makes one sees it once.
function toVisibleMail(ctx: Context, row: Row): Mail {
  const { attempts: _attempts, status: _status, ...mail } = row;
  const mask = ctx.hasMailServer ? redact : redactStaffLinks;
  return {
    ...mail,
    text: mask(mail.text),
    html: mail.html === null ? null : mask(mail.html),
    attachments: toStoredAttachments(row).map(({ type }) => ({ type, name: FILENAMES[type] })),
    state: toMailState(row, ctx),
  };
}

function toMailState(row: Row, { hasMailServer, now }: Context): MailState {
  if (row.sentAt) return 'sent';
  if (row.status === 'suppressed') return 'suppressed';
  if (!hasMailServer) return 'stored';
  const isGivenUp =
    row.status === 'failed' ||
    row.attempts >= MAX_EMAIL_ATTEMPTS ||
    row.createdAt <= toOldestRetry(now());
  return isGivenUp ? 'failed' : 'waiting';
}

export interface EmailDelivery {
  hasMailServer: boolean;
  /** Whether new members get a welcome email by default. */
  welcomesMembers: boolean;
}

/** Says which emails can be sent. */
export const getEmailDelivery = async (ctx: Context): Promise<EmailDelivery> => ({
  hasMailServer: ctx.hasMailServer,
  welcomesMembers: await isTemplateEnabled(ctx, 'member-welcome'),
});
