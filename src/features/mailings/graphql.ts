import { toCallerKey } from '../../auth/viewer.ts';
import { builder, createInputType, withArgs } from '../../graphql/builder.ts';
import { getOrderEnum, listField, relationField, rowField } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import { withCost } from '../../graphql/query-cost.ts';
import { addActions } from '../../graphql/row-actions.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { Event } from '../events/graphql/types.ts';
import { visibleEvents } from '../events/service/list-events.ts';
import { Mail, MailFilter, MailOrder } from '../mails/graphql.ts';
import { type Mail as MailValue, mailList } from '../mails/service.ts';
import { Plan } from '../plans/graphql/plans.ts';
import { planList } from '../plans/service/plans.ts';
import { Location } from '../spaces/graphql/locations.ts';
import { locationList } from '../spaces/service/locations.ts';
import { mailingActions } from './allowed-actions.ts';
import type { Recipient } from './audience.ts';
import {
  createMailingInput,
  mailingArgs,
  mailingFilter,
  mailingIdInput,
  previewMailingInput,
} from './inputs.ts';
import { mailingRow } from './rows.ts';
import {
  cancelMailing,
  createMailing,
  getMailing,
  type MailingPreview as MailingPreviewValue,
  mailingList,
  previewMailing,
} from './service/mailings.ts';
import type { Mailing as MailingValue } from './types.ts';

const READ = { access: 'mailings:read' } as const;

builder.enumType('MailingStatus', {
  description: 'How far a mailing has come',
  values: {
    SENDING: { value: 'sending', description: 'Emails are still being written or wait' },
    SENT: { value: 'sent', description: 'Every email was sent or has failed' },
    CANCELLED: { value: 'cancelled', description: 'Cancelled; some emails may have been sent' },
  } as const,
});

builder.enumType('MailingAudience', {
  description: 'Who gets a mailing; each mailbox gets it once',
  values: {
    ATTENDEES: {
      value: 'attendees',
      description: 'The buyers and holders of valid tickets for an event',
    },
    MEMBERS: {
      value: 'members',
      description:
        'Members with a membership on that day, also through their team. Those who are former, and those without a confirmed address, get nothing.',
    },
  } as const,
});

const Mailing = builder.objectRef<MailingValue>('Mailing').implement({
  description: 'An email that staff send to the attendees of an event, or to members',
  interfaces: [Node],
  fields: (t) => ({
    ...showFields(t, mailingRow),
    event: t.field({
      type: Event,
      description: 'The event of the attendees. Null for members, or if you cannot see the event.',
      authScopes: { access: 'public' },
      ...rowField(visibleEvents, {
        reads: 'eventId',
        toId: ({ eventId }: MailingValue) => eventId,
      }),
    }),
    plan: t.field({
      type: Plan,
      description: 'The plan of the members. Null: any.',
      authScopes: { access: 'plans:read' },
      ...rowField(planList, { reads: 'planId', toId: ({ planId }: MailingValue) => planId }),
    }),
    location: t.field({
      type: Location,
      description: 'The location that the members use. Null: any.',
      authScopes: { access: 'spaces:read' },
      ...rowField(locationList, {
        reads: 'locationId',
        toId: ({ locationId }: MailingValue) => locationId,
      }),
    }),
    waitingCount: t.exposeInt('waitingCount', {
      description: 'How many of its emails are written and wait to be sent',
    }),
    sentCount: t.exposeInt('sentCount', { description: 'How many the mail server accepted' }),
    failedCount: t.exposeInt('failedCount', { description: 'How many failed' }),
    author: t.exposeString('author', {
      nullable: true,
      description: 'The name of the staff who sent it. Null if an API key did.',
    }),
  }),
});

addActions(Mailing, {
  type: 'MailingActions',
  noun: 'a mailing',
  rules: mailingActions,
  actions: { cancel: 'Cancel it with cancelMailing' },
});

const MailingFilter = createInputType('MailingFilter', mailingFilter);
const MailingOrder = getOrderEnum('Mailing', mailingList);

builder.queryField('mailings', (t) =>
  t.connection({
    type: Mailing,
    description: 'Mailings, newest first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: MailingFilter, description: 'Which mailings to list' }),
      orderBy: t.arg({ type: MailingOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...listField(mailingList),
  }),
);

builder.queryField('mailing', (t) =>
  t.field({
    type: Mailing,
    description: 'Gets a mailing with its progress',
    authScopes: READ,
    ...withArgs(mailingArgs, ({ id }, { ctx }) => getMailing(ctx, id)),
  }),
);

const MAILING_ARGS = {
  filter: { type: MailingFilter, description: 'Which mailings to list' },
  orderBy: { type: MailingOrder, description: 'Default: CREATED_AT_DESC' },
} as const;

builder.objectField(Event, 'mailings', (t) =>
  t.connection({
    type: Mailing,
    description: 'The mailings to its attendees, newest first',
    authScopes: READ,
    args: { filter: t.arg(MAILING_ARGS.filter), orderBy: t.arg(MAILING_ARGS.orderBy) },
    ...relationField(mailingList, (row, event) => `${row}.event_id = ${event}`),
  }),
);

builder.objectField(Plan, 'mailings', (t) =>
  t.connection({
    type: Mailing,
    description: 'The mailings to members with it, newest first',
    authScopes: READ,
    args: { filter: t.arg(MAILING_ARGS.filter), orderBy: t.arg(MAILING_ARGS.orderBy) },
    ...relationField(mailingList, (row, plan) => `${row}.plan_id = ${plan}`),
  }),
);

builder.objectField(Location, 'mailings', (t) =>
  t.connection({
    type: Mailing,
    description: 'The mailings to members who use it, newest first',
    authScopes: READ,
    args: { filter: t.arg(MAILING_ARGS.filter), orderBy: t.arg(MAILING_ARGS.orderBy) },
    ...relationField(mailingList, (row, location) => `${row}.location_id = ${location}`),
  }),
);

builder.objectField(Mailing, 'mails', (t) =>
  t.connection({
    type: Mail,
    description: 'Its emails, newest first',
    authScopes: { access: 'staff:manage' },
    args: {
      filter: t.arg({ type: MailFilter, description: 'Which emails to list' }),
      orderBy: t.arg({ type: MailOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...relationField(mailList, (row, mailing) => `${row}.mailing_id = ${mailing}`),
  }),
);

builder.objectField(Mail, 'mailing', (t) =>
  t.field({
    type: Mailing,
    description: 'The mailing that it belongs to. Null for all other emails.',
    authScopes: READ,
    ...rowField(mailingList, { reads: 'mailingId', toId: ({ mailingId }: MailValue) => mailingId }),
  }),
);

const MailingRecipient = builder.objectRef<Pick<Recipient, 'name' | 'email'>>('MailingRecipient');
MailingRecipient.implement({
  description: 'A person who would get a mailing',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the person' }),
    email: t.exposeString('email', { description: 'The address of the person' }),
  }),
});

const MailingPreview = builder.objectRef<MailingPreviewValue>('MailingPreview');
MailingPreview.implement({
  description: 'What a mailing would look like, and who would get it',
  fields: (t) => ({
    subject: t.exposeString('subject', { description: 'The subject line' }),
    text: t.exposeString('text', { description: 'The plain text for the first recipient' }),
    html: t.exposeString('html', { description: 'The HTML for the first recipient' }),
    recipients: t.exposeInt('recipients', {
      description: 'How many mailboxes would get it, counted up to 100,000',
    }),
    sample: t.expose('sample', {
      type: [MailingRecipient],
      nullable: true,
      description:
        'The first 10 recipients by name. Null without orders:read for attendees, or members:read for members.',
    }),
  }),
});

const PreviewMailingInput = createInputType('PreviewMailingInput', previewMailingInput);

builder.queryField('previewMailing', (t) =>
  t.field({
    type: MailingPreview,
    description: 'Shows what createMailing would send, without sending',
    authScopes: { access: 'mailings:write' },
    ...withCost({ points: 20 }), // reads the whole audience
    args: {
      input: t.arg({
        type: PreviewMailingInput,
        description: 'The mailing to preview',
        required: true,
      }),
    },
    resolve: (_, { input }, { ctx }) => previewMailing(ctx, input),
  }),
);

addMutation('createMailing', {
  description: 'Sends an email to the attendees of an event, or to members',
  access: 'mailings:write',
  input: createMailingInput,
  payload: { mailing: { type: Mailing, description: 'The new mailing, which is being sent' } },
  creates: { mailing: mailingList },
  rateLimit: (_, { ctx, deps, address }) =>
    deps.rateLimits.mailings.consume({ caller: toCallerKey(ctx.viewer, address) }),
  resolve: async (input, { ctx }) => ({ mailing: await createMailing(ctx, input) }),
});

addMutation('cancelMailing', {
  description: 'Cancels a mailing: emails that wait are removed, and those that were sent stay',
  access: 'mailings:write',
  input: mailingIdInput,
  payload: { mailing: { type: Mailing, description: 'The cancelled mailing' } },
  resolve: async ({ id }, { ctx }) => ({ mailing: await cancelMailing(ctx, id) }),
});
