import { z } from 'zod';
import { isUuid } from '../../../core/ids.ts';
import {
  boundedText,
  ignoreNull,
  omitNull,
  parseInput,
  singleLine,
  slug,
} from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import { createLimits, limitInputFields, updateLimits } from '../../order-limits/graphql.ts';
import { cancelEvent, createEvent, deleteEvent, publishEvent, updateEvent } from '../service.ts';
import { EVENT_VISIBILITIES } from '../types.ts';
import { Event, EventVisibility } from './events.ts';

const WRITE = { access: 'events:write' } as const;

const CreateEventInput = builder.inputType('CreateEventInput', {
  fields: (t) => ({
    title: t.string({ required: true }),
    slug: t.string({ description: 'Default: made from the title' }),
    summary: t.string(),
    description: t.string(),
    visibility: t.field({ type: EventVisibility, defaultValue: 'public' }),
    locationId: t.id({ required: true }),
    resourceId: t.id({ description: 'The room that the event occupies once it is published' }),
    startsAt: t.field({ type: 'DateTime', required: true }),
    endsAt: t.field({ type: 'DateTime', required: true }),
    tags: t.stringList(),
    capacity: t.int({ description: 'Default: unlimited' }),
    refundHours: t.int({
      description:
        'Buyers can cancel for a refund until this many hours before the start. Default: no refunds.',
    }),
    ...limitInputFields(t),
  }),
});

const eventDetails = {
  title: singleLine(200),
  slug: slug.refine((text) => !isUuid(text), 'must not look like an id'),
  visibility: z.enum(EVENT_VISIBILITIES),
  locationId: z.uuid(),
  startsAt: z.date(),
  endsAt: z.date(),
  tags: z
    .array(boundedText(100))
    .max(50)
    .transform((tags) => [...new Set(tags.map((tag) => tag.toLowerCase()))]),
};

/** The optional fields of an event. */
const optionalEventDetails = {
  summary: boundedText(500),
  description: boundedText(20_000),
  resourceId: z.uuid(),
  capacity: z.int().min(1).max(1_000_000),
  refundHours: z
    .int()
    .min(0)
    .max(366 * 24),
};

const createEventInput = z
  .object({ ...eventDetails, ...optionalEventDetails, ...createLimits })
  .partial()
  .required({ title: true, locationId: true, startsAt: true, endsAt: true });

builder.mutationField('createEvent', (t) =>
  t.field({
    type: Event,
    description: 'Creates a draft, which only callers with events:read see',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateEventInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createEvent(ctx, parseInput(createEventInput, omitNull(input))),
  }),
);

const UpdateEventInput = builder.inputType('UpdateEventInput', {
  description:
    'Omitted fields stay as they are. Null clears summary, description, resourceId, capacity and refundHours, and resets order limits to their defaults.',
  fields: (t) => ({
    title: t.string(),
    slug: t.string(),
    summary: t.string(),
    description: t.string(),
    visibility: t.field({ type: EventVisibility }),
    locationId: t.id(),
    resourceId: t.id(),
    startsAt: t.field({ type: 'DateTime' }),
    endsAt: t.field({ type: 'DateTime' }),
    tags: t.stringList({ description: 'Replaces all tags' }),
    capacity: t.int({ description: 'At least the number of sold and held tickets' }),
    refundHours: t.int(),
    ...limitInputFields(t),
  }),
});

const updateEventInput = z.object({
  title: ignoreNull(eventDetails.title),
  slug: ignoreNull(eventDetails.slug),
  visibility: ignoreNull(eventDetails.visibility),
  locationId: ignoreNull(eventDetails.locationId),
  startsAt: ignoreNull(eventDetails.startsAt),
  endsAt: ignoreNull(eventDetails.endsAt),
  tags: ignoreNull(eventDetails.tags),
  summary: optionalEventDetails.summary.nullish(),
  description: optionalEventDetails.description.nullish(),
  resourceId: optionalEventDetails.resourceId.nullish(),
  capacity: optionalEventDetails.capacity.nullish(),
  refundHours: optionalEventDetails.refundHours.nullish(),
  ...updateLimits,
});

builder.mutationField('updateEvent', (t) =>
  t.field({
    type: Event,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateEventInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      updateEvent(ctx, id, parseInput(updateEventInput, input)),
  }),
);

builder.mutationField('publishEvent', (t) =>
  t.field({
    type: Event,
    description: 'Publishes a draft. A published event stays as it is.',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => publishEvent(ctx, id),
  }),
);

const cancelEventInput = z.object({ reason: boundedText(500).nullish() });

builder.mutationField('cancelEvent', (t) =>
  t.field({
    type: Event,
    description:
      'Cancels an event, refunds its orders and emails the buyers. A cancelled event stays as it is.',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }), reason: t.arg.string() },
    resolve: (_, { id, ...args }, { ctx }) =>
      cancelEvent(ctx, id, parseInput(cancelEventInput, args).reason ?? null),
  }),
);

builder.mutationField('deleteEvent', (t) =>
  t.field({
    type: Event,
    description: 'Deletes a draft without orders and returns it',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteEvent(ctx, id),
  }),
);
