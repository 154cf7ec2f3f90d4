import { builder, createInputType } from '../../graphql/builder.ts';
import { getOrderEnum, listField, relationField } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import { withCost } from '../../graphql/query-cost.ts';
import { StaffUser } from '../staff/graphql.ts';
import { staffList } from '../staff/service/list-staff.ts';
import {
  dataSubjectInput,
  erasePersonalDataInput,
  erasureFilter,
  updateRetentionPolicyInput,
} from './inputs.ts';
import { erasePersonalData, type RecordedErasure } from './service/erase.ts';
import { exportPersonalData } from './service/export.ts';
import { erasureList, summarizePersonalData } from './service/personal-data.ts';
import { type EffectivePolicy, listPolicies, updatePolicy } from './service/retention.ts';

const MANAGE = { access: 'staff:manage' } as const;

const Count = builder.objectRef<{ table: string; count: number }>('PersonalDataCount').implement({
  description: 'The number of rows in a table',
  fields: (t) => ({
    table: t.exposeString('table', { description: 'The name of the table in the database' }),
    count: t.exposeInt('count', { description: 'The number of rows' }),
  }),
});

const toCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([table, count]) => ({ table, count }))
    .sort((one, other) => one.table.localeCompare(other.table));

const Mention = builder.objectRef<{ table: string; id: string }>('PersonalDataMention').implement({
  description: 'A public text that names the person. Erasing does not change it.',
  fields: (t) => ({
    table: t.exposeString('table', { description: 'The name of the table in the database' }),
    id: t.exposeID('id', { description: 'The id of the object that contains the text' }),
  }),
});

const DataSubjectInput = createInputType('DataSubjectInput', dataSubjectInput);

const Summary = builder
  .objectRef<Awaited<ReturnType<typeof summarizePersonalData>>>('PersonalDataSummary')
  .implement({
    description: 'What is stored about a person',
    fields: (t) => ({
      emails: t.exposeStringList('emails', {
        description: 'The addresses that identify the person',
      }),
      memberIds: t.exposeIDList('memberIds', { description: 'The member records of the person' }),
      names: t.exposeStringList('names', {
        description: 'As spelled in the stored data',
      }),
      otherEmails: t.exposeStringList('otherEmails', {
        description:
          'Other addresses of orders of this member, or unconfirmed ones. Search for them as well.',
      }),
      counts: t.field({
        type: [Count],
        description: 'The number of rows about the person by table',
        resolve: ({ counts }) => toCounts(counts),
      }),
      openBookings: t.int({
        description: 'Upcoming bookings. The person cannot be erased before they end.',
        resolve: ({ openContracts }) => openContracts.bookings,
      }),
      openMemberships: t.int({
        description:
          'Memberships that have not ended. The person cannot be erased before they end.',
        resolve: ({ openContracts }) => openContracts.memberships,
      }),
      disputedOrders: t.exposeStringList('disputedOrders', {
        description:
          'The codes of orders of the person, or with a ticket or a day pass of theirs, whose payment is disputed with the bank. An erasure removes the names that you may need to answer it.',
      }),
      mentions: t.expose('mentions', {
        type: [Mention],
        description: 'Public texts that name the person, which an erasure leaves for you to edit',
      }),
    }),
  });

builder.queryField('personalData', (t) =>
  t.field({
    type: Summary,
    description: 'Counts what is stored about a person, before an export or erasure',
    authScopes: MANAGE,
    ...withCost({ points: 80 }),
    args: {
      person: t.arg({ type: DataSubjectInput, description: 'Whose data to count', required: true }),
    },
    resolve: (_, { person }, { ctx }) => summarizePersonalData(ctx, person),
  }),
);

addMutation('exportPersonalData', {
  description: 'Exports everything about a person as one file. Changes nothing.',
  access: 'staff:manage',
  input: dataSubjectInput,
  payload: {
    fileName: { type: 'String', description: 'A name for the file' },
    json: { type: 'String', description: 'The file, as docs/personal-data.md describes it' },
  },
  ...withCost({ points: 80 }),
  resolve: async (input, { ctx }) => {
    const data = await exportPersonalData(ctx, input);
    return {
      fileName: `personal-data-${data.generated_at.slice(0, 10)}.json`,
      json: JSON.stringify(data, null, 2),
    };
  },
});

const Erasure = builder.objectRef<RecordedErasure>('Erasure').implement({
  description: 'Proof of an erasure. Contains nothing about the person',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, a UUID' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the person was erased',
    }),
    requestedBy: t.field({
      type: StaffUser,
      nullable: true,
      description: 'Who erased the person. null: the command line, or an account that was deleted.',
      authScopes: MANAGE,
      resolve: ({ requestedById }, _, { lists }) =>
        requestedById === null ? null : lists.loadRow(staffList, requestedById),
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'The reason that was given. null: none.',
    }),
    counts: t.field({
      type: [Count],
      description: 'The number of changed and deleted rows by table',
      resolve: ({ counts }) => toCounts(counts),
    }),
  }),
});

addMutation('erasePersonalData', {
  description:
    'Erases a person from every table. Orders, payments and statistics stay; names become "Deleted person". This cannot be undone.',
  access: 'staff:manage',
  input: erasePersonalDataInput,
  payload: {
    erasure: { type: Erasure, description: 'The record of the erasure' },
    mentions: {
      type: [Mention],
      description: 'Public texts that still name the person. Staff must change them.',
    },
    otherEmails: {
      type: ['String'],
      description:
        'Other addresses of orders of this member, or unconfirmed ones. Erase them as well.',
    },
    disputedOrders: {
      type: ['String'],
      description:
        'The codes of orders whose payment is disputed with the bank, and which no longer name the person',
    },
  },
  creates: { erasure: erasureList },
  resolve: async (input, { ctx }) => {
    const { mentions, otherEmails, disputedOrders, ...erasure } = await erasePersonalData(
      ctx,
      input,
    );
    return { erasure, mentions, otherEmails, disputedOrders };
  },
});

const ErasureFilter = createInputType('ErasureFilter', erasureFilter);
const ErasureOrder = getOrderEnum('Erasure', erasureList);

builder.queryField('erasures', (t) =>
  t.connection({
    type: Erasure,
    description: 'Records of erasures, newest first',
    authScopes: MANAGE,
    args: {
      filter: t.arg({ type: ErasureFilter, description: 'Which erasures to list' }),
      orderBy: t.arg({ type: ErasureOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...listField(erasureList),
  }),
);

builder.objectField(StaffUser, 'erasures', (t) =>
  t.connection({
    type: Erasure,
    description: 'Erasures that the person requested, newest first',
    authScopes: MANAGE,
    args: {
      filter: t.arg({ type: ErasureFilter, description: 'Which erasures to list' }),
      orderBy: t.arg({ type: ErasureOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...relationField(erasureList, (row, user) => `${row}.user_id = ${user}`),
  }),
);

export const Policy = builder.objectRef<EffectivePolicy>('RetentionPolicy').implement({
  description: 'How long rows of one kind are stored. A nightly job enforces it.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Identifies the policy in updateRetentionPolicy' }),
    title: t.exposeString('title', { description: 'What rows it is about' }),
    description: t.exposeString('description', {
      description: 'What the policy deletes or anonymizes, and why',
    }),
    days: t.exposeInt('days', { nullable: true, description: 'Null: stored forever' }),
    defaultDays: t.exposeInt('defaultDays', {
      description: 'The default period; null: stored forever',
      nullable: true,
    }),
    minDays: t.exposeInt('minDays', { description: 'The shortest period in days' }),
    maxDays: t.exposeInt('maxDays', { description: 'The longest period in days' }),
    canKeepForever: t.exposeBoolean('canKeepForever', { description: 'Whether days can be null' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When days was last changed. 1970-01-01T00:00:00.000Z: never.',
    }),
  }),
});

builder.queryField('retentionPolicies', (t) =>
  t.field({
    type: [Policy],
    description: 'How long rows of each kind are stored',
    authScopes: MANAGE,
    resolve: (_, __, { ctx }) => listPolicies(ctx),
  }),
);

addMutation('updateRetentionPolicy', {
  description: 'Changes a retention policy. The change applies from the next nightly job.',
  access: 'staff:owner',
  input: updateRetentionPolicyInput,
  takesVersion: true,
  payload: { retentionPolicy: { type: Policy, description: 'The changed policy' } },
  resolve: async (input, { ctx }) => ({ retentionPolicy: await updatePolicy(ctx, input) }),
});
