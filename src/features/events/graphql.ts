import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { byStart, pagedBy } from '../../graphql/pages.ts';
import { text } from '../../validation.ts';
import { EVENT_STATUSES } from './event.ts';
import * as events from './service.ts';
import { Event, EventStatus } from './types/graphql.ts';

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
    args: { filter: t.arg({ type: EventFilter }) },
    ...pagedBy(filter, events.list, byStart),
  }),
);

builder.queryField('event', (t) =>
  t.field({
    type: Event,
    description:
      'One that was published and then cancelled is still shown to those for whom it was',
    authScopes: PUBLIC,
    args: { slug: t.arg.string({ required: true, description: 'The slug, or the id' }) },
    resolve: (_, { slug }, { ctx }) => events.get(ctx, slug),
  }),
);
