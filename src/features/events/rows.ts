import { z } from 'zod';
import { isUuid } from '../../core/ids.ts';
import { boundedText, singleLine, slug, uuid } from '../../core/validation.ts';
import type { Event, TicketType } from '../../db/generated/client.ts';
import { createdAt, hideColumns, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';
import { orderLimitColumns } from '../order-limits/rows.ts';

export const EVENT_STATUSES = ['draft', 'published', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The audience of an event or a ticket type. */
export const EVENT_VISIBILITIES = ['public', 'members'] as const;
export type EventVisibility = (typeof EVENT_VISIBILITIES)[number];

const FOR_EVENT_READERS = 'Shown to callers with events:read';

export const EVENT_LIMITS = {
  titleLength: 200,
  descriptionLength: 20_000,
  tagLength: 100,
  tags: 50,
};

export const eventRow = {
  table: 'events',
  columns: {
    id: rowId('Identifies the event in both APIs'),
    slug: {
      schema: slug.refine((text) => !isUuid(text), 'must not look like an id'),
      description:
        'The last part of its URL, by which event finds it. Default: made from the title.',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    title: {
      schema: singleLine(EVENT_LIMITS.titleLength),
      description: 'The title on pages, tickets and displays, on one line',
      create: 'required',
      update: true,
      erasure: 'content',
    },
    summary: {
      schema: boundedText(500).nullable(),
      description: 'One or two sentences for lists',
      whenNull: 'null if there are none',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    description: {
      schema: boundedText(EVENT_LIMITS.descriptionLength).nullable(),
      description: 'The long text on its page',
      whenNull: 'null if there is none',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    status: {
      schema: z.enum(EVENT_STATUSES),
      description: 'Whether it is a draft, published or cancelled',
    },
    visibility: {
      schema: z.enum(EVENT_VISIBILITIES),
      description: 'Who can see it and order tickets once it is published',
      create: 'optional',
      update: true,
    },
    locationId: {
      hidden: 'Shown as location',
      schema: uuid,
      description: 'Where it takes place',
      create: 'required',
      update: true,
      journal: true,
    },
    resourceId: {
      hidden: 'Shown as resource',
      schema: uuid.nullable(),
      description: 'The room that the event occupies once it is published',
      whenNull: 'null if it occupies none',
      create: 'optional',
      update: true,
      journal: true,
    },
    startsAt: {
      schema: z.date(),
      description: 'When it starts',
      create: 'required',
      update: true,
    },
    endsAt: { schema: z.date(), description: 'When it ends', create: 'required', update: true },
    tags: {
      schema: z
        .array(singleLine(EVENT_LIMITS.tagLength))
        .max(EVENT_LIMITS.tags)
        .transform((tags) => [...new Set(tags.map((tag) => tag.toLowerCase()))]),
      description: 'Words by which visitors filter events, in lower case',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    capacity: {
      schema: z.int().min(1).max(1_000_000).nullable(),
      description:
        'How many people can attend, over all ticket types: at least the number of sold and held tickets',
      whenNull: 'null if unlimited',
      create: 'optional',
      update: true,
    },
    reservedCount: { hidden: FOR_EVENT_READERS },
    offersPending: { hidden: 'Whether the waiting list still gets its offers' },
    refundHours: {
      schema: z
        .int()
        .min(0)
        .max(366 * 24)
        .nullable(),
      description: 'Buyers can cancel for a refund until this many hours before the start',
      whenNull: 'null for no refunds',
      create: 'optional',
      update: true,
    },
    ...hideColumns(orderLimitColumns, 'Shown as orderLimits'),
    importUid: {
      hidden: 'Identifies the calendar entry that it was imported from',
      erasure: 'technical',
    },
    importRevision: { hidden: 'Says whether only imports have written it' },
    publishedAt: {
      schema: z.date().nullable(),
      description: 'When it was published',
      whenNull: 'null for drafts',
      journal: false,
    },
    cancelledAt: {
      schema: z.date().nullable(),
      description: 'When it was cancelled',
      whenNull: 'null if it was not',
      journal: false,
    },
    cancelReason: {
      schema: z.string().nullable(),
      description: 'Why it was cancelled, as buyers see it',
      whenNull: 'null if no reason was given',
      erasure: 'content',
    },
    createdAt: createdAt('When the draft was created'),
    updatedAt: updatedAt('events:read'),
  },
} as const satisfies RowDescription<Event>;

export const ticketTypeRow = {
  table: 'ticket_types',
  columns: {
    id: rowId('Identifies the type in orders'),
    eventId: {
      hidden: 'Its event is the one that lists it',
      schema: uuid,
      description: 'The event of the tickets',
      create: 'required',
      journal: true,
    },
    name: {
      schema: singleLine(200),
      description: 'The name that buyers see, such as "Standard"',
      create: 'required',
      update: true,
      erasure: 'content',
    },
    description: {
      schema: boundedText(2_000).nullable(),
      description: 'What the ticket includes',
      whenNull: 'null if there is no description',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    position: {
      schema: z.int().min(0).max(1_000_000),
      description:
        'The types of an event are sorted by this number, lowest first. Default: after the others.',
      create: 'optional',
      update: true,
    },
    priceAmount: {
      hidden: 'Shown as price',
      schema: z.int(),
      description: 'The price of one ticket',
      journal: true,
    },
    priceCurrency: {
      hidden: 'Shown as price',
      schema: z.string(),
      journal: true,
      erasure: 'technical',
    },
    quantity: {
      hidden: FOR_EVENT_READERS,
      schema: z.int().min(1).max(1_000_000).nullable(),
      description: 'How many can be sold: at least the number of sold and held tickets',
      whenNull: 'null if only the capacity of the event limits it',
      create: 'optional',
      update: true,
      journal: true,
    },
    reservedCount: { hidden: FOR_EVENT_READERS },
    salesStartAt: {
      schema: z.date().nullable(),
      description: 'When the sale starts',
      whenNull: 'null if it starts when the event is published',
      create: 'optional',
      update: true,
    },
    salesEndAt: {
      schema: z.date().nullable(),
      description: 'When the sale ends',
      whenNull: 'null if only the event ends it',
      create: 'optional',
      update: true,
    },
    maxPerOrder: {
      schema: z.int().min(1).max(100),
      description: 'The maximum quantity in one order',
      create: 'optional',
      update: true,
    },
    audience: {
      schema: z.enum(EVENT_VISIBILITIES),
      description: 'Who can buy it',
      create: 'optional',
      update: true,
    },
    active: {
      hidden: FOR_EVENT_READERS,
      schema: z.boolean(),
      description: 'Whether tickets of this type are sold during the sales window',
      update: true,
      journal: true,
    },
    createdAt: { hidden: 'No API shows it' },
    updatedAt: updatedAt('events:read'),
  },
} as const satisfies RowDescription<TicketType>;
