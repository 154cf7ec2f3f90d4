import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { byItsName, paged } from '../../../graphql/pages.ts';
import {
  definite,
  emailAddress,
  line,
  slug,
  text,
  unlessNull,
  valid,
} from '../../../validation.ts';
import * as locations from './service.ts';

const READ = { access: 'spaces:read' } as const;
const WRITE = { access: 'spaces:write' } as const;

/** What other nouns say of it; the rest is loaded when it is asked for. */
type Brief = { id: string; name: string };

const of =
  <T>(pick: (location: locations.Location) => T) =>
  (it: Brief, _: unknown, { loaders }: GraphqlContext) =>
    'slug' in it ? pick(it as locations.Location) : loaders.location.load(it.id).then(pick);

export const Location = builder.objectRef<Brief>('Location');
Location.implement({
  description: 'A place with a time zone of its own',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    slug: t.string({ authScopes: READ, resolve: of((location) => location.slug) }),
    timeZone: t.string({
      description: 'IANA name',
      resolve: (it, args, context) =>
        'timeZone' in it
          ? String(it.timeZone)
          : of((location) => location.timeZone)(it, args, context),
    }),
    address: t.string({ nullable: true, resolve: of((location) => location.address) }),
    capacity: t.int({
      description: 'So many people at once; null: as many as come',
      nullable: true,
      authScopes: READ,
      resolve: of((location) => location.capacity),
    }),
    lookupNames: t.boolean({
      description: 'Whether the kiosk finds members by their names',
      authScopes: READ,
      resolve: of((location) => location.lookupNames),
    }),
    lookupNeedsKiosk: t.boolean({
      description: 'Only paired kiosks find members by their names',
      authScopes: READ,
      resolve: of((location) => location.lookupNeedsKiosk),
    }),
    hostEmail: t.string({
      description: 'Who is told of guests that have no host of their own',
      nullable: true,
      authScopes: READ,
      resolve: of((location) => location.hostEmail),
    }),
  }),
});

builder.queryField('locations', (t) =>
  t.connection({
    type: Location,
    authScopes: READ,
    ...paged(locations.locations, byItsName),
  }),
);

builder.queryField('location', (t) =>
  t.field({
    type: Location,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => locations.location(ctx, id),
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
    lookupNames: t.boolean(),
    lookupNeedsKiosk: t.boolean(),
    hostEmail: t.string(),
  }),
});

const name = line(200);
const timeZone = text(100);
const address = text(500);
const capacity = z.int().min(1).max(1_000_000);
const hostEmail = emailAddress.transform((given) => given.toLowerCase());

const createInput = z.object({
  name,
  slug,
  timeZone,
  address: address.optional(),
  capacity: capacity.optional(),
  lookupNames: z.boolean().optional(),
  lookupNeedsKiosk: z.boolean().optional(),
  hostEmail: hostEmail.optional(),
});

builder.mutationField('createLocation', (t) =>
  t.field({
    type: Location,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateLocationInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      locations.createLocation(ctx, valid(createInput, definite(input))),
  }),
);

const UpdateLocationInput = builder.inputType('UpdateLocationInput', {
  description: 'What is left out stays; null empties the address, the capacity and hostEmail',
  fields: (t) => ({
    name: t.string(),
    address: t.string(),
    capacity: t.int(),
    lookupNames: t.boolean(),
    lookupNeedsKiosk: t.boolean(),
    hostEmail: t.string(),
    timeZone: t.string({ description: 'IANA name; bookings keep their instants' }),
  }),
});

const changes = z.object({
  name: unlessNull(name),
  address: address.nullish(),
  capacity: capacity.nullish(),
  lookupNames: unlessNull(z.boolean()),
  lookupNeedsKiosk: unlessNull(z.boolean()),
  hostEmail: hostEmail.nullish(),
  timeZone: unlessNull(timeZone),
});

builder.mutationField('updateLocation', (t) =>
  t.field({
    type: Location,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateLocationInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      locations.updateLocation(ctx, id, valid(changes, input)),
  }),
);
