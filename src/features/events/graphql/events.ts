import { z } from 'zod';
import { boundedText } from '../../../core/validation.ts';
import { builder, Money } from '../../../graphql/builder.ts';
import { paginateFilteredField, toStartPosition } from '../../../graphql/connections.ts';
import { OrderLimitsType } from '../../order-limits/graphql.ts';
import { Location, Resource } from '../../spaces/graphql.ts';
import { getEvent, listEvents } from '../service.ts';
import {
  type CommunityEvent,
  EVENT_STATUSES,
  type TicketType as TicketTypeValue,
} from '../types.ts';

const PUBLIC = { access: 'public' } as const;

const EventFilter = builder.inputType('EventFilter', {
  fields: (t) => ({
    from: t.field({
      type: 'DateTime',
      description: 'Events that end after this time. Default: now.',
    }),
    to: t.field({ type: 'DateTime', description: 'Events that start before this time' }),
    locationId: t.id(),
    tag: t.string(),
    q: t.string({ description: 'Words in the title or the summary; all must occur' }),
    status: t.field({ type: EventStatus }),
  }),
});

const eventFilterSchema = z.object({
  from: z.date().optional(),
  to: z.date().optional(),
  locationId: z.uuid().optional(),
  tag: boundedText(100).optional(),
  q: boundedText(200).optional(),
  status: z.enum(EVENT_STATUSES).optional(),
});

builder.queryField('events', (t) =>
  t.connection({
    type: Event,
    description:
      'Lists events, soonest first. The public sees published public events, members also those for members, staff all events.',
    authScopes: PUBLIC,
    args: { filter: t.arg({ type: EventFilter }) },
    ...paginateFilteredField(eventFilterSchema, listEvents, toStartPosition),
  }),
);

builder.queryField('event', (t) =>
  t.field({
    type: Event,
    description: 'Gets an event. A cancelled event stays visible if it was published before.',
    authScopes: PUBLIC,
    args: { slug: t.arg.string({ required: true, description: 'The slug, or the id' }) },
    resolve: (_, { slug }, { ctx }) => getEvent(ctx, slug),
  }),
);

export const EventStatus = builder.enumType('EventStatus', {
  values: {
    DRAFT: { value: 'draft' },
    PUBLISHED: { value: 'published' },
    CANCELLED: { value: 'cancelled' },
  } as const,
});

export const EventVisibility = builder.enumType('EventVisibility', {
  values: { PUBLIC: { value: 'public' }, MEMBERS: { value: 'members' } } as const,
});

const SaleState = builder.enumType('SaleState', {
  values: {
    NOT_YET: { value: 'not_yet' },
    OPEN: { value: 'open' },
    SOLD_OUT: { value: 'sold_out', description: 'Sales are open, but no tickets are left for now' },
    CLOSED: { value: 'closed' },
  } as const,
});

const FOR_EVENT_READERS = 'Only for callers with events:read.';

export const TicketType = builder.objectRef<TicketTypeValue>('TicketType');
TicketType.implement({
  description: 'A kind of ticket that an event sells',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    position: t.exposeInt('position', {
      description: 'The types of an event are sorted by this number',
    }),
    price: t.expose('price', { type: Money, description: '0 for a free registration' }),
    left: t.exposeInt('left', {
      nullable: true,
      description: 'The number that can be bought now; null where unlimited',
    }),
    perOrder: t.exposeInt('maxPerOrder', { description: 'The largest quantity in one order' }),
    audience: t.expose('audience', { type: EventVisibility, description: 'Who can buy it' }),
    salesStartAt: t.expose('salesStartAt', { type: 'DateTime', nullable: true }),
    salesEndAt: t.expose('salesEndAt', { type: 'DateTime', nullable: true }),
    salesOpen: t.exposeBoolean('salesOpen', {
      description: 'Whether sales are open by time. The type can still be sold out.',
    }),
    saleState: t.expose('saleState', { type: SaleState }),
    quantity: t.int({
      nullable: true,
      description: `Null: limited only by the capacity of the event. ${FOR_EVENT_READERS}`,
      resolve: ({ quantity }) => quantity ?? null,
    }),
    sold: t.int({
      nullable: true,
      description: `The number of sold and held tickets. ${FOR_EVENT_READERS}`,
      resolve: ({ reservedCount }) => reservedCount ?? null,
    }),
    active: t.boolean({
      nullable: true,
      description: `Whether the type is for sale at all. ${FOR_EVENT_READERS}`,
      resolve: ({ active }) => active ?? null,
    }),
  }),
});

export const Event = builder.objectRef<CommunityEvent>('Event');
Event.implement({
  description: 'A community event',
  fields: (t) => ({
    id: t.exposeID('id'),
    slug: t.exposeString('slug'),
    title: t.exposeString('title'),
    summary: t.exposeString('summary', { nullable: true }),
    description: t.exposeString('description', { nullable: true }),
    status: t.expose('status', { type: EventStatus }),
    visibility: t.expose('visibility', { type: EventVisibility }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    timeZone: t.exposeString('timeZone', { description: 'IANA time zone of the location' }),
    location: t.expose('location', { type: Location }),
    resource: t.expose('resource', { type: Resource, nullable: true }),
    tags: t.exposeStringList('tags'),
    capacity: t.exposeInt('capacity', { nullable: true }),
    taken: t.int({
      nullable: true,
      description: `The number of sold and held tickets of all types. ${FOR_EVENT_READERS}`,
      resolve: ({ reservedCount }) => reservedCount ?? null,
    }),
    orderLimits: t.field({
      type: OrderLimitsType,
      nullable: true,
      description: FOR_EVENT_READERS,
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
    publishedAt: t.expose('publishedAt', { type: 'DateTime', nullable: true }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', nullable: true }),
    cancelReason: t.exposeString('cancelReason', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});
