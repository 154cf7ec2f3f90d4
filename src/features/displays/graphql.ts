import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { byItsName, connection, pageComplexity, pageRequest } from '../../graphql/pages.ts';
import { definite, text, valid } from '../../validation.ts';
import { Location, Resource } from '../spaces/graphql.ts';
import * as displays from './service.ts';

const READ = { access: 'displays:read' } as const;
const WRITE = { access: 'displays:write' } as const;

const DisplayKind = builder.enumType('DisplayKind', {
  values: {
    ROOM_PANEL: { value: 'room_panel', description: 'One resource: now and next' },
    EVENT_BOARD: { value: 'event_board', description: 'The coming events of a location' },
    WELCOME: { value: 'welcome', description: 'Announcements and who is expected' },
  } as const,
});

const DisplayStatus = builder.enumType('DisplayStatus', {
  values: {
    ONLINE: { value: 'online', description: 'Heard from within 150 seconds' },
    STALE: { value: 'stale', description: 'Heard from within 300 seconds' },
    OFFLINE: { value: 'offline' },
    REVOKED: { value: 'revoked' },
  } as const,
});

const Display = builder.objectRef<displays.Display>('Display');
Display.implement({
  description: 'A paired device on a wall',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    kind: t.expose('kind', { type: DisplayKind }),
    status: t.expose('status', { type: DisplayStatus }),
    location: t.expose('location', { type: Location }),
    resource: t.expose('resource', { type: Resource, nullable: true }),
    tokenPrefix: t.exposeString('tokenPrefix', {
      description: 'Enough to recognise its token, never enough to use it',
    }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

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
  kind: z.enum(['room_panel', 'event_board', 'welcome']),
});

const CreateDisplayPayload = builder
  .objectRef<{ deviceToken: string; display: displays.Display }>('CreateDisplayPayload')
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

builder.mutationField('revokeDisplay', (t) =>
  t.field({
    type: Display,
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => displays.revoke(ctx, valid(z.uuid('id: no such display'), id)),
  }),
);
