import { notFound } from '../../../errors.ts';
import { builder, createInputType } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { getOrderEnum, listField, selectById } from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { createLocationInput, locationFilter, updateLocationInput } from '../inputs.ts';
import {
  createLocation,
  getLocation,
  type Location as LocationValue,
  locationList,
  updateLocation,
} from '../locations.ts';
import { toLocationProjection, toLookupAccess } from '../types.ts';

const READ = { access: 'spaces:read' } as const;
/** The fields that other types provide. The others are loaded on demand. */
type LocationSummary = { id: string; name: string };

/** A field that returns this property. */
const locationField = <Key extends keyof LocationValue>(reads: Key) => ({
  extensions: { reads },
  resolve: async (summary: LocationSummary, _: unknown, { lists }: GraphqlContext) =>
    (await loadLocation(summary, reads, lists))[reads],
});

async function loadLocation<Key extends keyof LocationValue>(
  summary: LocationSummary,
  key: Key,
  lists: GraphqlContext['lists'],
): Promise<Pick<LocationValue, Key>> {
  const location = hasProperty(summary, key)
    ? summary
    : await lists.loadRow(locationList, summary.id);
  if (location === null) throw notFound('location');
  return location;
}

const hasProperty = <Key extends keyof LocationValue>(
  summary: LocationSummary,
  key: Key,
): summary is LocationSummary & Pick<LocationValue, Key> => key in summary;

export const LookupAccess = builder.enumType('LookupAccess', {
  description: 'Who may look members up and check them in by handle; codes work for everyone',
  values: {
    PUBLIC: {
      value: 'public',
      description:
        'Everyone, also over the internet. Without a paired kiosk, a check-in by handle stays unconfirmed, and one client address finds about 40 members by name a day.',
    },
    KIOSKS: { value: 'kiosks', description: 'The paired kiosks of the location, and staff' },
  } as const,
});

export const Location = builder.objectRef<LocationSummary>('Location');
Location.implement({
  description: 'A building or site with its own time zone',
  extensions: { projection: toLocationProjection },
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifies the location in both APIs' }),
    name: t.exposeString('name', { description: 'The name that visitors see' }),
    slug: t.string({
      description: 'The name in URLs and on the command line',
      authScopes: READ,
      ...locationField('slug'),
    }),
    timeZone: t.string({
      description: 'IANA name',
      ...locationField('timeZone'),
    }),
    address: t.string({
      description: 'The postal address; null if it has none',
      nullable: true,
      ...locationField('address'),
    }),
    capacity: t.int({
      description: 'How many people can be present at once. null: no limit.',
      nullable: true,
      authScopes: READ,
      ...locationField('capacity'),
    }),
    lookupNames: t.boolean({
      description: 'Whether members can check in by searching their name',
      authScopes: READ,
      ...locationField('lookupNames'),
    }),
    lookupAccess: t.field({
      type: LookupAccess,
      description:
        'Who may look members up and check them in by handle. The first kiosk that is paired sets it to KIOSKS; staff can set it back.',
      authScopes: READ,
      extensions: { reads: 'lookupAccess' },
      resolve: async (summary, _, { lists }) => {
        const location = await loadLocation(summary, 'lookupAccess', lists);
        return toLookupAccess(location);
      },
    }),
    hostEmail: t.string({
      description: 'Email address that is notified when guests without a host arrive',
      nullable: true,
      authScopes: READ,
      ...locationField('hostEmail'),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the location was created',
      authScopes: READ,
      ...locationField('createdAt'),
    }),
  }),
});

const LocationFilter = createInputType('LocationFilter', locationFilter);
const LocationOrder = getOrderEnum('Location', locationList);

builder.queryField('locations', (t) =>
  t.connection({
    type: Location,
    description: 'Locations, sorted by name',
    authScopes: READ,
    args: {
      filter: t.arg({ type: LocationFilter, description: 'Which locations to list' }),
      orderBy: t.arg({ type: LocationOrder, description: 'Default: NAME_ASC' }),
    },
    ...listField(locationList),
  }),
);

builder.queryField('location', (t) =>
  t.field({
    type: Location,
    description: 'Gets a location',
    authScopes: READ,
    args: { id: t.arg.id({ description: 'The id of the location', required: true }) },
    extensions: { row: selectById(locationList) },
    resolve: (_, { id }, { ctx }) => getLocation(ctx, id),
  }),
);

addMutation('createLocation', {
  description: 'Creates a location',
  access: 'spaces:write',
  input: createLocationInput,
  payload: { location: { type: Location, description: 'The new location' } },
  resolve: async (input, { ctx }) => ({ location: await createLocation(ctx, input) }),
});

addMutation('updateLocation', {
  description: 'Changes a location',
  access: 'spaces:write',
  input: updateLocationInput,
  payload: { location: { type: Location, description: 'The changed location' } },
  resolve: async ({ id, ...change }, { ctx }) => ({
    location: await updateLocation(ctx, id, change),
  }),
});
