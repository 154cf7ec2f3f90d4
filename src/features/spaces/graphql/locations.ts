import { notFound } from '../../../errors.ts';
import { builder, createInputType } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { getOrderEnum, listField, selectById } from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { createLocationInput, locationFilter, updateLocationInput } from '../inputs.ts';
import { locationRow } from '../rows.ts';
import { createLocation, getLocation, locationList, updateLocation } from '../service/locations.ts';
import { toLocationProjection } from '../types.ts';

const READ = { access: 'spaces:read' } as const;
/** The fields that other types provide. The others are loaded on demand. */
type LocationSummary = { id: string; name: string };

async function loadLocation({ id }: LocationSummary, { lists }: GraphqlContext) {
  const location = await lists.loadRow(locationList, id);
  if (location === null) throw notFound('location');
  return location;
}

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

builder.enumType('BookingDetail', {
  description: 'How much of a booking displays show, besides its resource and times',
  values: {
    NOTHING: { value: 'nothing', description: 'Only that the resource is booked' },
    INITIALS: { value: 'initials', description: 'The initials of the person, such as B. O.' },
    NAME: { value: 'name', description: 'The first name and an initial, such as Ben O.' },
    TITLE: { value: 'title', description: 'The title and the name, such as Mixing and Ben O.' },
  } as const,
});

builder.enumType('MemberAdmission', {
  description: 'Which members can check in at a location',
  values: {
    WITH_MEMBERSHIP: {
      value: 'with_membership',
      description: 'Active members with a membership for this day, their own or that of their team',
    },
    ALL: { value: 'all', description: 'All active members, also without a membership' },
  } as const,
});

export const Location = builder.objectRef<LocationSummary>('Location');
Location.implement({
  description: 'A building or site with its own time zone',
  extensions: { projection: toLocationProjection },
  interfaces: [Node],
  fields: (t) => showFields(t, locationRow, { load: loadLocation }),
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
  creates: { location: locationList },
  resolve: async (input, { ctx }) => ({ location: await createLocation(ctx, input) }),
});

addMutation('updateLocation', {
  description: 'Changes a location',
  access: 'spaces:write',
  input: updateLocationInput,
  takesVersion: true,
  payload: { location: { type: Location, description: 'The changed location' } },
  resolve: async ({ id, ...change }, { ctx }) => ({
    location: await updateLocation(ctx, id, change),
  }),
});
