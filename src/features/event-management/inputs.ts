import { z } from 'zod';
import { isUuid } from '../../core/ids.ts';
import { anyId, boundedText, moneyInput, singleLine, slug } from '../../core/validation.ts';
import { EVENT_VISIBILITIES } from '../events/types.ts';
import { orderLimitFields } from '../order-limits/types.ts';

const eventId = anyId.meta({ description: 'The id of the event' });
const title = singleLine(200).meta({ description: 'The title, on one line' });
const eventSlug = slug.refine((text) => !isUuid(text), 'must not look like an id');
const summary = boundedText(500).meta({ description: 'One or two sentences for lists' });
const eventDescription = boundedText(20_000).meta({ description: 'The full text' });
const visibility = z.enum(EVENT_VISIBILITIES).meta({ description: 'Who can see it and order' });
const startsAt = z.date().meta({ description: 'When it starts' });
const endsAt = z.date().meta({ description: 'When it ends' });
const tags = z
  .array(boundedText(100))
  .max(50)
  .transform((tags) => [...new Set(tags.map((tag) => tag.toLowerCase()))]);
const capacity = z.int().min(1).max(1_000_000);
const refundHours = z
  .int()
  .min(0)
  .max(366 * 24);

export const createEventInput = z.object({
  title,
  slug: eventSlug.optional().meta({ description: 'Default: made from the title' }),
  summary: summary.optional(),
  description: eventDescription.optional(),
  visibility: visibility.default('public'),
  locationId: z.uuid().meta({ description: 'Where it takes place' }),
  resourceId: z
    .uuid()
    .optional()
    .meta({ description: 'The room that the event occupies once it is published' }),
  startsAt,
  endsAt,
  tags: tags.optional().meta({ description: 'Words by which visitors filter, in lower case' }),
  capacity: capacity.optional().meta({ description: 'Default: unlimited' }),
  refundHours: refundHours.optional().meta({
    description:
      'Buyers can cancel for a refund until this many hours before the start. Default: no refunds.',
  }),
  ...orderLimitFields,
});

export const updateEventInput = z
  .object({
    id: eventId,
    title: title.optional(),
    slug: eventSlug.optional().meta({ description: 'The last part of its URL' }),
    summary: summary.nullish(),
    description: eventDescription.nullish(),
    visibility: visibility.optional(),
    locationId: z.uuid().optional().meta({ description: 'Where it takes place' }),
    resourceId: z
      .uuid()
      .nullish()
      .meta({ description: 'The room that the event occupies once it is published' }),
    startsAt: startsAt.optional(),
    endsAt: endsAt.optional(),
    tags: tags.optional().meta({ description: 'Replaces all tags' }),
    capacity: capacity
      .nullish()
      .meta({ description: 'At least the number of sold and held tickets' }),
    refundHours: refundHours.nullish().meta({
      description: 'Buyers can cancel for a refund until this many hours before the start',
    }),
    ...orderLimitFields,
  })
  .meta({
    description:
      'Omitted fields stay as they are. Null clears summary, description, resourceId, capacity and refundHours, and resets order limits to their defaults.',
  });

export const eventIdInput = z.object({ id: eventId });

export const cancelEventInput = z.object({
  id: eventId,
  reason: boundedText(500).optional().meta({ description: 'Part of the email to the buyers' }),
});

const ticketTypeId = anyId.meta({ description: 'The id of the ticket type' });
const name = singleLine(200).meta({ description: 'What buyers see, such as "Standard"' });
const description = boundedText(2_000).meta({ description: 'What the ticket includes' });
const salesStartAt = z.date().meta({ description: 'When the sale starts' });
const salesEndAt = z.date().meta({ description: 'When the sale ends' });
const quantity = z.int().min(1).max(1_000_000);
const maxPerOrder = z
  .int()
  .min(1)
  .max(100)
  .meta({ description: 'The maximum quantity in one order' });
const position = z
  .int()
  .min(0)
  .max(1_000_000)
  .meta({ description: 'Types are sorted by it, lowest first' });

export const createTicketTypeInput = z.object({
  eventId: z.uuid().meta({ description: 'The event of the tickets' }),
  name,
  description: description.optional(),
  price: moneyInput.meta({ description: '0 for a free registration' }),
  quantity: quantity
    .optional()
    .meta({ description: 'Default: limited only by the capacity of the event' }),
  salesStartAt: salesStartAt.optional(),
  salesEndAt: salesEndAt.optional(),
  maxPerOrder: maxPerOrder.default(10),
  audience: visibility.default('public').meta({ description: 'Who can buy it' }),
  position: position.optional().meta({ description: 'Default: after the others' }),
});

export const ticketTypeIdInput = z.object({ id: ticketTypeId });

export const updateTicketTypeInput = z
  .object({
    id: ticketTypeId,
    name: name.optional(),
    description: description.nullish(),
    price: moneyInput.optional().meta({ description: 'Ordered tickets keep their price' }),
    quantity: quantity
      .nullish()
      .meta({ description: 'At least the number of sold and held tickets' }),
    salesStartAt: salesStartAt.nullish(),
    salesEndAt: salesEndAt.nullish(),
    maxPerOrder: maxPerOrder.optional(),
    audience: visibility.optional().meta({ description: 'Who can buy it' }),
    position: position.optional(),
    active: z
      .boolean()
      .optional()
      .meta({ description: 'Whether tickets of this type are sold during the sales window' }),
  })
  .meta({
    description:
      'Omitted fields stay as they are. Null clears description, quantity and the sales window.',
  });
