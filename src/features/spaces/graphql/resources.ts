import { z } from 'zod';
import { DAY_MINUTES } from '../../../core/time/time-zone.ts';
import {
  boundedText,
  moneyPerHourInput,
  omitNull,
  parseInput,
  slug,
} from '../../../core/validation.ts';
import { builder, Money, MoneyInput } from '../../../graphql/builder.ts';
import { paginateFilteredField, toNamePosition } from '../../../graphql/connections.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import {
  createResource,
  getResource,
  listResources,
  type Resource as ResourceValue,
  updateResource,
} from '../resources.ts';
import { RESOURCE_TYPES } from '../types.ts';
import { Location } from './locations.ts';

const READ = { access: 'spaces:read' } as const;

/** What other types provide; the remaining fields are loaded on demand. */
type ResourceSummary = { id: string; name: string };

/** A field that requires spaces:read. */
const resourceField = <T>(pick: (resource: ResourceValue) => T) => ({
  authScopes: READ,
  resolve: (summary: ResourceSummary, _: unknown, { loaders }: GraphqlContext) =>
    'slug' in summary
      ? pick(summary as ResourceValue)
      : loaders.resource.load(summary.id).then(pick),
});

export const ResourceType = builder.enumType('ResourceType', {
  values: {
    ROOM: { value: 'room' },
    DESK: { value: 'desk' },
    EQUIPMENT: { value: 'equipment' },
  } as const,
});

export const Resource = builder.objectRef<ResourceSummary>('Resource');
Resource.implement({
  description: 'A bookable room, desk or piece of equipment at a location',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    slug: t.string(resourceField((resource) => resource.slug)),
    type: t.field({ type: ResourceType, ...resourceField((resource) => resource.type) }),
    capacity: t.int(resourceField((resource) => resource.capacity)),
    location: t.field({ type: Location, ...resourceField((resource) => resource.location) }),
    pricePerHour: t.field({ type: Money, ...resourceField((resource) => resource.pricePerHour) }),
    minMinutes: t.int(resourceField((resource) => resource.minMinutes)),
    maxMinutes: t.int(resourceField((resource) => resource.maxMinutes)),
    gridMinutes: t.int({
      description:
        'Bookings start at multiples of this interval, counted from midnight in the time zone of the location, and last multiples of it',
      ...resourceField((resource) => resource.slotIntervalMinutes),
    }),
    bufferMinutes: t.int({
      description: 'Minutes that stay free after each booking',
      ...resourceField((resource) => resource.bufferMinutes),
    }),
    noticeMinutes: t.int({
      description: 'Minimum notice before the start of a booking',
      ...resourceField((resource) => resource.minNoticeMinutes),
    }),
    daysAhead: t.int({
      description: 'How many days in advance bookings can start',
      ...resourceField((resource) => resource.maxAdvanceDays),
    }),
    freeCancellationHours: t.int({
      description:
        'Cancelling is free until this long before the start. Later the price stays due.',
      ...resourceField((resource) => resource.freeCancellationHours),
    }),
    noShowMinutes: t.int({
      description:
        'Releases bookings whose holder has not checked in by this time after the start. null: never.',
      nullable: true,
      ...resourceField((resource) => resource.noShowMinutes),
    }),
    requiresApproval: t.boolean({
      description: 'Bookings by members need approval by staff',
      ...resourceField((resource) => resource.requiresApproval),
    }),
    amenities: t.stringList(resourceField((resource) => resource.amenities)),
    active: t.boolean(resourceField((resource) => resource.active)),
  }),
});

const ResourceFilter = builder.inputType('ResourceFilter', {
  fields: (t) => ({ locationId: t.id(), type: t.field({ type: ResourceType }) }),
});

const resourceFilter = z.object({
  locationId: z.uuid().optional(),
  type: z.enum(RESOURCE_TYPES).optional(),
});

builder.queryField('resources', (t) =>
  t.connection({
    type: Resource,
    authScopes: READ,
    args: { filter: t.arg({ type: ResourceFilter }) },
    ...paginateFilteredField(resourceFilter, listResources, toNamePosition),
  }),
);

builder.queryField('resource', (t) =>
  t.field({
    type: Resource,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => getResource(ctx, id),
  }),
);

const WRITE = { access: 'spaces:write' } as const;

const WEEK_MINUTES = 7 * DAY_MINUTES;
const YEAR_MINUTES = 365 * DAY_MINUTES;

const upTo = (max: number) => z.int().min(0).max(max);
const minutesUpTo = (max: number) => z.int().min(1).max(max);

const details = {
  name: boundedText(200),
  type: z.enum(RESOURCE_TYPES),
  capacity: z.int().min(1).max(1_000_000),
  amenities: z.array(boundedText(100)).max(100),
  pricePerHour: moneyPerHourInput,
  minMinutes: minutesUpTo(WEEK_MINUTES),
  maxMinutes: minutesUpTo(WEEK_MINUTES),
  gridMinutes: minutesUpTo(DAY_MINUTES),
  bufferMinutes: upTo(DAY_MINUTES),
  noticeMinutes: upTo(YEAR_MINUTES),
  daysAhead: upTo(3650),
  freeCancellationHours: upTo(YEAR_MINUTES / 60),
  requiresApproval: z.boolean(),
};
const noShowMinutes = minutesUpTo(DAY_MINUTES);

const CreateResourceInput = builder.inputType('CreateResourceInput', {
  fields: (t) => ({
    locationId: t.id({ required: true }),
    name: t.string({ required: true }),
    slug: t.string({ required: true }),
    type: t.field({ type: ResourceType, required: true }),
    capacity: t.int(),
    amenities: t.stringList(),
    pricePerHour: t.field({ type: MoneyInput }),
    minMinutes: t.int(),
    maxMinutes: t.int(),
    gridMinutes: t.int(),
    bufferMinutes: t.int(),
    noticeMinutes: t.int(),
    daysAhead: t.int(),
    freeCancellationHours: t.int(),
    noShowMinutes: t.int(),
    requiresApproval: t.boolean(),
  }),
});

const createInput = z.object({
  ...z.object(details).partial().shape,
  name: details.name,
  type: details.type,
  noShowMinutes: noShowMinutes.optional(),
  locationId: z.uuid(),
  slug,
});

/** Maps the API's field names to those of the service. */
const toDetails = <
  T extends {
    gridMinutes?: number | undefined;
    noticeMinutes?: number | undefined;
    daysAhead?: number | undefined;
  },
>({
  gridMinutes,
  noticeMinutes,
  daysAhead,
  ...input
}: T) => ({
  ...input,
  slotIntervalMinutes: gridMinutes,
  minNoticeMinutes: noticeMinutes,
  maxAdvanceDays: daysAhead,
});

builder.mutationField('createResource', (t) =>
  t.field({
    type: Resource,
    description: 'Creates a resource. Omitted booking rules get their defaults.',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateResourceInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createResource(ctx, toDetails(parseInput(createInput, omitNull(input)))),
  }),
);

const UpdateResourceInput = builder.inputType('UpdateResourceInput', {
  description: 'Omitted fields stay as they are; null clears noShowMinutes',
  fields: (t) => ({
    name: t.string(),
    type: t.field({ type: ResourceType }),
    capacity: t.int(),
    amenities: t.stringList(),
    pricePerHour: t.field({ type: MoneyInput }),
    minMinutes: t.int(),
    maxMinutes: t.int(),
    gridMinutes: t.int(),
    bufferMinutes: t.int(),
    noticeMinutes: t.int(),
    daysAhead: t.int(),
    freeCancellationHours: t.int(),
    noShowMinutes: t.int(),
    requiresApproval: t.boolean(),
    active: t.boolean({ description: 'Whether it can be booked' }),
  }),
});

const updateInput = z.object({ ...details, active: z.boolean() }).partial();

builder.mutationField('updateResource', (t) =>
  t.field({
    type: Resource,
    description: 'Updates a resource. Existing bookings stay.',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateResourceInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      updateResource(ctx, id, {
        ...toDetails(parseInput(updateInput, omitNull(input))),
        ...parseInput(z.object({ noShowMinutes: noShowMinutes.nullish() }), input),
      }),
  }),
);
