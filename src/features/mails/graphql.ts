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
    SENT: { value: 'sent', description: 'The mail server has taken it' },
    WAITING: { value: 'waiting', description: 'For its next attempt' },
    FAILED: { value: 'failed', description: 'No more attempts are made' },
    SUPPRESSED: {
      value: 'suppressed',
      description: 'Never sent: too many mails were requested for this address',
    },
    KEPT: { value: 'kept', description: 'There is no mail server to send it' },
  } as const,
});

const MailPriority = builder.enumType('MailPriority', {
  description: 'Which mails leave first, and what happens to those beyond the recipient’s budget',
  values: {
    CRITICAL: {
      value: 'critical',
      description: 'Sign-in links and the like: sent first, postponed beyond the budget',
    },
    ESSENTIAL: {
      value: 'essential',
      description: 'Paid orders and what staff causes: postponed beyond the budget',
    },
    REQUESTED: {
      value: 'requested',
      description: 'What anybody can request for any address: suppressed beyond the budget',
    },
  } as const,
});

const Mail = builder.objectRef<mails.Mail>('Mail').implement({
  description: 'A mail of the service, as it was written',
  fields: (t) => ({
    id: t.exposeID('id'),
    recipient: t.exposeString('recipient'),
    subject: t.exposeString('subject'),
    text: t.exposeString('text', {
      description: 'Without its secrets, where a mail server is configured',
    }),
    state: t.expose('state', { type: MailState }),
    priority: t.expose('priority', { type: MailPriority }),
    problem: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last attempt failed, or why none was made',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.queryField('mails', (t) =>
  t.connection({
    type: Mail,
    description: 'Newest first',
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
