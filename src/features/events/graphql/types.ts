import { builder, Money } from '../../../graphql/builder.ts';
import { Node, type NodeExtension } from '../../../graphql/node.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { OrderLimitsType } from '../../order-limits/graphql.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { Resource } from '../../spaces/graphql/resources.ts';
import { eventRow, ticketTypeRow } from '../rows.ts';
import { visibleTicketTypes } from '../service/list-events.ts';
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

builder.enumType('EventVisibility', {
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
  interfaces: [Node],
  extensions: {
    projection: toTicketTypeRowProjection,
    node: { rows: visibleTicketTypes, access: 'public' } satisfies NodeExtension,
  },
  fields: (t) => ({
    ...showFields(t, ticketTypeRow),
    price: t.expose('price', { type: Money, description: '0 for a free registration' }),
    left: t.exposeInt('left', {
      nullable: true,
      description: 'How many can be bought now; null if unlimited',
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
    reservedCount: t.int({
      nullable: true,
      description: `The number of sold and held tickets. ${FOR_EVENT_READERS}`,
      extensions: { reads: 'reservedCount' },
      resolve: ({ reservedCount }) => reservedCount ?? null,
    }),
    sold: t.int({
      nullable: true,
      description: `The same as reservedCount. ${FOR_EVENT_READERS}`,
      deprecationReason: 'Since 2026-11-25: use reservedCount. Held tickets count, too.',
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
    ...showFields(t, eventRow),
    timeZone: t.exposeString('timeZone', { description: 'IANA time zone of the location' }),
    location: t.expose('location', { type: Location, description: 'Where it takes place' }),
    resource: t.expose('resource', {
      type: Resource,
      description: 'The room that it occupies; null if it occupies none',
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
    ticketTypes: t.expose('ticketTypes', {
      type: [TicketType],
      description: 'The types for sale. Callers with events:read also see the others.',
    }),
  }),
});
