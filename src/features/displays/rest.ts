import { z } from 'zod';
import { Json } from '../../rest/envelope.ts';
import { type Route, route } from '../../rest/route.ts';
import { instant, named, zonedLocation } from '../../rest/shapes.ts';
import * as polling from './polling.ts';

const KINDS = ['room_panel', 'event_board', 'welcome'] as const;
const occasion = z.object({
  id: z.uuid(),
  title: z.string().nullable(),
  starts_at: instant,
  ends_at: instant,
});

const displayState = z
  .object({
    version: z.string().meta({ description: 'Changes when, and only when, the content does' }),
    poll_after_seconds: z.int(),
    heartbeat_after_seconds: z.int(),
    device: named.extend({
      kind: z.enum(KINDS),
      location: zonedLocation,
      resource: named.nullable(),
    }),
    content: z.object({
      kind: z.enum(KINDS),
      title: z.string(),
      now: occasion.nullable(),
      next: occasion.nullable(),
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

// Devices may tell of themselves, or keep caches away, by whatever parameters they send.

/** A device names itself in the path, or in the Authorization header where an address should hold no secret. */
const bothWays = (
  entry: Omit<Parameters<typeof route>[0], 'method' | 'access' | 'query'>,
): Route[] =>
  [`${entry.path}/{device_token}`, entry.path].map((path) =>
    route({ ...entry, path, method: 'GET', access: 'device-token', query: z.object({}) }),
  );

export const routes = [
  ...bothWays({
    path: '/displays/state',
    summary: 'What the device shows now and for at least the next day',
    data: displayState,
    answer: async (ctx, { deviceToken }) => {
      const { version, json } = await polling.state(ctx, deviceToken);
      return { data: new Json(json), etag: version };
    },
  }),
  ...bothWays({
    path: '/displays/heartbeat',
    summary: 'Tells that the device is alive',
    data: acknowledgement,
    answer: async (ctx, { deviceToken }) => {
      const { acknowledged, stateVersion, nextHeartbeatSeconds, serverTime } =
        await polling.heartbeat(ctx, deviceToken);
      return {
        data: {
          acknowledged,
          state_version: stateVersion,
          next_heartbeat_seconds: nextHeartbeatSeconds,
          server_time: serverTime,
        },
      };
    },
  }),
];
