import { toSecretGuess } from '../../../auth/guesses.ts';
import { builder, createInputType } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import {
  getOrderEnum,
  listField,
  relatedRow,
  relationField,
  rowField,
} from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { Event, TicketType } from '../../events/graphql/types.ts';
import { visibleEvents, visibleTicketTypes } from '../../events/service/list-events.ts';
import { Member } from '../../members/graphql/members.ts';
import { memberList } from '../../members/service/list-members.ts';
import {
  changeWaitlistEntryInput,
  joinWaitlistInput,
  leaveWaitlistInput,
  waitlistFilter,
} from '../inputs.ts';
import { waitlistEntryRow } from '../waitlist/rows.ts';
import {
  isForEvent,
  toWaitlistEntryProjection,
  type WaitlistEntry,
  waitlist,
} from '../waitlist/service/list-waitlist.ts';
import {
  changeWaitlistEntry,
  getOwnWaitlistEntry,
  type OwnEntryActions as OwnEntryActionsValue,
  type OwnWaitlistEntry,
} from '../waitlist/service/own-entry.ts';
import { joinWaitlist, leaveWaitlist } from '../waitlist/service/waitlist.ts';
import { authorizeOwnOrders } from './lists.ts';
import { authorizeOrderReader, Order, toOrderField } from './types.ts';

const PUBLIC = { access: 'public' } as const;

const WaitlistStatus = builder.enumType('WaitlistStatus', {
  description: 'The state of a waiting-list entry',
  values: {
    WAITING: { value: 'waiting', description: 'No offer yet' },
    OFFERED: { value: 'offered', description: 'Tickets are held for this person' },
    ACCEPTED: { value: 'accepted', description: 'The person accepted an offer' },
    EXPIRED: {
      value: 'expired',
      description: 'The offer expired, its order was cancelled, or the event was cancelled',
    },
    WITHDRAWN: { value: 'withdrawn', description: 'The person left the waiting list' },
  } as const,
});

const WaitlistEntryType = builder.objectRef<WaitlistEntry>('WaitlistEntry');
WaitlistEntryType.implement({
  description: 'A person on the waiting list of a ticket type',
  interfaces: [Node],
  extensions: { projection: toWaitlistEntryProjection },
  fields: (t) => ({
    ...showFields(t, waitlistEntryRow),
    ticketType: t.field({
      type: TicketType,
      description:
        'The ticket type. Null if you cannot see the event, or if you see only types for sale and this one is not.',
      authScopes: PUBLIC,
      ...rowField(visibleTicketTypes, {
        reads: 'ticketTypeId',
        toId: ({ ticketTypeId }: WaitlistEntry) => ticketTypeId,
      }),
    }),
    event: t.field({
      type: Event,
      description: 'The event of the ticket type. Null if you cannot see the event.',
      authScopes: PUBLIC,
      ...rowField(visibleEvents, {
        reads: 'eventId',
        toId: ({ eventId }: WaitlistEntry) => eventId,
      }),
    }),
    member: t.field({
      type: Member,
      description: 'The member who joined the list while signed in. Null for other members.',
      authScopes: (_, __, { ctx: { viewer } }) =>
        viewer.kind === 'member' ? true : { access: 'members:read' },
      ...rowField(memberList, {
        reads: 'memberId',
        toId: ({ memberId }: WaitlistEntry) => memberId,
        sufficientAccess: 'members:read',
      }),
    }),
    order: t.field({
      type: Order,
      description: 'The order of the latest offer. Null before the first offer.',
      ...toOrderField,
    }),
  }),
});

const WaitlistFilter = createInputType('WaitlistFilter', waitlistFilter);
const WaitlistOrder = getOrderEnum('WaitlistEntry', waitlist);
const READ = { access: 'orders:read' } as const;

builder.queryField('waitlist', (t) =>
  t.connection({
    type: WaitlistEntryType,
    description: 'The waiting lists of all events, newest entry first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: WaitlistFilter, description: 'Which entries to list. Default: all.' }),
      orderBy: t.arg({ type: WaitlistOrder }),
    },
    ...listField(waitlist),
  }),
);

builder.objectField(Event, 'waitlist', (t) =>
  t.connection({
    type: WaitlistEntryType,
    description: 'The waiting lists of its ticket types, newest entry first',
    authScopes: READ,
    args: { filter: t.arg({ type: WaitlistFilter }), orderBy: t.arg({ type: WaitlistOrder }) },
    ...relationField(waitlist, (row, event) => isForEvent(row, event)),
  }),
);

builder.objectField(TicketType, 'waitlist', (t) =>
  t.connection({
    type: WaitlistEntryType,
    description: 'The waiting list of this type, newest entry first',
    authScopes: READ,
    args: { filter: t.arg({ type: WaitlistFilter }), orderBy: t.arg({ type: WaitlistOrder }) },
    ...relationField(waitlist, (row, type) => `${row}.ticket_type_id = ${type}`),
  }),
);

builder.objectField(Member, 'waitlistEntries', (t) =>
  t.connection({
    type: WaitlistEntryType,
    description: 'The waiting lists that they joined while signed in, newest entry first',
    authScopes: authorizeOwnOrders,
    args: { filter: t.arg({ type: WaitlistFilter }), orderBy: t.arg({ type: WaitlistOrder }) },
    ...relationField(waitlist, (row, member) => `${row}.member_id = ${member}`, READ.access),
  }),
);

builder.objectField(Order, 'waitlistEntry', (t) =>
  t.field({
    type: WaitlistEntryType,
    description:
      'The waiting-list entry to which the order was offered; null for an order that the buyer placed, and after a later offer',
    authScopes: authorizeOrderReader,
    ...relatedRow(waitlist, (row, order) => `${row}.order_id = ${order}`, READ.access),
  }),
);

/** Counts wrong guesses of the secret of an entry, for every field that takes one. */
const toWaitlistSecretGuess = ({ secret }: { secret: string }, { deps, address }: GraphqlContext) =>
  toSecretGuess(deps.rateLimits, address, 'waitlistLink', secret);

const OwnEntryActions = builder.objectRef<OwnEntryActionsValue>('OwnWaitlistEntryActions');
OwnEntryActions.implement({
  description: 'What a person can do with their waiting-list entry now',
  fields: (t) => ({
    change: t.exposeBoolean('change', {
      description: 'Change what they wait for with changeWaitlistEntry',
    }),
    leave: t.exposeBoolean('leave', {
      description: 'Leave the list, or decline the offer, with leaveWaitlist',
    }),
  }),
});

const OwnEntry = builder.objectRef<OwnWaitlistEntry>('OwnWaitlistEntry');
OwnEntry.implement({
  description: 'A waiting-list entry, for the person who has the link to it',
  fields: (t) => ({
    status: t.expose('status', {
      type: WaitlistStatus,
      description: 'Whether the person waits, has an offer, or is done',
    }),
    quantity: t.exposeInt('quantity', {
      description: 'How many tickets the person still waits for, including those of an open offer',
    }),
    acceptsFewer: t.exposeBoolean('acceptsFewer', {
      description: 'Whether the person gets an offer for fewer tickets if not all are available',
    }),
    offeredQuantity: t.exposeInt('offeredQuantity', {
      nullable: true,
      description: 'How many tickets the open offer holds; null without one',
    }),
    offeredUntil: t.expose('offeredUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the open offer holds them; null without one',
    }),
    maxQuantity: t.exposeInt('maxQuantity', {
      description: 'The most tickets that one entry can want; the order limits can allow fewer',
    }),
    isChangeable: t.boolean({
      description: 'Whether the entry can be changed: only while it waits without an offer',
      deprecationReason: 'Since 2026-11-25: use allowedActions.change',
      resolve: ({ allowedActions }) => allowedActions.change,
    }),
    allowedActions: t.expose('allowedActions', {
      type: OwnEntryActions,
      description: 'What you can do with it now, for buttons. The mutations check this again.',
    }),
    ticketTypeName: t.exposeString('ticketTypeName', {
      description: 'The name of the ticket type',
    }),
    eventTitle: t.exposeString('eventTitle', { description: 'The title of the event' }),
    eventStartsAt: t.expose('eventStartsAt', {
      type: 'DateTime',
      description: 'When the event starts',
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'IANA time zone of the location, such as Europe/Berlin',
    }),
  }),
});

builder.queryField('waitlistEntry', (t) =>
  t.field({
    type: OwnEntry,
    description: 'Gets a waiting-list entry by its secret, for the page of the person who waits',
    authScopes: PUBLIC,
    args: {
      secret: t.arg.string({
        description: 'The secret from the link in the email',
        required: true,
      }),
    },
    guess: toWaitlistSecretGuess,
    resolve: (_, { secret }, { ctx }) => getOwnWaitlistEntry(ctx, secret),
  }),
);

addMutation('joinWaitlist', {
  description:
    'Joins the waiting list of a sold-out ticket type. When tickets become available, the person gets an offer by email, valid for up to a day. The response repeats the request and does not say whether the address was already on the list: it then keeps its entry, and gets an email with a link to see and change it. An address gets at most one such email a day, also if it leaves the list and joins again; the link in an earlier one then opens the new entry. It is also the same for an address that has reserved as many seats as the order limits allow, which gets no entry.',
  access: 'public',
  input: joinWaitlistInput,
  payload: {
    ticketTypeId: { type: 'ID', description: 'The ticket type that the person waits for' },
    quantity: {
      type: 'Int',
      description:
        'How many tickets were requested. An address that is already on the list keeps its entry.',
    },
  },
  rateLimit: ({ email }, { deps, address }) =>
    deps.rateLimits.waitlistEntries.consume({ address, account: email }),
  resolve: (input, { ctx }) => joinWaitlist(ctx, input),
});

addMutation('leaveWaitlist', {
  description: 'Leaves the waiting list and declines an open offer',
  access: 'public',
  input: leaveWaitlistInput,
  payload: {
    ticketTypeId: { type: 'ID', description: 'The ticket type that the person waited for' },
    quantity: { type: 'Int', description: 'How many tickets the person wanted' },
  },
  guess: toWaitlistSecretGuess,
  resolve: ({ secret }, { ctx }) => leaveWaitlist(ctx, secret),
});

addMutation('changeWaitlistEntry', {
  description:
    'Changes how many tickets a person waits for, and whether to offer fewer. The entry keeps its place, unless the person accepts fewer again after not accepting such an offer. More tickets count against the order limits.',
  access: 'public',
  input: changeWaitlistEntryInput,
  payload: { waitlistEntry: { type: OwnEntry, description: 'The changed entry' } },
  rateLimit: ({ secret }, { deps, address }) =>
    deps.rateLimits.waitlistChanges.consume({ address, account: secret }),
  guess: toWaitlistSecretGuess,
  resolve: async (input, { ctx }) => ({ waitlistEntry: await changeWaitlistEntry(ctx, input) }),
});
