import { isUuid } from '../../../core/ids.ts';
import { builder, createInputType } from '../../../graphql/builder.ts';
import {
  getOrderEnum,
  listField,
  type RowExtension,
  relationField,
  rowField,
} from '../../../graphql/list-fields.ts';
import { DiscountCode, DiscountCodeFilter, DiscountCodeOrder } from '../../discounts/graphql.ts';
import { type Discount, discountCodeList } from '../../discounts/service.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { Resource } from '../../spaces/graphql/resources.ts';
import { eventFilter } from '../inputs.ts';
import { getEvent } from '../service/get-event.ts';
import { eventList, visibleEvents } from '../service/list-events.ts';
import type { TicketType as TicketTypeValue } from '../types.ts';
import { Event, TicketType } from './types.ts';

const PUBLIC = { access: 'public' } as const;

const EventFilter = createInputType('EventFilter', eventFilter);
const EventOrder = getOrderEnum('Event', eventList);

const WHICH_EVENTS =
  'Without filter.from, only those that are not over. Anyone sees published public events, members also events for members, and callers with events:read all events.';

builder.queryField('events', (t) =>
  t.connection({
    type: Event,
    description: `Events, soonest first. ${WHICH_EVENTS}`,
    authScopes: PUBLIC,
    args: {
      filter: t.arg({
        type: EventFilter,
        description: 'Which events to list. Default: all that have not ended.',
      }),
      orderBy: t.arg({ type: EventOrder }),
    },
    ...listField(eventList),
  }),
);

builder.queryField('event', (t) =>
  t.field({
    type: Event,
    description: 'Gets an event. A cancelled event stays visible if it was published before.',
    authScopes: PUBLIC,
    args: { slug: t.arg.string({ required: true, description: 'The slug, or the id' }) },
    extensions: {
      row: {
        table: visibleEvents.table,
        where: (row, { slug }, scope) => [
          isUuid(String(slug))
            ? `${row}.id = ${scope.bind(slug, 'uuid')}`
            : `${row}.slug = ${scope.bind(slug, 'text')}`,
          ...visibleEvents.where(row, {}, scope),
        ],
      } satisfies RowExtension,
    },
    resolve: (_, { slug }, { ctx }) => getEvent(ctx, slug),
  }),
);

builder.objectField(Location, 'events', (t) =>
  t.connection({
    type: Event,
    description: `Its events, soonest first. ${WHICH_EVENTS}`,
    authScopes: PUBLIC,
    args: { filter: t.arg({ type: EventFilter }), orderBy: t.arg({ type: EventOrder }) },
    ...relationField(eventList, (row, location) => `${row}.location_id = ${location}`),
  }),
);

builder.objectField(Resource, 'events', (t) =>
  t.connection({
    type: Event,
    description: `The events in it, soonest first. ${WHICH_EVENTS}`,
    authScopes: PUBLIC,
    args: { filter: t.arg({ type: EventFilter }), orderBy: t.arg({ type: EventOrder }) },
    ...relationField(eventList, (row, resource) => `${row}.resource_id = ${resource}`),
  }),
);

builder.objectField(TicketType, 'event', (t) =>
  t.field({
    type: Event,
    description: 'The event that it admits to. Null if you cannot see the event.',
    authScopes: PUBLIC,
    ...rowField(visibleEvents, {
      reads: 'eventId',
      toId: ({ eventId }: TicketTypeValue) => eventId,
    }),
  }),
);

builder.objectField(Event, 'discountCodes', (t) =>
  t.connection({
    type: DiscountCode,
    description: 'The discount codes for this event alone, newest first',
    authScopes: { access: 'orders:read' },
    args: {
      filter: t.arg({ type: DiscountCodeFilter }),
      orderBy: t.arg({ type: DiscountCodeOrder }),
    },
    ...relationField(discountCodeList, (row, event) => `${row}.event_id = ${event}`),
  }),
);

builder.objectField(DiscountCode, 'event', (t) =>
  t.field({
    type: Event,
    description: 'The event that the code applies to. Null if it applies to all.',
    authScopes: PUBLIC,
    ...rowField(visibleEvents, { reads: 'eventId', toId: ({ eventId }: Discount) => eventId }),
  }),
);
