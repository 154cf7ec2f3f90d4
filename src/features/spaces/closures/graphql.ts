import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { definite, text, valid } from '../../../validation.ts';
import { Location } from '../locations/graphql.ts';
import * as closures from './service.ts';

const WRITE = { access: 'spaces:write' } as const;

const Closure = builder.objectRef<closures.Closure>('Closure');
Closure.implement({
  description: 'Days on which a location is shut, the last one included',
  fields: (t) => ({
    id: t.exposeID('id'),
    location: t.expose('location', { type: Location }),
    startsOn: t.expose('startsOn', { type: 'Date' }),
    endsOn: t.expose('endsOn', { type: 'Date' }),
    reason: t.exposeString('reason', { nullable: true }),
    bookingsAffected: t.int({
      description:
        'Pending and confirmed bookings that lie in it: a closure cancels nothing by itself',
      authScopes: WRITE,
      resolve: (closure, _, { loaders }) => loaders.bookingsWithin.load(closure),
    }),
  }),
});

builder.objectField(Location, 'closures', (t) =>
  t.field({
    type: [Closure],
    description: 'The soonest first',
    authScopes: { access: 'spaces:read' },
    args: {
      from: t.arg({ type: 'Date', description: 'Leaves out those that were over before' }),
    },
    resolve: ({ id }, { from }, { loaders }) => loaders.closures.load(id, from ?? null),
  }),
);

const CreateClosureInput = builder.inputType('CreateClosureInput', {
  fields: (t) => ({
    locationId: t.id({ required: true }),
    startsOn: t.field({ type: 'Date', required: true }),
    endsOn: t.field({ type: 'Date', required: true, description: 'The last day' }),
    reason: t.string(),
  }),
});

const input = z.object({
  locationId: z.uuid(),
  startsOn: z.string(),
  endsOn: z.string(),
  reason: text(500).optional(),
});

builder.mutationField('createClosure', (t) =>
  t.field({
    type: Closure,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateClosureInput, required: true }) },
    resolve: (_, args, { ctx }) => closures.createClosure(ctx, valid(input, definite(args.input))),
  }),
);

builder.mutationField('deleteClosure', (t) =>
  t.field({
    type: Closure,
    description: 'Answers with what it was',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => closures.deleteClosure(ctx, id),
  }),
);
