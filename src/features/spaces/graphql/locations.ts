import { z } from 'zod';
import {
  boundedText,
  emailAddress,
  ignoreNull,
  omitNull,
  parseInput,
  singleLine,
  slug,
} from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import { paginateField, toNamePosition } from '../../../graphql/connections.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import * as locations from '../locations.ts';

const READ = { access: 'spaces:read' } as const;
const WRITE = { access: 'spaces:write' } as const;

/** What other nouns say of it; the rest is loaded when it is asked for. */
type LocationSummary = { id: string; name: string };

const loadLocationField =
  <T>(pick: (location: locations.Location) => T) =>
  (it: LocationSummary, _: unknown, { loaders }: GraphqlContext) =>
    'slug' in it ? pick(it as locations.Location) : loaders.location.load(it.id).then(pick);

export const Location = builder.objectRef<LocationSummary>('Location');
Location.implement({
  description: 'A place with a time zone of its own',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    slug: t.string({ authScopes: READ, resolve: loadLocationField((location) => location.slug) }),
    timeZone: t.string({
      description: 'IANA name',
      resolve: (it, args, context) =>
        'timeZone' in it
          ? String(it.timeZone)
          : loadLocationField((location) => location.timeZone)(it, args, context),
    }),
    address: t.string({
      nullable: true,
      resolve: loadLocationField((location) => location.address),
    }),
    capacity: t.int({
      description: 'So many people at once; null: as many as come',
      nullable: true,
      authScopes: READ,
      resolve: loadLocationField((location) => location.capacity),
    }),
    lookupNames: t.boolean({
      description: 'Whether the kiosk finds members by their names',
      authScopes: READ,
      resolve: loadLocationField((location) => location.lookupNames),
    }),
    lookupNeedsKiosk: t.boolean({
      description: 'Only paired kiosks find members by their names',
      authScopes: READ,
      resolve: loadLocationField((location) => location.lookupNeedsKiosk),
    }),
    hostEmail: t.string({
      description: 'Who is told of guests that have no host of their own',
      nullable: true,
      authScopes: READ,
      resolve: loadLocationField((location) => location.hostEmail),
    }),
  }),
});

builder.queryField('locations', (t) =>
  t.connection({
    type: Location,
    authScopes: READ,
    ...paginateField(locations.listLocations, toNamePosition),
  }),
);

builder.queryField('location', (t) =>
  t.field({
    type: Location,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => locations.getLocation(ctx, id),
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

const name = singleLine(200);
const timeZone = boundedText(100);
const address = boundedText(500);
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
      locations.createLocation(ctx, parseInput(createInput, omitNull(input))),
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

const updateInput = z.object({
  name: ignoreNull(name),
  address: address.nullish(),
  capacity: capacity.nullish(),
  lookupNames: ignoreNull(z.boolean()),
  lookupNeedsKiosk: ignoreNull(z.boolean()),
  hostEmail: hostEmail.nullish(),
  timeZone: ignoreNull(timeZone),
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
      locations.updateLocation(ctx, id, parseInput(updateInput, input)),
  }),
);
