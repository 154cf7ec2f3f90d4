import { z } from 'zod';
import { toSecretGuess } from '../../auth/rate-limits.ts';
import { pickPairingPollDelaySeconds } from '../../core/load-spreading.ts';
import { toInstant } from '../../core/time/instant.ts';
import { RawJson } from '../../rest/envelope.ts';
import { type DeviceRoute, defineRoute, emptyQuery } from '../../rest/route.ts';
import { instantSchema, namedSchema, zonedLocationSchema } from '../../rest/serializers.ts';
import { acknowledgeHeartbeat, getDisplayState } from './device-api.ts';
import { DISPLAY_KINDS } from './display.ts';
import { pollPairing, startPairing } from './pairing.ts';

const scheduleEntry = z.object({
  id: z.uuid(),
  title: z.string().nullable(),
  starts_at: instantSchema,
  ends_at: instantSchema,
});

const openPeriod = z.object({
  opens_at: instantSchema.nullable().meta({ description: 'Null: before yesterday' }),
  closes_at: instantSchema.nullable().meta({ description: 'Null: not within the next 100 days' }),
});

const displayState = z
  .object({
    version: z.string().meta({ description: 'Changes when, and only when, the content does' }),
    poll_after_seconds: z.int(),
    heartbeat_after_seconds: z.int(),
    device: namedSchema.extend({
      kind: z.enum(DISPLAY_KINDS),
      location: zonedLocationSchema,
      resource: namedSchema.nullable(),
    }),
    content: z.object({
      kind: z.enum(DISPLAY_KINDS),
      title: z.string(),
      now: scheduleEntry.nullable(),
      next: scheduleEntry.nullable(),
      open: z.boolean().meta({ description: 'Whether the house is open now' }),
      opening: z.array(openPeriod).nullable().meta({
        description:
          'When it is open within the next 24 hours, and the next time after these; null where it is always open',
      }),
    }),
    bookings: z.array(scheduleEntry.extend({ host: z.string(), resource: namedSchema })),
    events: z.array(
      scheduleEntry.extend({
        slug: z.string(),
        title: z.string(),
        summary: z.string().nullable(),
        resource: namedSchema.nullable(),
      }),
    ),
    announcements: z.array(
      z.object({
        id: z.uuid(),
        title: z.string(),
        body: z.string().nullable(),
        starts_at: instantSchema,
        ends_at: instantSchema.nullable(),
      }),
    ),
    next_change_at: instantSchema.nullable(),
  })
  .meta({ id: 'DisplayState' });

const acknowledgement = z
  .object({
    acknowledged: z.literal(true),
    state_version: z.string(),
    next_heartbeat_seconds: z.int(),
    server_time: instantSchema,
  })
  .meta({ id: 'HeartbeatAcknowledgement' });

/** A device names itself in the path, or in the Authorization header where an address should hold no secret. */
const toDeviceRoutes = (entry: Omit<DeviceRoute, 'method' | 'access'>): DeviceRoute[] =>
  [`${entry.path}/{device_token}`, entry.path].map((path) => ({
    ...entry,
    path,
    method: 'GET',
    access: 'device-token',
    fastPath: true,
  }));

/** For the description: whatever else a device sends, or sends wrongly, is as if it were not there. */
const telemetryQuery = z.object({
  app_version: z.string().optional(),
  uptime: z.string().meta({ description: 'Seconds since it was switched on' }).optional(),
  battery: z.string().meta({ description: 'Percent' }).optional(),
});

export const displayRoutes = [
  ...toDeviceRoutes({
    path: '/displays/state',
    summary: 'What the device shows now and for at least the next day',
    query: z.object({}),
    data: displayState,
    handler: async (ctx, { deviceToken, matchesEtag }) => {
      const { version, json } = await getDisplayState(ctx, deviceToken, matchesEtag);
      return { data: new RawJson(json), etag: version };
    },
  }),
  ...toDeviceRoutes({
    path: '/displays/heartbeat',
    summary: 'Tells that the device is alive',
    query: telemetryQuery,
    data: acknowledgement,
    handler: async (ctx, { deviceToken, parameters }) => ({
      data: new RawJson(await acknowledgeHeartbeat(ctx, deviceToken, parameters)),
    }),
  }),
];

export const pairingRoutes = [
  defineRoute({
    method: 'POST',
    path: '/displays/pairings',
    access: 'public',
    summary: 'Begin pairing: show the code, which staff types in within ten minutes, and poll',
    query: emptyQuery,
    body: z.strictObject({}),
    status: 201,
    data: z.object({
      pairing_code: z.string().meta({ description: 'Eight consonants, to show on the screen' }),
      poll_token: z.string(),
      expires_at: instantSchema,
      poll_after_seconds: z.int(),
    }),
    rateLimit: ({ address, rateLimits }) => rateLimits.pairings.consume({ address }),
    handler: async (ctx) => {
      const { pairingCode, pollToken, expiresAt } = await startPairing(ctx);
      return {
        data: {
          pairing_code: pairingCode,
          poll_token: pollToken,
          expires_at: toInstant(expiresAt),
          poll_after_seconds: pickPairingPollDelaySeconds(Math.random()),
        },
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/displays/pairings/{poll_token}',
    access: 'public',
    summary: 'Whether staff has typed the code in; then the device token, for a minute',
    query: emptyQuery,
    data: z.object({
      status: z
        .enum(['pending', 'claimed', 'expired'])
        .meta({ description: 'After expired the screen begins anew' }),
      device_token: z.string().optional().meta({ description: 'Only now: keep it' }),
      expires_at: instantSchema,
    }),
    guess: ({ params: { poll_token = '' }, rateLimits, address }) =>
      toSecretGuess(rateLimits, address, 'pairing', poll_token),
    handler: async (ctx, { params: { poll_token = '' } }) => {
      const { status, deviceToken, expiresAt } = await pollPairing(ctx, poll_token);
      return {
        data: {
          status,
          ...(deviceToken === undefined ? {} : { device_token: deviceToken }),
          expires_at: toInstant(expiresAt),
        },
      };
    },
  }),
];
