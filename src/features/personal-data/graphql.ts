import { z } from 'zod';
import { toCreatedPosition } from '../../core/pagination.ts';
import { boundedText, emailAddress, omitNull, parseInput } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import { paginateField } from '../../graphql/connections.ts';
import {
  type EffectivePolicy,
  type ErasureResult,
  erasePersonalData,
  exportPersonalData,
  listErasures,
  listPolicies,
  type PersonalData,
  type RecordedErasure,
  summarizePersonalData,
  updatePolicy,
} from './service.ts';

const MANAGE = { access: 'staff:manage' } as const;

const Count = builder.objectRef<{ table: string; count: number }>('PersonalDataCount').implement({
  description: 'How many rows of a table',
  fields: (t) => ({ table: t.exposeString('table'), count: t.exposeInt('count') }),
});

const toCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([table, count]) => ({ table, count }))
    .sort((one, other) => one.table.localeCompare(other.table));

const Mention = builder.objectRef<{ table: string; id: string }>('PersonalDataMention').implement({
  description: 'A text for everybody that names the person. Erasing does not change it.',
  fields: (t) => ({ table: t.exposeString('table'), id: t.exposeID('id') }),
});

const personFields = {
  email:
    'Finds members, buyers, guests and whoever left this address. Upper and lower case do not matter.',
  memberId: 'Finds the member and all that belongs to them',
  name: 'The whole name of somebody who left no address: a visitor, a guest, an attendee',
  date: 'With a name: only what happened on this day',
};

const DataSubjectInput = builder.inputType('DataSubjectInput', {
  description: 'Exactly one of email, memberId and name',
  fields: (t) => ({
    email: t.string({ description: personFields.email }),
    memberId: t.id({ description: personFields.memberId }),
    name: t.string({ description: personFields.name }),
    date: t.field({ type: 'Date', description: personFields.date }),
  }),
});

const personInput = z.object({
  email: emailAddress.optional(),
  memberId: z.uuid().optional(),
  name: boundedText(200).optional(),
  date: z.string().optional(),
});

const Summary = builder
  .objectRef<Awaited<ReturnType<typeof summarizePersonalData>>>('PersonalDataSummary')
  .implement({
    description: 'What is stored about a person',
    fields: (t) => ({
      emails: t.exposeStringList('emails'),
      memberIds: t.exposeIDList('memberIds'),
      names: t.exposeStringList('names', {
        description: "As they are written in the person's rows",
      }),
      otherEmails: t.exposeStringList('otherEmails', {
        description:
          'Addresses under which this member placed orders besides, or that wait to be confirmed. Search for them, too.',
      }),
      counts: t.field({ type: [Count], resolve: ({ counts }) => toCounts(counts) }),
      openBookings: t.int({
        description: 'Bookings to come. They keep the person from being erased.',
        resolve: ({ openContracts }) => openContracts.bookings,
      }),
      openMemberships: t.int({
        description: 'Memberships that have not ended. They keep the person from being erased.',
        resolve: ({ openContracts }) => openContracts.memberships,
      }),
      mentions: t.expose('mentions', { type: [Mention] }),
    }),
  });

builder.queryField('personalData', (t) =>
  t.field({
    type: Summary,
    description: 'What is stored about a person, before it is exported or erased',
    authScopes: MANAGE,
    complexity: 200,
    args: { person: t.arg({ type: DataSubjectInput, required: true }) },
    resolve: (_, args, { ctx }) =>
      summarizePersonalData(ctx, parseInput(personInput, omitNull(args.person))),
  }),
);

const Export = builder.objectRef<PersonalData>('ExportPersonalDataPayload').implement({
  fields: (t) => ({
    fileName: t.string({
      resolve: ({ generated_at }) => `personal-data-${generated_at.slice(0, 10)}.json`,
    }),
    json: t.string({
      description: 'The file, as docs/personal-data.md describes it',
      resolve: (data) => JSON.stringify(data, null, 2),
    }),
  }),
});

builder.mutationField('exportPersonalData', (t) =>
  t.field({
    type: Export,
    description: 'Everything about a person as one file. Changes nothing.',
    authScopes: MANAGE,
    complexity: 200,
    args: { input: t.arg({ type: DataSubjectInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      exportPersonalData(ctx, parseInput(personInput, omitNull(input))),
  }),
);

const EraseInput = builder.inputType('ErasePersonalDataInput', {
  description: 'Exactly one of email, memberId and name',
  fields: (t) => ({
    email: t.string({ description: personFields.email }),
    memberId: t.id({ description: personFields.memberId }),
    name: t.string({ description: personFields.name }),
    date: t.field({ type: 'Date', description: personFields.date }),
    reason: t.string({ description: 'For the record, such as the date of the request' }),
    endContracts: t.boolean({
      description: 'Cancels coming bookings without a fee and ends memberships first',
      defaultValue: false,
    }),
  }),
});

const eraseInput = personInput.extend({
  reason: boundedText(500).optional(),
  endContracts: z.boolean().optional(),
});

const ErasePersonalDataPayload = builder
  .objectRef<ErasureResult>('ErasePersonalDataPayload')
  .implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      counts: t.field({
        type: [Count],
        description: 'Changed and deleted rows',
        resolve: ({ counts }) => toCounts(counts),
      }),
      mentions: t.expose('mentions', { type: [Mention] }),
      otherEmails: t.exposeStringList('otherEmails', {
        description:
          'Addresses under which this member placed orders besides, or that wait to be confirmed. Erase them, too.',
      }),
    }),
  });

builder.mutationField('erasePersonalData', (t) =>
  t.field({
    type: ErasePersonalDataPayload,
    description:
      'Takes a person out of every table. Orders, payments and statistics stay; names become "Deleted person". This cannot be undone.',
    authScopes: MANAGE,
    args: { input: t.arg({ type: EraseInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      erasePersonalData(ctx, parseInput(eraseInput, omitNull(input))),
  }),
);

const Erasure = builder.objectRef<RecordedErasure>('Erasure').implement({
  description: 'Proof that a person was erased, and nothing about the person',
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    erasedBy: t.string({
      nullable: true,
      description: 'The name of who asked for it; null for the command line',
      resolve: (it) => it.erasedBy?.name ?? null,
    }),
    reason: t.exposeString('reason', { nullable: true }),
    counts: t.field({ type: [Count], resolve: ({ counts }) => toCounts(counts) }),
  }),
});

builder.queryField('erasures', (t) =>
  t.connection({
    type: Erasure,
    description: 'Newest first',
    authScopes: MANAGE,
    ...paginateField(listErasures, toCreatedPosition),
  }),
);

const Policy = builder.objectRef<EffectivePolicy>('RetentionPolicy').implement({
  description: 'How long a kind of rows is kept. A nightly job enforces it.',
  fields: (t) => ({
    key: t.exposeString('key'),
    title: t.exposeString('title'),
    description: t.exposeString('description'),
    days: t.exposeInt('days', { nullable: true, description: 'Null: kept forever' }),
    defaultDays: t.exposeInt('defaultDays', { nullable: true }),
    minDays: t.exposeInt('minDays'),
    maxDays: t.exposeInt('maxDays'),
    canKeepForever: t.exposeBoolean('canKeepForever'),
  }),
});

builder.queryField('retentionPolicies', (t) =>
  t.field({
    type: [Policy],
    authScopes: MANAGE,
    resolve: (_, __, { ctx }) => listPolicies(ctx),
  }),
);

const UpdateRetentionPolicyInput = builder.inputType('UpdateRetentionPolicyInput', {
  fields: (t) => ({
    key: t.string({ required: true }),
    days: t.int({ description: 'Null keeps the rows forever, where that is allowed' }),
  }),
});

const policyChange = z.object({
  key: boundedText(100),
  days: z
    .int()
    .nullish()
    .transform((days) => days ?? null),
});

builder.mutationField('updateRetentionPolicy', (t) =>
  t.field({
    type: Policy,
    description: 'In force from the next night on.',
    authScopes: { access: 'staff:owner' },
    args: { input: t.arg({ type: UpdateRetentionPolicyInput, required: true }) },
    resolve: (_, { input }, { ctx }) => updatePolicy(ctx, parseInput(policyChange, input)),
  }),
);
