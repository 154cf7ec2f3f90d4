import { builder, createInputType, withArgs } from '../../graphql/builder.ts';
import { getOrderEnum, listField } from '../../graphql/list-fields.ts';
import { Node } from '../../graphql/node.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { mailArgs, mailFilter } from './inputs.ts';
import { mailRow } from './rows.ts';
import {
  type EmailDelivery as EmailDeliveryValue,
  getEmailDelivery,
  getMail,
  type MailAttachment as MailAttachmentValue,
  type Mail as MailValue,
  mailList,
} from './service.ts';

const MANAGER_ACCESS = { access: 'staff:manage' } as const;

const MailState = builder.enumType('MailState', {
  description: 'What became of an email',
  values: {
    SENT: { value: 'sent', description: 'The mail server accepted it' },
    WAITING: { value: 'waiting', description: 'Waits for its next attempt' },
    FAILED: { value: 'failed', description: 'All attempts failed; it is not retried' },
    SUPPRESSED: {
      value: 'suppressed',
      description: 'Not sent: too many emails were requested for this address',
    },
    STORED: { value: 'stored', description: 'Not sent: no mail server is configured' },
  } as const,
});

builder.enumType('MailPriority', {
  description:
    'The order in which emails are sent, and what happens above the limit of their recipient',
  values: {
    CRITICAL: {
      value: 'critical',
      description: 'Sign-in links and similar: sent first; postponed above the limit',
    },
    ESSENTIAL: {
      value: 'essential',
      description: 'Paid orders and emails caused by staff: postponed above the limit',
    },
    REQUESTED: {
      value: 'requested',
      description: 'Emails that anyone can request for any address: suppressed above the limit',
    },
    BULK: {
      value: 'bulk',
      description: 'Mailings: sent after all other emails; postponed above the limit',
    },
  } as const,
});

const MailAttachmentType = builder.enumType('MailAttachmentType', {
  description: 'What a file that is sent with an email contains',
  values: {
    CALENDAR: {
      value: 'calendar',
      description: 'A calendar entry, an invitation or its withdrawal',
    },
    TICKETS: {
      value: 'tickets',
      description: 'Tickets or day passes as PDF, rendered when the email is sent',
    },
  } as const,
});

const MailAttachment = builder.objectRef<MailAttachmentValue>('MailAttachment').implement({
  description: 'A file that is sent with an email. Only the recipient gets its content',
  fields: (t) => ({
    type: t.expose('type', { type: MailAttachmentType, description: 'What it contains' }),
    name: t.exposeString('name', { description: 'The name of the file' }),
  }),
});

export const Mail = builder.objectRef<MailValue>('Mail').implement({
  description: 'An email that the service created',
  interfaces: [Node],
  fields: (t) => ({
    ...showFields(t, mailRow),
    attachments: t.expose('attachments', {
      type: [MailAttachment],
      description: 'The files that are sent with it',
    }),
    state: t.expose('state', { type: MailState, description: 'Whether it was sent' }),
  }),
});

export const MailFilter = createInputType('MailFilter', mailFilter);
export const MailOrder = getOrderEnum('Mail', mailList);

builder.queryField('mails', (t) =>
  t.connection({
    type: Mail,
    description: 'Emails, newest first',
    authScopes: MANAGER_ACCESS,
    args: {
      filter: t.arg({ type: MailFilter, description: 'Which emails to list' }),
      orderBy: t.arg({ type: MailOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...listField(mailList),
  }),
);

const EmailDelivery = builder.objectRef<EmailDeliveryValue>('EmailDelivery').implement({
  description: 'Which emails the service can send',
  fields: (t) => ({
    hasMailServer: t.exposeBoolean('hasMailServer', {
      description:
        'Whether emails are sent. Without a mail server, they are only stored, and owners and managers can read them.',
    }),
    welcomesMembers: t.exposeBoolean('welcomesMembers', {
      description:
        'Whether a new member gets a welcome email, unless staff choose otherwise. The template member-welcome switches it on and off.',
    }),
  }),
});

builder.queryField('emailDelivery', (t) =>
  t.field({
    type: EmailDelivery,
    description: 'Which emails the service can send',
    authScopes: { access: 'members:read' },
    resolve: (_, __, { ctx }) => getEmailDelivery(ctx),
  }),
);

builder.queryField('mail', (t) =>
  t.field({
    type: Mail,
    description: 'Gets an email with its text',
    authScopes: MANAGER_ACCESS,
    ...withArgs(mailArgs, ({ id }, { ctx }) => getMail(ctx, id)),
  }),
);
