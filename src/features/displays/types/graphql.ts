import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { valid } from '../../../validation.ts';
import { Location, Resource } from '../../spaces/graphql.ts';
import type * as displays from '../service.ts';

export const DisplayKind = builder.enumType('DisplayKind', {
  values: {
    ROOM_PANEL: { value: 'room_panel', description: 'One resource: now and next' },
    EVENT_BOARD: { value: 'event_board', description: 'The coming events of a location' },
    WELCOME: { value: 'welcome', description: 'Announcements and who is expected' },
    KIOSK: { value: 'kiosk', description: 'People check in at it' },
  } as const,
});

export const DisplayStatus = builder.enumType('DisplayStatus', {
  values: {
    ONLINE: { value: 'online', description: 'Heard from within 150 seconds' },
    STALE: { value: 'stale', description: 'Heard from within 300 seconds' },
    OFFLINE: { value: 'offline' },
    REVOKED: { value: 'revoked' },
  } as const,
});

const DisplayStatusChange = builder.objectRef<displays.StatusChange>('DisplayStatusChange');
DisplayStatusChange.implement({
  description: 'That a display came or went',
  fields: (t) => ({
    was: t.expose('previousStatus', { type: DisplayStatus }),
    status: t.expose('status', { type: DisplayStatus }),
    at: t.expose('at', { type: 'DateTime' }),
  }),
});

const MOST_CHANGES = 100;

export const Display = builder.objectRef<displays.Display>('Display');
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
    appVersion: t.exposeString('appVersion', { nullable: true, description: 'As the device says' }),
    uptimeSeconds: t.exposeInt('uptimeSeconds', {
      nullable: true,
      description: 'As the device says',
    }),
    batteryPercent: t.exposeInt('batteryPercent', {
      nullable: true,
      description: 'As the device says',
    }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    statusChanges: t.field({
      type: [DisplayStatusChange],
      description: `How it came and went, newest first; ${MOST_CHANGES} at most`,
      args: { last: t.arg.int({ required: true, defaultValue: 10 }) },
      complexity: ({ last }) => ({ field: 1, multiplier: Math.max(1, last) }),
      resolve: ({ id }, args, { loaders }) => {
        const { last } = valid(z.object({ last: z.int().min(1).max(MOST_CHANGES) }), args);
        return loaders.statusChanges.load(id, last);
      },
    }),
  }),
});
