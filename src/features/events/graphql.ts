import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { Money } from '../../graphql/money.ts';
import { byStart, connection, pageComplexity, pageRequest } from '../../graphql/pages.ts';
import { definite, text, valid } from '../../validation.ts';
import { Location, Resource } from '../spaces/graphql.ts';
import {
  type CommunityEvent,
  EVENT_STATUSES,
  type TicketType as TicketTypeValue,
} from './event.ts';
import * as events from './service.ts';

const PUBLIC = { access: 'public' } as const;

const EventStatus = builder.enumType('EventStatus', {
  values: {
    DRAFT: { value: 'draft' },
    PUBLISHED: { value: 'published' },
    CANCELLED: { value: 'cancelled' },
  } as const,
});

const EventVisibility = builder.enumType('EventVisibility', {
  values: { PUBLIC: { value: 'public' }, MEMBERS: { value: 'members' } } as const,
});

const TicketType = builder.objectRef<TicketTypeValue>('TicketType');
TicketType.implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    price: t.expose('price', { type: Money }),
    left: t.exposeInt('left', {
      nullable: true,
      description: 'What can be bought now; null where unlimited',
    }),
    salesOpen: t.exposeBoolean('salesOpen'),
  }),
});

const Event = builder.objectRef<CommunityEvent>('Event');
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
    ticketTypes: t.expose('ticketTypes', { type: [TicketType] }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

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

const filter = z.object({
  from: z.date().optional(),
  to: z.date().optional(),
  locationId: z.uuid().optional(),
  tag: text(100).optional(),
  q: text(200).optional(),
  status: z.enum(EVENT_STATUSES).optional(),
});

builder.queryField('events', (t) =>
  t.connection({
    type: Event,
    description:
      'Soonest first. The public sees published public events, members those for members too, staff all.',
    authScopes: PUBLIC,
    complexity: pageComplexity,
    args: { filter: t.arg({ type: EventFilter }) },
    resolve: async (_, args, { ctx }) =>
      connection(
        await events.list(ctx, valid(filter, definite(args.filter)), pageRequest(args)),
        byStart,
        args.after,
      ),
  }),
);

builder.queryField('event', (t) =>
  t.field({
    type: Event,
    authScopes: PUBLIC,
    args: { slug: t.arg.string({ required: true, description: 'The slug, or the id' }) },
    resolve: (_, { slug }, { ctx }) => events.get(ctx, slug),
  }),
);
