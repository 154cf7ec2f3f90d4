import type { z } from 'zod';
import { parseInput } from '../../core/validation.ts';
import { builder, createArgs, createInputType } from '../../graphql/builder.ts';
import type { GraphqlContext } from '../../graphql/context.ts';
import { getOrderEnum, listField } from '../../graphql/list-fields.ts';
import { Node } from '../../graphql/node.ts';
import { streamWhileAuthorized } from '../../graphql/subscriptions.ts';
import { assignPositions } from '../../journal/assign-positions.ts';
import { changeFilter, changeSubscriptionArgs } from './inputs.ts';
import {
  type Actor as ActorValue,
  type Change as ChangeValue,
  canReadChange,
  canSeeAddresses,
  changeList,
  watchChanges,
} from './service/list-changes.ts';
import { type ChangeReference, listMentionedIds } from './service/references.ts';

const READ = { access: 'webhooks:read' } as const;

const ActorKind = builder.enumType('ActorKind', {
  description: 'What made a change',
  values: {
    ANONYMOUS: { value: 'anonymous', description: 'A visitor of a public page, such as a buyer' },
    TOKEN: { value: 'token', description: 'A program with an API key' },
    STAFF: { value: 'staff', description: 'A person who works in the panel' },
    MEMBER: { value: 'member', description: 'A signed-in member' },
    DEVICE: { value: 'device', description: 'A paired display or kiosk' },
    SYSTEM: { value: 'system', description: 'A job, or the command line' },
  } as const,
});

const Actor = builder.objectRef<ActorValue>('Actor').implement({
  description: 'Who made a change',
  fields: (t) => ({
    kind: t.expose('kind', { type: ActorKind, description: 'A person, a program or a job' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Its name now; null if it has none or was deleted',
    }),
  }),
});

const Reference = builder.objectRef<ChangeReference>('ChangeReference').implement({
  description: 'An object that a change is about or mentions by its id',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id, as in the change' }),
    kind: t.exposeString('kind', {
      description: 'What it is, such as resource, as in the types of its changes',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description:
        'Its name now, such as the title of an event. A booking that the change is about has the name from the time of the change. Of orders, payments and refunds it is the code of the order, which is null for callers with neither orders:write nor check-ins:write.',
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'The currency of its amounts, if it has any',
    }),
  }),
});

const Change = builder.objectRef<ChangeValue>('Change').implement({
  description: 'One entry of the journal: what happened to an object, and who did it',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifies the change' }),
    // An Int has 32 bits.
    position: t.exposeFloat('position', {
      description:
        'Its place in the journal, which grows with every change: a whole number below 10^15, as in REST',
    }),
    type: t.exposeString('type', { description: 'What happened, such as booking.created' }),
    subjectType: t.exposeString('subjectType', {
      description: 'What changed, such as booking',
    }),
    subjectId: t.exposeID('subjectId', {
      nullable: true,
      description: 'The id of the changed object, for node; null for settings',
    }),
    subjectKey: t.exposeString('subjectKey', {
      description:
        'The same for all changes of one subject: its id, and for settings a name such as settings:1',
    }),
    locationId: t.exposeID('locationId', {
      nullable: true,
      description: 'The location that it belongs to, if any',
    }),
    actor: t.expose('actor', { type: Actor, description: 'Who made the change' }),
    actorId: t.id({
      nullable: true,
      description: 'The id of the staff account, member, API key or display; null for all others',
      resolve: ({ actor }) => actor.id,
    }),
    job: t.exposeString('job', {
      nullable: true,
      description: 'The name of the job that made the change, if it was one',
    }),
    address: t.string({
      nullable: true,
      description:
        'The IPv4 address or IPv6 /64 of the client, for owners and managers; null for others and for jobs',
      resolve: ({ address }, _, { ctx: { viewer } }) => (canSeeAddresses(viewer) ? address : null),
    }),
    requestId: t.exposeString('requestId', {
      nullable: true,
      description: 'The X-Request-Id of the response, which logs also contain',
    }),
    agent: t.exposeString('agent', {
      nullable: true,
      description:
        'What the program says it is that made the change by a tool, such as "claude-code 2.1.0"; null for all others',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the change was made' }),
    isDeleted: t.exposeBoolean('isDeleted', {
      description:
        'Whether the object no longer exists, because of this change or a later one. If it is false and node finds nothing, you cannot read the object.',
    }),
    isRedacted: t.exposeBoolean('isRedacted', {
      description:
        'Whether personal data was removed from before and after. The values are null, or say that the person was deleted.',
    }),
    before: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The values that changed, with the names and shapes of the object in REST; null if the object was created',
      resolve: ({ before }) => before,
    }),
    after: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The new values; null if the object was deleted',
      resolve: ({ after }) => after,
    }),
    references: t.field({
      type: [Reference],
      description:
        'The objects whose ids the change contains, as far as they exist and the caller can read them',
      resolve: async (change, _, { loaders }) => {
        const ids = listMentionedIds(change);
        const references = await Promise.all(ids.map((id) => loaders.changeReference.load(id)));
        return Promise.all(
          references
            .filter((reference) => reference !== null)
            .map(async (reference) =>
              reference.kind === 'booking' && reference.id === change.subjectId
                ? { ...reference, name: await loaders.bookingNameOfChange.load(change.id) }
                : reference,
            ),
        );
      },
    }),
  }),
});

const ChangeFilter = createInputType('ChangeFilter', changeFilter);
const ChangeOrder = getOrderEnum('Change', changeList);
const list = listField(changeList);

builder.queryField('changes', (t) =>
  t.connection({
    type: Change,
    description:
      'The journal of changes, oldest first, of everything that the caller can read. It contains every change whose mutation has been answered.',
    authScopes: READ,
    args: {
      filter: t.arg({ type: ChangeFilter, description: 'Which changes to list' }),
      orderBy: t.arg({ type: ChangeOrder, description: 'Default: POSITION_ASC' }),
    },
    ...list,
    resolve: async (root, args, context) => {
      await assignPositions(context.ctx);
      return list.resolve(root, args, context);
    },
  }),
);

builder.subscriptionField('changes', (t) =>
  t.field({
    type: Change,
    description:
      'New changes that the caller can read, in order and within two seconds. After a disconnection, continue after the position of the last change, and none is missed.',
    authScopes: READ,
    args: createArgs(changeSubscriptionArgs),
    subscribe: (_, args, context) =>
      streamChanges(context, parseInput(changeSubscriptionArgs, { ...args })),
    resolve: (change) => change,
  }),
);

async function* streamChanges(
  context: GraphqlContext,
  filter: z.output<typeof changeSubscriptionArgs>,
): AsyncGenerator<ChangeValue, void, void> {
  const changes = streamWhileAuthorized(context, READ.access, (signal) =>
    watchChanges(context.deps.journalFeed, () => context.ctx, filter, signal),
  );
  // The viewer of this batch can have lost a scope since the batch was selected.
  for await (const change of changes) if (canReadChange(context.ctx.viewer, change)) yield change;
}
