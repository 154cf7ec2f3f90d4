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
import * as resources from '../resources.ts';
import { createResource, updateResource } from '../resources.ts';
import { RESOURCE_TYPES } from '../types.ts';
import { Location } from './locations.ts';

const READ = { access: 'spaces:read' } as const;

/** What other nouns say of it; the rest is loaded when it is asked for. */
type ResourceSummary = { id: string; name: string };

/** A field for who may read spaces. */
const resourceField = <T>(pick: (resource: resources.Resource) => T) => ({
  authScopes: READ,
  resolve: (it: ResourceSummary, _: unknown, { loaders }: GraphqlContext) =>
    'slug' in it ? pick(it as resources.Resource) : loaders.resource.load(it.id).then(pick),
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
  description: 'Something bookable at a location',
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
      description: 'Bookings begin on it, by the wall clock, and last multiples of it',
      ...resourceField((resource) => resource.slotIntervalMinutes),
    }),
    bufferMinutes: t.int({
      description: 'Kept free after a booking',
      ...resourceField((resource) => resource.bufferMinutes),
    }),
    noticeMinutes: t.int({
      description: 'Booked at least so long before',
      ...resourceField((resource) => resource.minNoticeMinutes),
    }),
    daysAhead: t.int({
      description: 'Booked at most so long before',
      ...resourceField((resource) => resource.maxAdvanceDays),
    }),
    freeCancellationHours: t.int({
      description: 'Before the start; later the price stays due',
      ...resourceField((resource) => resource.freeCancellationHours),
    }),
    noShowMinutes: t.int({
      description: 'Who has not arrived by then loses the booking; null: nobody does',
      nullable: true,
      ...resourceField((resource) => resource.noShowMinutes),
    }),
    requiresApproval: t.boolean({
      description: "Members' bookings wait for staff",
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
    ...paginateFilteredField(resourceFilter, resources.listResources, toNamePosition),
  }),
);

builder.queryField('resource', (t) =>
  t.field({
    type: Resource,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => resources.getResource(ctx, id),
  }),
);

const WRITE = { access: 'spaces:write' } as const;

const WEEK_MINUTES = 7 * DAY_MINUTES;
const YEAR_MINUTES = 365 * DAY_MINUTES;

const upTo = (most: number) => z.int().min(0).max(most);
const minutesUpTo = (most: number) => z.int().min(1).max(most);

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

/** Input as the service names it. */
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
    description: 'Minutes are whole. Rules that are left out are the usual ones.',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateResourceInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createResource(ctx, toDetails(parseInput(createInput, omitNull(input)))),
  }),
);

const UpdateResourceInput = builder.inputType('UpdateResourceInput', {
  description: 'What is left out stays; null empties noShowMinutes',
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
    description: 'Bookings that were made by the former rules stay',
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
