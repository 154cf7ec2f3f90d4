import { z } from 'zod';
import { boundedText } from '../../../core/validation.ts';
import { builder, Money } from '../../../graphql/builder.ts';
import { paginateFilteredField, toStartPosition } from '../../../graphql/connections.ts';
import { OrderLimitsType } from '../../order-limits/graphql.ts';
import { Location, Resource } from '../../spaces/graphql.ts';
import { getEvent, listEvents } from '../queries.ts';
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
      description: 'Events that end later than this; now, if left out',
    }),
    to: t.field({ type: 'DateTime', description: 'Events that start earlier than this' }),
    locationId: t.id(),
    tag: t.string(),
    q: t.string({ description: 'Words in the title or the summary' }),
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
      'Soonest first. The public sees published public events, members those for members too, staff all.',
    authScopes: PUBLIC,
    args: { filter: t.arg({ type: EventFilter }) },
    ...paginateFilteredField(eventFilterSchema, listEvents, toStartPosition),
  }),
);

builder.queryField('event', (t) =>
  t.field({
    type: Event,
    description:
      'One that was published and then cancelled is still shown to those for whom it was',
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
    SOLD_OUT: { value: 'sold_out', description: 'It is time, and for now none is left' },
    CLOSED: { value: 'closed' },
  } as const,
});

const FOR_EVENT_READERS = 'For those with events:read';

export const TicketType = builder.objectRef<TicketTypeValue>('TicketType');
TicketType.implement({
  description: 'What an event sells',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    position: t.exposeInt('position', { description: 'What the types of an event are sorted by' }),
    price: t.expose('price', { type: Money, description: '0 is a registration' }),
    left: t.exposeInt('left', {
      nullable: true,
      description: 'What can be bought now; null where unlimited',
    }),
    perOrder: t.exposeInt('maxPerOrder', { description: 'At most so many in one order' }),
    audience: t.expose('audience', { type: EventVisibility, description: 'Who may buy it' }),
    salesStartAt: t.expose('salesStartAt', { type: 'DateTime', nullable: true }),
    salesEndAt: t.expose('salesEndAt', { type: 'DateTime', nullable: true }),
    salesOpen: t.exposeBoolean('salesOpen', {
      description: 'Whether it is the time to buy it, if there is any left',
    }),
    saleState: t.expose('saleState', { type: SaleState }),
    quantity: t.int({
      nullable: true,
      description: `${FOR_EVENT_READERS}; null where as many as the event holds`,
      resolve: ({ quantity }) => quantity ?? null,
    }),
    sold: t.int({
      nullable: true,
      description: `Sold and held. ${FOR_EVENT_READERS}`,
      resolve: ({ reservedCount }) => reservedCount ?? null,
    }),
    active: t.boolean({
      nullable: true,
      description: `Whether it is offered at all. ${FOR_EVENT_READERS}`,
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
    timeZone: t.exposeString('timeZone', { description: "IANA name of its location's zone" }),
    location: t.expose('location', { type: Location }),
    resource: t.expose('resource', { type: Resource, nullable: true }),
    tags: t.exposeStringList('tags'),
    capacity: t.exposeInt('capacity', { nullable: true }),
    taken: t.int({
      nullable: true,
      description: `Sold and held, of all ticket types. ${FOR_EVENT_READERS}`,
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
      description: 'Buyers get their money back until so many hours before the start; null: never',
    }),
    ticketTypes: t.expose('ticketTypes', {
      type: [TicketType],
      description: `Those that are offered, and the others too for those with events:read`,
    }),
    publishedAt: t.expose('publishedAt', { type: 'DateTime', nullable: true }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', nullable: true }),
    cancelReason: t.exposeString('cancelReason', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});
