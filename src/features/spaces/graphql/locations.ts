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
import {
  createLocation,
  getLocation,
  type Location as LocationValue,
  listLocations,
  updateLocation,
} from '../locations.ts';

const READ = { access: 'spaces:read' } as const;
const WRITE = { access: 'spaces:write' } as const;

/** What other types provide; the remaining fields are loaded on demand. */
type LocationSummary = { id: string; name: string };

const loadLocationField =
  <T>(pick: (location: LocationValue) => T) =>
  (summary: LocationSummary, _: unknown, { loaders }: GraphqlContext) =>
    'slug' in summary
      ? pick(summary as LocationValue)
      : loaders.location.load(summary.id).then(pick);

export const Location = builder.objectRef<LocationSummary>('Location');
Location.implement({
  description: 'A building or site with its own time zone',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    slug: t.string({ authScopes: READ, resolve: loadLocationField((location) => location.slug) }),
    timeZone: t.string({
      description: 'IANA name',
      resolve: (summary, args, context) =>
        'timeZone' in summary
          ? String(summary.timeZone)
          : loadLocationField((location) => location.timeZone)(summary, args, context),
    }),
    address: t.string({
      nullable: true,
      resolve: loadLocationField((location) => location.address),
    }),
    capacity: t.int({
      description: 'How many people can be present at once. null: no limit.',
      nullable: true,
      authScopes: READ,
      resolve: loadLocationField((location) => location.capacity),
    }),
    lookupNames: t.boolean({
      description: 'Whether members can check in by searching their name',
      authScopes: READ,
      resolve: loadLocationField((location) => location.lookupNames),
    }),
    lookupNeedsKiosk: t.boolean({
      description: 'Whether only paired kiosks can search for names',
      authScopes: READ,
      resolve: loadLocationField((location) => location.lookupNeedsKiosk),
    }),
    hostEmail: t.string({
      description: 'Email address that is notified of guests without their own host',
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
    ...paginateField(listLocations, toNamePosition),
  }),
);

builder.queryField('location', (t) =>
  t.field({
    type: Location,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => getLocation(ctx, id),
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
const hostEmail = emailAddress.transform((address) => address.toLowerCase());

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
      createLocation(ctx, parseInput(createInput, omitNull(input))),
  }),
);

const UpdateLocationInput = builder.inputType('UpdateLocationInput', {
  description: 'Omitted fields stay as they are; null clears address, capacity and hostEmail',
  fields: (t) => ({
    name: t.string(),
    address: t.string(),
    capacity: t.int(),
    lookupNames: t.boolean(),
    lookupNeedsKiosk: t.boolean(),
    hostEmail: t.string(),
    timeZone: t.string({ description: 'IANA name. Bookings keep their instants.' }),
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
    resolve: (_, { id, input }, { ctx }) => updateLocation(ctx, id, parseInput(updateInput, input)),
  }),
);
