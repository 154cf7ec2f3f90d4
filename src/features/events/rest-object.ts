import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import { showRestFields } from '../../rest/row-fields.ts';
import type { RestObject } from '../../rest/row-object.ts';
import { moneySchema, namedSchema, toSnakeCaseKeys } from '../../rest/serializers.ts';
import { orderLimits } from '../order-limits/types.ts';
import { eventRow } from './rows.ts';
import { eventList } from './service/list-events.ts';
import { type CommunityEvent, EVENT_DETAILS } from './types.ts';

const ticketTypeJson = z.object({
  id: uuid,
  name: z.string(),
  price: moneySchema,
  left: z.int().nullable().meta({ description: 'How many can be bought now; null if unlimited' }),
  sales_open: z.boolean(),
});

export const eventJson = z
  .object({
    ...showRestFields(eventRow, { except: EVENT_DETAILS }).shape,
    time_zone: z.string(),
    location: namedSchema.extend({ address: z.string().nullable() }),
    resource: namedSchema.nullable(),
    ticket_types: z.array(ticketTypeJson),
  })
  .meta({ id: 'Event' });

const fields = showRestFields(eventRow);

/** What only those who can read all events see: also drafts, and ticket types that are not for sale. */
const staffEventSchema = eventJson
  .extend({ ...fields.shape, order_limits: z.object(showRestFields(orderLimits).shape) })
  .meta({ id: 'StaffEvent' });

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
