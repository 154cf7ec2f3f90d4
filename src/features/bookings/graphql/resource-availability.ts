import { parseQuery } from '../../../core/validation.ts';
import { builder, createArgs } from '../../../graphql/builder.ts';
import { withCost } from '../../../graphql/query-cost.ts';
import { Resource } from '../../spaces/graphql/resources.ts';
import { availabilityArgs } from '../inputs.ts';
import { ResourceAvailability } from './queries.ts';

/** One request can contain the availability of a page of a hundred resources. */
const AVAILABILITY_POINTS = 8;

builder.objectField(Resource, 'availability', (t) =>
  t.field({
    type: ResourceAvailability,
    nullable: true,
    description:
      'Its free slots and their prices within at most 31 days in the time zone of its location. Null if it cannot be booked any more.',
    authScopes: { access: 'spaces:read' },
    ...withCost({ points: AVAILABILITY_POINTS }),
    args: createArgs(availabilityArgs.pick({ from: true, to: true, minutes: true }), parseQuery),
    resolve: ({ id }, { from, to, minutes }, { loaders }) =>
      loaders.availability.load({
        resourceId: id,
        period: { from: from ?? undefined, to: to ?? undefined, minutes: minutes ?? undefined },
      }),
  }),
);
