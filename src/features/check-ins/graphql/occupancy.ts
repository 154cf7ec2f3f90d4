import { isUuid } from '../../../core/ids.ts';
import { builder } from '../../../graphql/builder.ts';
import { type RowExtension, selectByEvent } from '../../../graphql/list-fields.ts';
import { streamWhileAuthorized } from '../../../graphql/subscriptions.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { toLocationProjection } from '../../spaces/types.ts';
import {
  listOccupancy,
  type Occupancy as OccupancyData,
  toOccupancyProjection,
  watchOccupancy,
} from '../service/occupancy.ts';

const Occupancy = builder.objectRef<OccupancyData>('Occupancy');
Occupancy.implement({
  description: 'How many people are checked in at a location',
  extensions: {
    projection: (location: string) => ({
      ...toOccupancyProjection(location),
      location: toLocationProjection(location),
    }),
  },
  fields: (t) => ({
    locationId: t.exposeID('locationId', { description: 'The location' }),
    locationName: t.exposeString('locationName', { description: 'The name of the location' }),
    location: t.field({
      type: Location,
      description: 'The location',
      extensions: { reads: 'location' },
      resolve: ({ locationId, locationName }) => ({ id: locationId, name: locationName }),
    }),
    present: t.exposeInt('present', {
      description:
        'How many people are checked in, with unconfirmed ones. Those take no place of the capacity from others, so this can exceed it.',
    }),
    unconfirmed: t.exposeInt('unconfirmed', {
      description:
        'How many of them a client that is not a paired kiosk checked in by handle, and nobody has confirmed',
    }),
    capacity: t.exposeInt('capacity', {
      description: 'How many people can be present at once; null: no limit',
      nullable: true,
    }),
  }),
});

const READ = { access: 'check-ins:read' } as const;

builder.queryField('occupancy', (t) =>
  t.field({
    type: [Occupancy],
    description: 'How many people are checked in now, by name of the location',
    authScopes: READ,
    args: { locationId: t.arg.id({ description: 'Only this location' }) },
    extensions: {
      row: {
        table: 'locations',
        where: (row, { locationId }, { bind }) => {
          if (locationId == null) return [];
          return [
            typeof locationId === 'string' && isUuid(locationId)
              ? `${row}.id = ${bind(locationId, 'uuid')}`
              : 'false',
          ];
        },
        toOrder: (row) => `${row}.name, ${row}.id`,
        needsRow: ({ locationId }) => locationId != null,
      } satisfies RowExtension,
    },
    resolve: (_, { locationId }, { ctx }) => listOccupancy(ctx, locationId ?? undefined),
  }),
);

builder.objectField(Location, 'occupancy', (t) =>
  t.field({
    type: Occupancy,
    description: 'How many people are checked in now',
    authScopes: READ,
    extensions: {
      row: {
        table: 'locations',
        where: (row, _, { parent }) => [`${row}.id = ${parent('id')}`],
      } satisfies RowExtension,
    },
    resolve: ({ id }, _, { loaders }) => loaders.occupancy.load(id),
  }),
);

builder.subscriptionField('occupancyChanged', (t) =>
  t.field({
    type: Occupancy,
    description: 'The occupancy now, and after every change within two seconds',
    authScopes: READ,
    args: { locationId: t.arg.id({ description: 'Only this location' }) },
    extensions: {
      row: selectByEvent<OccupancyData>(
        ({ locationId }, { bind }) =>
          `(SELECT * FROM locations WHERE id = ${bind(locationId, 'uuid')})`,
      ),
    },
    subscribe: (_, { locationId }, context) =>
      streamWhileAuthorized(context, READ.access, (signal) =>
        watchOccupancy(context.ctx, context.deps.occupancyFeed, locationId ?? undefined, signal),
      ),
    resolve: (occupancy) => occupancy,
  }),
);
