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
  description: 'The number of rows in a table',
  fields: (t) => ({ table: t.exposeString('table'), count: t.exposeInt('count') }),
});

const toCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([table, count]) => ({ table, count }))
    .sort((one, other) => one.table.localeCompare(other.table));

const Mention = builder.objectRef<{ table: string; id: string }>('PersonalDataMention').implement({
  description: 'A public text that names the person. Erasing does not change it.',
  fields: (t) => ({ table: t.exposeString('table'), id: t.exposeID('id') }),
});

const personFields = {
  email: 'Finds members, buyers, guests and anyone else with this email address, ignoring case.',
  memberId: 'Finds the member and all their data',
  name: 'The full name of a person without an address: a visitor, guest or attendee',
  date: 'With a name: only this day',
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
        description: "As spelled in the person's rows",
      }),
      otherEmails: t.exposeStringList('otherEmails', {
        description:
          'Other addresses of orders of this member, or unconfirmed ones. Search for them as well.',
      }),
      counts: t.field({ type: [Count], resolve: ({ counts }) => toCounts(counts) }),
      openBookings: t.int({
        description: 'Upcoming bookings. Until they end, the person cannot be erased.',
        resolve: ({ openContracts }) => openContracts.bookings,
      }),
      openMemberships: t.int({
        description: 'Memberships that have not ended. Until then, the person cannot be erased.',
        resolve: ({ openContracts }) => openContracts.memberships,
      }),
      mentions: t.expose('mentions', { type: [Mention] }),
    }),
  });

builder.queryField('personalData', (t) =>
  t.field({
    type: Summary,
    description: 'Counts what is stored about a person, before an export or erasure',
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
    description: 'Exports everything about a person as one file. Changes nothing.',
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
    reason: t.string({ description: 'Recorded with the erasure, such as the date of the request' }),
    endContracts: t.boolean({
      description: 'First cancels upcoming bookings without a fee and ends memberships',
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
        description: 'The number of changed and deleted rows by table',
        resolve: ({ counts }) => toCounts(counts),
      }),
      mentions: t.expose('mentions', { type: [Mention] }),
      otherEmails: t.exposeStringList('otherEmails', {
        description:
          'Other addresses of orders of this member, or unconfirmed ones. Erase them as well.',
      }),
    }),
  });

builder.mutationField('erasePersonalData', (t) =>
  t.field({
    type: ErasePersonalDataPayload,
    description:
      'Erases a person from every table. Orders, payments and statistics stay; names become "Deleted person". This cannot be undone.',
    authScopes: MANAGE,
    args: { input: t.arg({ type: EraseInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      erasePersonalData(ctx, parseInput(eraseInput, omitNull(input))),
  }),
);

const Erasure = builder.objectRef<RecordedErasure>('Erasure').implement({
  description: 'Proof of an erasure. Contains nothing about the person',
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    erasedBy: t.string({
      nullable: true,
      description: 'The staff member who erased the person; null for the command line',
      resolve: (it) => it.erasedBy?.name ?? null,
    }),
    reason: t.exposeString('reason', { nullable: true }),
    counts: t.field({ type: [Count], resolve: ({ counts }) => toCounts(counts) }),
  }),
});

builder.queryField('erasures', (t) =>
  t.connection({
    type: Erasure,
    description: 'Records of erasures, newest first',
    authScopes: MANAGE,
    ...paginateField(listErasures, toCreatedPosition),
  }),
);

const Policy = builder.objectRef<EffectivePolicy>('RetentionPolicy').implement({
  description: 'How long rows of one kind are stored. A nightly job enforces it.',
  fields: (t) => ({
    key: t.exposeString('key'),
    title: t.exposeString('title'),
    description: t.exposeString('description'),
    days: t.exposeInt('days', { nullable: true, description: 'Null: stored forever' }),
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
    days: t.int({ description: 'Null stores the rows forever, if the policy allows that' }),
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
    description: 'Changes a retention policy, from the next night on.',
    authScopes: { access: 'staff:owner' },
    args: { input: t.arg({ type: UpdateRetentionPolicyInput, required: true }) },
    resolve: (_, { input }, { ctx }) => updatePolicy(ctx, parseInput(policyChange, input)),
  }),
);
