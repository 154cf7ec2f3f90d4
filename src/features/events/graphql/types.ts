import { builder, Money } from '../../../graphql/builder.ts';
import { Node } from '../../../graphql/node.ts';
import { OrderLimitsType } from '../../order-limits/graphql.ts';
import { Location, Resource } from '../../spaces/graphql.ts';
import {
  type CommunityEvent,
  type TicketType as TicketTypeValue,
  toEventProjection,
  toTicketTypeRowProjection,
} from '../types.ts';

export const EventStatus = builder.enumType('EventStatus', {
  description: 'The state of an event',
  values: {
    DRAFT: { value: 'draft', description: 'Only staff and tokens with events:read can see it' },
    PUBLISHED: { value: 'published', description: 'Open to its audience; tickets can be sold' },
    CANCELLED: { value: 'cancelled', description: 'Cancelled; buyers get their money back' },
  } as const,
});

export const EventVisibility = builder.enumType('EventVisibility', {
  description: 'Who can see an event or buy a ticket',
  values: {
    PUBLIC: { value: 'public', description: 'Everyone' },
    MEMBERS: { value: 'members', description: 'Members who are signed in' },
  } as const,
});

const SaleState = builder.enumType('SaleState', {
  description: 'Whether tickets of a type can be bought now',
  values: {
    NOT_YET: { value: 'not_yet', description: 'The sale has not started' },
    OPEN: { value: 'open', description: 'Tickets can be bought' },
    SOLD_OUT: {
      value: 'sold_out',
      description: 'Sales are open, but currently no tickets are left',
    },
    CLOSED: { value: 'closed', description: 'The sale has ended' },
  } as const,
});

const FOR_EVENT_READERS = 'Only for callers with events:read.';

export const TicketType = builder.objectRef<TicketTypeValue>('TicketType');
TicketType.implement({
  description: 'A type of ticket for an event',
  extensions: { projection: toTicketTypeRowProjection },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifies the type in orders' }),
    name: t.exposeString('name', { description: 'The name that buyers see' }),
    description: t.exposeString('description', {
      description: 'What the ticket includes; null if there is no description',
      nullable: true,
    }),
    position: t.exposeInt('position', {
      description: 'The types of an event are sorted by this number',
    }),
    price: t.expose('price', { type: Money, description: '0 for a free registration' }),
    left: t.exposeInt('left', {
      nullable: true,
      description: 'How many can be bought now; null if unlimited',
    }),
    maxPerOrder: t.exposeInt('maxPerOrder', { description: 'The maximum quantity in one order' }),
    audience: t.expose('audience', { type: EventVisibility, description: 'Who can buy it' }),
    salesStartAt: t.expose('salesStartAt', {
      type: 'DateTime',
      description: 'When the sale starts; null if it starts when the event is published',
      nullable: true,
    }),
    salesEndAt: t.expose('salesEndAt', {
      type: 'DateTime',
      description: 'When the sale ends; null if only the event ends it',
      nullable: true,
    }),
    salesOpen: t.exposeBoolean('salesOpen', {
      description:
        'Whether the current time is within the sales window. The type can still be sold out.',
    }),
    saleState: t.expose('saleState', {
      type: SaleState,
      description: 'Whether tickets can be bought now, and if not, why',
    }),
    quantity: t.int({
      nullable: true,
      description: `Null: limited only by the capacity of the event. ${FOR_EVENT_READERS}`,
      extensions: { reads: 'quantity' },
      resolve: ({ quantity }) => quantity ?? null,
    }),
    sold: t.int({
      nullable: true,
      description: `The number of sold and held tickets. ${FOR_EVENT_READERS}`,
      extensions: { reads: 'reservedCount' },
      resolve: ({ reservedCount }) => reservedCount ?? null,
    }),
    active: t.boolean({
      nullable: true,
      description: `Whether tickets of this type are sold during the sales window. ${FOR_EVENT_READERS}`,
      extensions: { reads: 'active' },
      resolve: ({ active }) => active ?? null,
    }),
  }),
});

export const Event = builder.objectRef<CommunityEvent>('Event');
Event.implement({
  description: 'A community event',
  extensions: { projection: toEventProjection },
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifies the event in both APIs' }),
    slug: t.exposeString('slug', { description: 'The name in URLs; event finds it by this' }),
    title: t.exposeString('title', { description: 'The title on pages, tickets and displays' }),
    summary: t.exposeString('summary', {
      description: 'One or two sentences for lists; null if there are none',
      nullable: true,
    }),
    description: t.exposeString('description', {
      description: 'The long text on its page; null if there is none',
      nullable: true,
    }),
    status: t.expose('status', {
      type: EventStatus,
      description: 'Whether it is a draft, published or cancelled',
    }),
    visibility: t.expose('visibility', {
      type: EventVisibility,
      description: 'Who can see it once it is published',
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When it starts' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When it ends' }),
    timeZone: t.exposeString('timeZone', { description: 'IANA time zone of the location' }),
    location: t.expose('location', { type: Location, description: 'Where it takes place' }),
    resource: t.expose('resource', {
      type: Resource,
      description: 'The room that it occupies; null if it occupies none',
      nullable: true,
    }),
    tags: t.exposeStringList('tags', { description: 'Words by which visitors filter events' }),
    capacity: t.exposeInt('capacity', {
      description: 'How many people can attend, over all ticket types; null if unlimited',
      nullable: true,
    }),
    reservedCount: t.int({
      nullable: true,
      description: `The number of sold and held tickets of all types. ${FOR_EVENT_READERS}`,
      extensions: { reads: 'reservedCount' },
      resolve: ({ reservedCount }) => reservedCount ?? null,
    }),
    orderLimits: t.field({
      type: OrderLimitsType,
      nullable: true,
      description: FOR_EVENT_READERS,
      extensions: { reads: 'orderLimits' },
      resolve: ({ orderLimits }) => orderLimits ?? null,
    }),
    refundHours: t.exposeInt('refundHours', {
      nullable: true,
      description:
        'Buyers can cancel for a refund until this many hours before the start. Null: no refunds.',
    }),
    ticketTypes: t.expose('ticketTypes', {
      type: [TicketType],
      description: 'The types for sale. Callers with events:read also see the others.',
    }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      description: 'When it was published; null for drafts',
      nullable: true,
    }),
    cancelledAt: t.expose('cancelledAt', {
      type: 'DateTime',
      description: 'When it was cancelled; null if it was not',
      nullable: true,
    }),
    cancelReason: t.exposeString('cancelReason', {
      description: 'Why it was cancelled, as buyers see it; null if no reason was given',
      nullable: true,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the draft was created',
    }),
  }),
});
