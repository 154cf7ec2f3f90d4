import { z } from 'zod';
import { Json } from '../../rest/envelope.ts';
import type { DeviceRoute } from '../../rest/route.ts';
import { instant, named, zonedLocation } from '../../rest/shapes.ts';
import { DISPLAY_KINDS } from './display.ts';
import * as polling from './polling.ts';

const occasion = z.object({
  id: z.uuid(),
  title: z.string().nullable(),
  starts_at: instant,
  ends_at: instant,
});

const stretch = z.object({
  opens_at: instant.nullable().meta({ description: 'Null: before yesterday' }),
  closes_at: instant.nullable().meta({ description: 'Null: not within the next 100 days' }),
});

const displayState = z
  .object({
    version: z.string().meta({ description: 'Changes when, and only when, the content does' }),
    poll_after_seconds: z.int(),
    heartbeat_after_seconds: z.int(),
    device: named.extend({
      kind: z.enum(DISPLAY_KINDS),
      location: zonedLocation,
      resource: named.nullable(),
    }),
    content: z.object({
      kind: z.enum(DISPLAY_KINDS),
      title: z.string(),
      now: occasion.nullable(),
      next: occasion.nullable(),
      open: z.boolean().meta({ description: 'Whether the house is open now' }),
      opening: z.array(stretch).nullable().meta({
        description:
          'When it is open within the next 24 hours, and the next time after these; null where it is always open',
      }),
    }),
    bookings: z.array(occasion.extend({ host: z.string(), resource: named })),
    events: z.array(
      occasion.extend({
        slug: z.string(),
        title: z.string(),
        summary: z.string().nullable(),
        resource: named.nullable(),
      }),
    ),
    announcements: z.array(
      z.object({
        id: z.uuid(),
        title: z.string(),
        body: z.string().nullable(),
        starts_at: instant,
        ends_at: instant.nullable(),
      }),
    ),
    next_change_at: instant.nullable(),
  })
  .meta({ id: 'DisplayState' });

const acknowledgement = z
  .object({
    acknowledged: z.literal(true),
    state_version: z.string(),
    next_heartbeat_seconds: z.int(),
    server_time: instant,
  })
  .meta({ id: 'HeartbeatAcknowledgement' });

/** A device names itself in the path, or in the Authorization header where an address should hold no secret. */
const bothWays = (entry: Omit<DeviceRoute, 'method' | 'access'>): DeviceRoute[] =>
  [`${entry.path}/{device_token}`, entry.path].map((path) => ({
    ...entry,
    path,
    method: 'GET',
    access: 'device-token',
  }));

/** For the description: whatever else a device sends, or sends wrongly, is as if it were not there. */
const telemetry = z.object({
  app_version: z.string().optional(),
  uptime: z.string().meta({ description: 'Seconds since it was switched on' }).optional(),
  battery: z.string().meta({ description: 'Percent' }).optional(),
});

export const routes = [
  ...bothWays({
    path: '/displays/state',
    summary: 'What the device shows now and for at least the next day',
    query: z.object({}),
    data: displayState,
    poll: async (ctx, { deviceToken, has }) => {
      const { version, json } = await polling.state(ctx, deviceToken, has);
      return { data: new Json(json), etag: version };
    },
  }),
  ...bothWays({
    path: '/displays/heartbeat',
    summary: 'Tells that the device is alive',
    query: telemetry,
    data: acknowledgement,
    poll: async (ctx, { deviceToken, parameters }) => ({
      data: new Json(await polling.heartbeat(ctx, deviceToken, parameters)),
    }),
  }),
];
