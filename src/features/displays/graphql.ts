import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { byItsName, connection, pageComplexity, pageRequest } from '../../graphql/pages.ts';
import { definite, text, unlessNull, valid } from '../../validation.ts';
import { DISPLAY_KINDS } from './display.ts';
import * as displays from './service.ts';
import { Display, DisplayKind } from './types/graphql.ts';

const READ = { access: 'displays:read' } as const;
const WRITE = { access: 'displays:write' } as const;

const idOf = (id: string) => valid(z.uuid('id: no such display'), id);

builder.queryField('displays', (t) =>
  t.connection({
    type: Display,
    authScopes: READ,
    complexity: pageComplexity,
    args: { locationId: t.arg.id() },
    resolve: async (_, args, { ctx }) => {
      const filter = valid(
        z.object({ locationId: z.uuid().optional() }),
        definite({ locationId: args.locationId }),
      );
      return connection(await displays.list(ctx, filter, pageRequest(args)), byItsName, args.after);
    },
  }),
);

const CreateDisplayInput = builder.inputType('CreateDisplayInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    locationId: t.id({ required: true }),
    resourceId: t.id({ description: 'A room panel needs one' }),
    kind: t.field({ type: DisplayKind, required: true }),
  }),
});

const createInput = z.object({
  name: text(200),
  locationId: z.uuid(),
  resourceId: z.uuid().optional(),
  kind: z.enum(DISPLAY_KINDS),
});

const CreateDisplayPayload = builder
  .objectRef<displays.IssuedDisplay>('CreateDisplayPayload')
  .implement({
    fields: (t) => ({
      deviceToken: t.exposeString('deviceToken', { description: 'Shown this once' }),
      display: t.expose('display', { type: Display }),
    }),
  });

builder.mutationField('createDisplay', (t) =>
  t.field({
    type: CreateDisplayPayload,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateDisplayInput, required: true }) },
    resolve: (_, { input }, { ctx }) => displays.create(ctx, valid(createInput, definite(input))),
  }),
);

const UpdateDisplayInput = builder.inputType('UpdateDisplayInput', {
  description: 'What is left out stays; null takes the resource away',
  fields: (t) => ({
    name: t.string(),
    kind: t.field({ type: DisplayKind }),
    resourceId: t.id({ description: 'One of its location' }),
  }),
});

const changes = z.object({
  name: unlessNull(createInput.shape.name),
  kind: unlessNull(createInput.shape.kind),
  resourceId: z.uuid().nullish(),
});

builder.mutationField('updateDisplay', (t) =>
  t.field({
    type: Display,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateDisplayInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) => displays.update(ctx, idOf(id), valid(changes, input)),
  }),
);

builder.mutationField('rotateDisplayToken', (t) =>
  t.field({
    type: CreateDisplayPayload,
    description: 'Makes a new token; the old one lives on for the overlap',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      overlapMinutes: t.arg.int({
        required: true,
        defaultValue: 0,
        description: '0 ends the old one at once; a day at most',
      }),
    },
    resolve: (_, { id, overlapMinutes }, { ctx }) => displays.rotate(ctx, idOf(id), overlapMinutes),
  }),
);

builder.mutationField('revokeDisplay', (t) =>
  t.field({
    type: Display,
    description: 'Its next poll is refused',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => displays.revoke(ctx, idOf(id)),
  }),
);
