import { z } from 'zod';
import { toCreatedPosition } from '../../core/pagination.ts';
import { parseInput } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import { paginateField } from '../../graphql/connections.ts';
import type { Dependencies } from '../../server/dependencies.ts';
import * as mails from './service.ts';

const MANAGER_ACCESS = { access: 'staff:manage' } as const;
const mailId = z.uuid('id: must be a UUID');

const getDeliveryMode = ({ config }: Dependencies) => ({
  hasMailServer: config.smtpUrl !== undefined,
});

const MailState = builder.enumType('MailState', {
  values: {
    SENT: { value: 'sent', description: 'The mail server accepted it' },
    WAITING: { value: 'waiting', description: 'Waits for its next attempt' },
    FAILED: { value: 'failed', description: 'All attempts failed; it is not retried' },
    SUPPRESSED: {
      value: 'suppressed',
      description: 'Not sent: too many mails were requested for this address',
    },
    KEPT: { value: 'kept', description: 'Not sent: no mail server is configured' },
  } as const,
});

const MailPriority = builder.enumType('MailPriority', {
  description:
    'Which mails are sent first, and what happens to mails above the limit of their recipient',
  values: {
    CRITICAL: {
      value: 'critical',
      description: 'Sign-in links and similar: sent first; postponed above the limit',
    },
    ESSENTIAL: {
      value: 'essential',
      description: 'Paid orders and mails caused by staff: postponed above the limit',
    },
    REQUESTED: {
      value: 'requested',
      description: 'Mails that anyone can request for any address: suppressed above the limit',
    },
  } as const,
});

const Mail = builder.objectRef<mails.Mail>('Mail').implement({
  description: 'A mail that the service wrote',
  fields: (t) => ({
    id: t.exposeID('id'),
    recipient: t.exposeString('recipient'),
    subject: t.exposeString('subject'),
    text: t.exposeString('text', {
      description: 'Secrets are redacted if a mail server is configured',
    }),
    state: t.expose('state', { type: MailState }),
    priority: t.expose('priority', { type: MailPriority }),
    problem: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last attempt failed, or why the mail was not sent',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.queryField('mails', (t) =>
  t.connection({
    type: Mail,
    description: 'Mails, newest first',
    authScopes: MANAGER_ACCESS,
    ...paginateField(
      (ctx, page, { deps }) => mails.listMails(ctx, getDeliveryMode(deps), page),
      toCreatedPosition,
    ),
  }),
);

builder.queryField('mail', (t) =>
  t.field({
    type: Mail,
    authScopes: MANAGER_ACCESS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, args, { ctx, deps }) =>
      mails.getMail(ctx, getDeliveryMode(deps), parseInput(mailId, args.id)),
  }),
);
