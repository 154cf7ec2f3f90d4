import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import { showRestFields } from '../../rest/row-fields.ts';
import {
  eventLocationSchema,
  moneySchema,
  resourceRefSchema,
  timeZoneSchema,
} from '../../rest/serializers.ts';
import { eventRow } from './rows.ts';
import { EVENT_DETAILS } from './types.ts';

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
  .meta({ id: 'TicketType', description: 'A kind of ticket for an event' });

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
