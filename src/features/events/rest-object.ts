import { z } from 'zod';
import { toSnakeCaseKeys } from '../../core/letter-case.ts';
import { uuid } from '../../core/validation.ts';
import { showRestFields } from '../../objects/row-fields.ts';
import type { RestObject } from '../../objects/row-object.ts';
import {
  eventLocationSchema,
  moneySchema,
  resourceRefSchema,
  timeZoneSchema,
} from '../../objects/schemas.ts';
import { orderLimits } from '../order-limits/types.ts';
import { eventRow } from './rows.ts';
import { eventList } from './service/list-events.ts';
import { type CommunityEvent, EVENT_DETAILS } from './types.ts';

const ticketTypeJson = z
  .object({
    id: uuid.meta({ description: 'Identifies the type in both APIs' }),
    name: z.string().meta({ description: 'What buyers see', examples: ['Regular'] }),
    price: moneySchema.meta({ description: 'The price of one ticket' }),
    left: z.int().nullable().meta({
      description: 'How many can be bought now; null if unlimited. At most 30 seconds old.',
    }),
    sales_open: z.boolean().meta({ description: 'Whether it is on sale now' }),
  })
  .meta({ id: 'EventTicketType', description: 'A kind of ticket for an event' });

export const eventJson = z
  .object({
    ...showRestFields(eventRow, { except: EVENT_DETAILS }).shape,
    time_zone: timeZoneSchema.meta({ description: 'The IANA time zone of the location' }),
    location: eventLocationSchema.meta({ description: 'Where it takes place' }),
    resource: resourceRefSchema.nullable().meta({
      description: 'The room; null if it is not in a room of its own',
    }),
    ticket_types: z.array(ticketTypeJson).meta({ description: 'The tickets for sale' }),
  })
  .meta({ id: 'Event', description: 'A published public event' });

const fields = showRestFields(eventRow);

/** What only those who can read all events see: also drafts, and ticket types that are not for sale. */
const staffEventSchema = eventJson
  .extend({
    ...fields.shape,
    ticket_types: z.array(ticketTypeJson).meta({ description: 'All its ticket types' }),
    order_limits: z.object(showRestFields(orderLimits).shape).meta({
      id: 'OrderLimits',
      description: 'The limits of orders that differ from the defaults',
    }),
  })
  .meta({ id: 'StaffEvent', description: 'An event, also a draft or a private one' });

const toStaffEventJson = (event: CommunityEvent) => ({
  ...fields.serialize(event),
  time_zone: event.timeZone,
  location: event.location,
  resource: event.resource,
  ticket_types: event.ticketTypes.map(({ id, name, price, left, salesOpen }) => ({
    ...{ id, name, price, left },
    sales_open: salesOpen,
  })),
  order_limits: toSnakeCaseKeys(event.orderLimits ?? {}),
});

export const eventObject: RestObject = {
  schema: staffEventSchema,
  find: async (ctx, ids) => {
    const events = await eventList.findByIds(ctx, ids);
    return new Map(events.map((event) => [event.id, toStaffEventJson(event)]));
  },
};
