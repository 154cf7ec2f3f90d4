import { builder } from '../../../graphql/builder.ts';
import { live } from '../../../graphql/live.ts';
import { Occupancy } from '../types/graphql.ts';
import { occupancyChanges } from './service.ts';

const READ = { access: 'check-ins:read' } as const;

builder.subscriptionField('occupancyChanged', (t) =>
  t.field({
    type: Occupancy,
    description: 'How many are in: at once, and within two seconds of every change',
    authScopes: READ,
    args: { locationId: t.arg.id() },
    subscribe: (_, { locationId }, context) =>
      live(context, READ.access, (signal) =>
        occupancyChanges(context.ctx, locationId ?? undefined, signal),
      ),
    resolve: (occupancy) => occupancy,
  }),
);
