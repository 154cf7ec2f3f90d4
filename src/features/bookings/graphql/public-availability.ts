import { parseQuery } from '../../../core/validation.ts';
import { builder, withArgs } from '../../../graphql/builder.ts';
import { withCost } from '../../../graphql/query-cost.ts';
import { publicAvailabilityArgs } from '../inputs.ts';
import { findPublicAvailability, type PublicAvailability } from '../service/public-availability.ts';
import { Slot } from './booking.ts';

const PublicRoom = builder.objectRef<PublicAvailability['rooms'][number]>('PublicRoom').implement({
  description: 'When one room is free',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the room' }),
    free: t.expose('free', {
      type: [Slot],
      description: 'The times of the day at which the location is open and nobody has the room',
    }),
  }),
});

const PublicAvailabilityRef = builder
  .objectRef<PublicAvailability>('PublicAvailability')
  .implement({
    description: 'When the rooms of a location are free on one day, without who has them otherwise',
    fields: (t) => ({
      location: t.exposeString('location', { description: 'The name of the location' }),
      timeZone: t.exposeString('timeZone', { description: 'IANA name, such as Europe/Berlin' }),
      date: t.expose('date', { type: 'Date', description: 'The day in this time zone' }),
      rooms: t.expose('rooms', { type: [PublicRoom], description: 'Its rooms, sorted by name' }),
    }),
  });

/** As for `availability`. */
const AVAILABILITY_POINTS = 750;

builder.queryField('publicAvailability', (t) =>
  t.field({
    type: PublicAvailabilityRef,
    description:
      'Finds when the rooms of a location are free on one day, for everyone. Only locations with publicAvailability show it.',
    authScopes: { access: 'public' },
    ...withCost({ points: AVAILABILITY_POINTS, items: 10 }),
    ...withArgs(
      publicAvailabilityArgs,
      (args, { ctx }) => findPublicAvailability(ctx, args),
      parseQuery,
    ),
  }),
);
