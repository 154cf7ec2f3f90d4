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
import { showFields } from '../../../graphql/row-fields.ts';
import {
  createResourceInput,
  createResourcesInput,
  resourceFilter,
  resourceVersionInput,
  updateResourceInput,
  updateResourcesInput,
} from '../inputs.ts';
import { resourceRow } from '../rows.ts';
import { createResources, updateResources } from '../service/resource-batches.ts';
import {
  createResource,
  getResource,
  type Resource as ResourceValue,
  resourceList,
  updateResource,
} from '../service/resources.ts';
import { toResourceProjection } from '../types.ts';
import { Location } from './locations.ts';

const READ = { access: 'spaces:read' } as const;

/** The fields that other types provide. The others are loaded on demand. */
type ResourceSummary = { id: string; name: string };

/** Loads the fields that other types do not provide. */
async function loadResource(
  { id }: ResourceSummary,
  { lists }: GraphqlContext,
): Promise<ResourceValue> {
  const resource = await lists.loadRow(resourceList, id);
  if (resource === null) throw notFound('resource');
  return resource;
}

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
    ...showFields(t, resourceRow, { load: loadResource }),
    location: t.field({
      type: Location,
      description: 'Where it is',
      authScopes: READ,
      extensions: { reads: 'location' },
      resolve: async (resource, _, context) =>
        (isResource(resource) ? resource : await loadResource(resource, context)).location,
    }),
    pricePerHour: t.field({
      type: Money,
      description: 'The public price of one hour, before discounts of plans',
      authScopes: READ,
      extensions: { reads: 'pricePerHour' },
      resolve: async (resource, _, context) =>
        (isResource(resource) ? resource : await loadResource(resource, context)).pricePerHour,
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
  description:
    'Creates a resource. Omitted booking rules get their defaults: a desk can be booked for a day, others for eight hours.',
  access: 'spaces:write',
  input: createResourceInput,
  payload: { resource: { type: Resource, description: 'The new resource' } },
  creates: { resource: resourceList },
  resolve: async (input, { ctx }) => ({ resource: await createResource(ctx, input) }),
});

addMutation('updateResource', {
  description: 'Updates a resource. Existing bookings do not change.',
  access: 'spaces:write',
  input: updateResourceInput,
  takesVersion: true,
  payload: { resource: { type: Resource, description: 'The changed resource' } },
  resolve: async ({ id, ...change }, { ctx }) => ({
    resource: await updateResource(ctx, id, change),
  }),
});

addMutation('createResources', {
  description:
    'Creates numbered resources that are the same otherwise, such as Desk 01 to Desk 60: all or none',
  access: 'spaces:write',
  input: createResourcesInput,
  payload: { resources: { type: [Resource], description: 'The new resources, by number' } },
  creates: { resources: resourceList },
  resolve: async (input, { ctx }) => ({ resources: await createResources(ctx, input) }),
});

createInputType('ResourceVersionInput', resourceVersionInput);

addMutation('updateResources', {
  description:
    'Makes the same changes to several resources: to all or none. Existing bookings do not change.',
  access: 'spaces:write',
  input: updateResourcesInput,
  payload: {
    resources: { type: [Resource], description: 'The changed resources, as in the input' },
  },
  resolve: async (input, { ctx }) => ({ resources: await updateResources(ctx, input) }),
});
