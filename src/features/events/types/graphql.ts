import { builder } from '../../../graphql/builder.ts';
import { Money } from '../../../graphql/money.ts';
import { OrderLimitsType } from '../../orders/limits/graphql.ts';
import { Location, Resource } from '../../spaces/graphql.ts';
import type { CommunityEvent } from '../event.ts';
import type { TicketType as TicketTypeValue } from '../ticket-types/ticket-type.ts';

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

const FOR_READERS = 'For those with events:read';

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
      description: `${FOR_READERS}; null where as many as the event holds`,
      resolve: ({ quantity }) => quantity ?? null,
    }),
    sold: t.int({
      nullable: true,
      description: `Sold and held. ${FOR_READERS}`,
      resolve: ({ reservedCount }) => reservedCount ?? null,
    }),
    active: t.boolean({
      nullable: true,
      description: `Whether it is offered at all. ${FOR_READERS}`,
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
      description: `Sold and held, of all ticket types. ${FOR_READERS}`,
      resolve: ({ reservedCount }) => reservedCount ?? null,
    }),
    orderLimits: t.field({
      type: OrderLimitsType,
      nullable: true,
      description: FOR_READERS,
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
