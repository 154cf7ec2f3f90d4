import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import type { GraphqlContext } from '../../graphql/context.ts';
import { Money, MoneyInput } from '../../graphql/money.ts';
import { byItsName, connection, pageComplexity, pageRequest } from '../../graphql/pages.ts';
import { definite, slug, text, valid } from '../../validation.ts';
import * as spaces from './service.ts';

const READ = { access: 'spaces:read' } as const;
const WRITE = { access: 'spaces:write' } as const;

/** What other nouns say of it; the rest is loaded when it is asked for. */
type Brief = { id: string; name: string };

const ofLocation =
  <T>(pick: (location: spaces.Location) => T) =>
  (it: Brief, _: unknown, { loaders }: GraphqlContext) =>
    'slug' in it ? pick(it as spaces.Location) : loaders.location.load(it.id).then(pick);

const ofResource =
  <T>(pick: (resource: spaces.Resource) => T) =>
  (it: Brief, _: unknown, { loaders }: GraphqlContext) =>
    'slug' in it ? pick(it as spaces.Resource) : loaders.resource.load(it.id).then(pick);

export const Location = builder.objectRef<Brief>('Location');
Location.implement({
  description: 'A place with a time zone of its own',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    slug: t.string({ authScopes: READ, resolve: ofLocation((location) => location.slug) }),
    timeZone: t.string({
      description: 'IANA name',
      resolve: (it, args, context) =>
        'timeZone' in it
          ? String(it.timeZone)
          : ofLocation((location) => location.timeZone)(it, args, context),
    }),
    address: t.string({
      nullable: true,
      resolve: ofLocation((location) => location.address),
    }),
    capacity: t.int({
      nullable: true,
      authScopes: READ,
      resolve: ofLocation((location) => location.capacity),
    }),
  }),
});

export const ResourceType = builder.enumType('ResourceType', {
  values: {
    ROOM: { value: 'room' },
    DESK: { value: 'desk' },
    EQUIPMENT: { value: 'equipment' },
  } as const,
});

export const Resource = builder.objectRef<Brief>('Resource');
Resource.implement({
  description: 'Something bookable at a location',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    slug: t.string({ authScopes: READ, resolve: ofResource((resource) => resource.slug) }),
    type: t.field({
      type: ResourceType,
      authScopes: READ,
      resolve: ofResource((resource) => resource.type),
    }),
    capacity: t.int({ authScopes: READ, resolve: ofResource((resource) => resource.capacity) }),
    location: t.field({
      type: Location,
      authScopes: READ,
      resolve: ofResource((resource) => resource.location),
    }),
    pricePerHour: t.field({
      type: Money,
      authScopes: READ,
      resolve: ofResource((resource) => resource.pricePerHour),
    }),
    minMinutes: t.int({ authScopes: READ, resolve: ofResource((resource) => resource.minMinutes) }),
    maxMinutes: t.int({ authScopes: READ, resolve: ofResource((resource) => resource.maxMinutes) }),
    bufferMinutes: t.int({
      authScopes: READ,
      resolve: ofResource((resource) => resource.bufferMinutes),
    }),
    amenities: t.stringList({
      authScopes: READ,
      resolve: ofResource((resource) => resource.amenities),
    }),
    active: t.boolean({ authScopes: READ, resolve: ofResource((resource) => resource.active) }),
  }),
});

builder.queryField('locations', (t) =>
  t.connection({
    type: Location,
    authScopes: READ,
    complexity: pageComplexity,
    resolve: async (_, args, { ctx }) =>
      connection(await spaces.locations(ctx, pageRequest(args)), byItsName, args.after),
  }),
);

const ResourceFilter = builder.inputType('ResourceFilter', {
  fields: (t) => ({ locationId: t.id(), type: t.field({ type: ResourceType }) }),
});

const resourceFilter = z.object({
  locationId: z.uuid().optional(),
  type: z.enum(['room', 'desk', 'equipment']).optional(),
});

builder.queryField('resources', (t) =>
  t.connection({
    type: Resource,
    authScopes: READ,
    complexity: pageComplexity,
    args: { filter: t.arg({ type: ResourceFilter }) },
    resolve: async (_, args, { ctx }) => {
      const filter = valid(resourceFilter, definite(args.filter));
      return connection(
        await spaces.resources(ctx, filter, pageRequest(args)),
        byItsName,
        args.after,
      );
    },
  }),
);

const CreateLocationInput = builder.inputType('CreateLocationInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    slug: t.string({
      required: true,
      description: 'For addresses and the command line: lower case, digits, dashes',
    }),
    timeZone: t.string({ required: true, description: 'IANA name, such as Europe/Berlin' }),
    address: t.string(),
    capacity: t.int(),
  }),
});

const locationInput = z.object({
  name: text(200),
  slug,
  timeZone: text(100),
  address: text(500).optional(),
  capacity: z.int().min(1).optional(),
});

builder.mutationField('createLocation', (t) =>
  t.field({
    type: Location,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateLocationInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      spaces.createLocation(ctx, valid(locationInput, definite(input))),
  }),
);

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
    bufferMinutes: t.int(),
  }),
});

const resourceInput = z
  .object({
    locationId: z.uuid(),
    name: text(200),
    slug,
    type: z.enum(['room', 'desk', 'equipment']),
    capacity: z.int().min(1).optional(),
    amenities: z.array(text(100)).max(100).optional(),
    pricePerHour: z
      .object({ amount: z.int().min(0), currency: z.string().regex(/^[A-Z]{3}$/) })
      .optional(),
    minMinutes: z.int().min(1).default(30),
    maxMinutes: z.int().min(1).default(480),
    bufferMinutes: z.int().min(0).optional(),
  })
  .refine((input) => input.minMinutes <= input.maxMinutes, {
    path: ['maxMinutes'],
    message: 'must not be below minMinutes',
  });

builder.mutationField('createResource', (t) =>
  t.field({
    type: Resource,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateResourceInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      spaces.createResource(ctx, valid(resourceInput, definite(input))),
  }),
);
