import { notFound } from '../../../errors.ts';
import { builder, createInputType, Money } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import {
  getOrderEnum,
  listField,
  relationField,
  selectById,
} from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { createResourceInput, resourceFilter, updateResourceInput } from '../inputs.ts';
import {
  createResource,
  getResource,
  type Resource as ResourceValue,
  resourceList,
  updateResource,
} from '../resources.ts';
import { toResourceProjection } from '../types.ts';
import { Location } from './locations.ts';

const READ = { access: 'spaces:read' } as const;

/** The fields that other types provide. The others are loaded on demand. */
type ResourceSummary = { id: string; name: string };

/** A field that requires spaces:read and returns this property. */
const resourceField = <Key extends keyof ResourceValue>(reads: Key) => ({
  authScopes: READ,
  extensions: { reads },
  resolve: async (summary: ResourceSummary, _: unknown, { lists }: GraphqlContext) => {
    const resource = isResource(summary) ? summary : await lists.loadRow(resourceList, summary.id);
    if (resource === null) throw notFound('resource');
    return resource[reads];
  },
});

const isResource = (summary: ResourceSummary): summary is ResourceValue => 'slug' in summary;

export const ResourceType = builder.enumType('ResourceType', {
  description: 'What kind of thing a resource is',
  values: {
    ROOM: { value: 'room', description: 'A room for a group, such as a meeting room' },
    DESK: { value: 'desk', description: 'A place to work' },
    EQUIPMENT: {
      value: 'equipment',
      description: 'Something to use or take along, such as a projector',
    },
  } as const,
});

export const Resource = builder.objectRef<ResourceSummary>('Resource');
Resource.implement({
  description: 'A bookable room, desk or piece of equipment at a location',
  extensions: { projection: toResourceProjection },
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifies the resource in both APIs' }),
    name: t.exposeString('name', { description: 'The name that members see' }),
    slug: t.string({
      description: 'The name in URLs, unique at its location',
      ...resourceField('slug'),
    }),
    type: t.field({
      type: ResourceType,
      description: 'Which benefits of plans apply to it',
      ...resourceField('type'),
    }),
    capacity: t.int({ description: 'How many people it is for', ...resourceField('capacity') }),
    location: t.field({ type: Location, description: 'Where it is', ...resourceField('location') }),
    pricePerHour: t.field({
      type: Money,
      description: 'The public price of one hour, before discounts of plans',
      ...resourceField('pricePerHour'),
    }),
    minMinutes: t.int({
      description: 'The shortest booking in minutes',
      ...resourceField('minMinutes'),
    }),
    maxMinutes: t.int({
      description: 'The longest booking in minutes',
      ...resourceField('maxMinutes'),
    }),
    gridMinutes: t.int({
      description:
        'Bookings start at multiples of this interval, counted from midnight in the time zone of the location, and last a multiple of it. 1440 books whole days, from midnight to midnight.',
      ...resourceField('slotIntervalMinutes'),
    }),
    bufferMinutes: t.int({
      description: 'Minutes that are kept free after each booking',
      ...resourceField('bufferMinutes'),
    }),
    noticeMinutes: t.int({
      description: 'How many minutes in advance a booking must be made',
      ...resourceField('minNoticeMinutes'),
    }),
    daysAhead: t.int({
      description:
        'How many days in advance bookings can start, for everyone but staff and tokens that override it',
      ...resourceField('maxAdvanceDays'),
    }),
    freeCancellationHours: t.int({
      description:
        'Bookings can be cancelled free of charge until this many hours before the start. After that, the full price is charged.',
      ...resourceField('freeCancellationHours'),
    }),
    noShowMinutes: t.int({
      description:
        'Bookings without a check-in are released this many minutes after the start. null: never.',
      nullable: true,
      ...resourceField('noShowMinutes'),
    }),
    requiresApproval: t.boolean({
      description: 'Bookings by members need approval by staff',
      ...resourceField('requiresApproval'),
    }),
    amenities: t.stringList({
      description: 'What it offers, such as Whiteboard',
      ...resourceField('amenities'),
    }),
    active: t.boolean({
      description: 'Whether it can be booked at present',
      ...resourceField('active'),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the resource was created',
      ...resourceField('createdAt'),
    }),
  }),
});

const ResourceFilter = createInputType('ResourceFilter', resourceFilter);
const ResourceOrder = getOrderEnum('Resource', resourceList);

builder.queryField('resources', (t) =>
  t.connection({
    type: Resource,
    description: 'Resources, sorted by name',
    authScopes: READ,
    args: {
      filter: t.arg({ type: ResourceFilter, description: 'Which resources to list' }),
      orderBy: t.arg({ type: ResourceOrder, description: 'Default: NAME_ASC' }),
    },
    ...listField(resourceList),
  }),
);

builder.objectField(Location, 'resources', (t) =>
  t.connection({
    type: Resource,
    description: 'Its resources, sorted by name',
    authScopes: READ,
    args: {
      filter: t.arg({ type: ResourceFilter, description: 'Which resources to list' }),
      orderBy: t.arg({ type: ResourceOrder, description: 'Default: NAME_ASC' }),
    },
    ...relationField(resourceList, (row, location) => `${row}.location_id = ${location}`),
  }),
);

builder.queryField('resource', (t) =>
  t.field({
    type: Resource,
    description: 'Gets a resource',
    authScopes: READ,
    args: { id: t.arg.id({ description: 'The id of the resource', required: true }) },
    extensions: { row: selectById(resourceList) },
    resolve: (_, { id }, { ctx }) => getResource(ctx, id),
  }),
);

addMutation('createResource', {
  description: 'Creates a resource. Omitted booking rules get their defaults.',
  access: 'spaces:write',
  input: createResourceInput,
  payload: { resource: { type: Resource, description: 'The new resource' } },
  resolve: async (input, { ctx }) => ({ resource: await createResource(ctx, input) }),
});

addMutation('updateResource', {
  description: 'Updates a resource. Existing bookings do not change.',
  access: 'spaces:write',
  input: updateResourceInput,
  payload: { resource: { type: Resource, description: 'The changed resource' } },
  resolve: async ({ id, ...change }, { ctx }) => ({
    resource: await updateResource(ctx, id, change),
  }),
});
