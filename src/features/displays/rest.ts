import { z } from 'zod';
import { toSecretGuess } from '../../auth/guesses.ts';
import { pickPairingPollDelaySeconds } from '../../core/load-spreading.ts';
import { toInstant } from '../../core/time/time-zone.ts';
import { uuid } from '../../core/validation.ts';
import { RawJson } from '../../rest/envelope.ts';
import { type DeviceRoute, defineRoute, emptyQuery } from '../../rest/route.ts';
import { instantSchema, namedSchema, zonedLocationSchema } from '../../rest/serializers.ts';
import { displayRow } from './rows.ts';
import { acknowledgeHeartbeat, getDisplayState } from './service/device-gateway.ts';
import { pollPairing, startPairing } from './service/pairing.ts';

const scheduleEntry = z.object({
  id: uuid,
  title: z.string().nullable(),
  starts_at: instantSchema,
  ends_at: instantSchema,
});

const openPeriod = z.object({
  opens_at: instantSchema.nullable().meta({ description: 'Null if it opened before yesterday' }),
  closes_at: instantSchema
    .nullable()
    .meta({ description: 'Null if it does not close within the next 100 days' }),
});

/** Where a booking or an event is. */
const placeSchema = namedSchema.extend({
  area: z.string().nullable().meta({ description: 'The floor or part of the building, if any' }),
});

const displayState = z
  .object({
    version: z.string().meta({ description: 'Changes if and only if the content changes' }),
    poll_after_seconds: z.int(),
    heartbeat_after_seconds: z.int(),
    device: namedSchema.extend({
      kind: displayRow.columns.kind.schema,
      location: zonedLocationSchema,
      resource: namedSchema.nullable(),
    }),
    content: z.object({
      kind: displayRow.columns.kind.schema,
      title: z.string(),
      now: scheduleEntry.nullable(),
      next: scheduleEntry.nullable(),
      open: z.boolean().meta({ description: 'Whether the location is open now' }),
      opening: z.array(openPeriod).nullable().meta({
        description:
          'The opening periods that begin within the next 24 hours, and the next one after these; null if it is always open',
      }),
    }),
    bookings: z.array(
      scheduleEntry.extend({
        title: z.string().nullable().meta({
          description: 'Null if there is none or the location does not show it',
        }),
        host: z.string().nullable().meta({
          description: 'The name or initials of the person; null if the location shows neither',
        }),
        resource: placeSchema,
      }),
    ),
    events: z.array(
      scheduleEntry.extend({
        slug: z.string(),
        title: z.string(),
        summary: z.string().nullable(),
        resource: placeSchema.nullable(),
      }),
    ),
    announcements: z.array(
      z.object({
        id: uuid,
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

/** A device presents its token in the path, or in the Authorization header to keep it out of URLs. */
const toDeviceRoutes = (entry: Omit<DeviceRoute, 'method' | 'access'>): DeviceRoute[] =>
  [`${entry.path}/{device_token}`, entry.path].map((path) => ({
    ...entry,
    path,
    method: 'GET',
    access: 'device-token',
    fastPath: true,
  }));

/** Describes the parameters for OpenAPI. Unknown parameters and invalid values are ignored. */
const telemetryQuery = z.object({
  app_version: z.string().optional(),
  uptime: z.string().meta({ description: 'Seconds since the device was switched on' }).optional(),
  battery: z.string().meta({ description: 'Battery charge in percent' }).optional(),
});

export const displayRoutes = [
  ...toDeviceRoutes({
    path: '/displays/state',
    summary: 'Get the content to show, for at least the next 24 hours',
    query: z.object({}),
    data: displayState,
    handler: async (ctx, { deviceToken, gateway, matchesEtag }) => {
      const { version, json } = await getDisplayState(ctx, gateway, deviceToken, matchesEtag);
      return { data: new RawJson(json), etag: version };
    },
  }),
  ...toDeviceRoutes({
    path: '/displays/heartbeat',
    summary: 'Report that the device is online',
    query: telemetryQuery,
    data: acknowledgement,
    handler: async (ctx, { deviceToken, gateway, parameters }) => ({
      data: new RawJson(await acknowledgeHeartbeat(ctx, gateway, deviceToken, parameters)),
    }),
  }),
];

export const pairingRoutes = [
  defineRoute({
    method: 'POST',
    path: '/displays/pairings',
    access: 'public',
    summary:
      'Start pairing a screen. Show the code, which staff must enter within ten minutes, and poll',
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
    summary:
      'Poll a pairing. Returns the device token for one minute after staff has entered the code',
    query: emptyQuery,
    data: z.object({
      status: z
        .enum(['pending', 'claimed', 'expired'])
        .meta({ description: 'If `expired`, the screen must start a new pairing' }),
      device_token: z
        .string()
        .optional()
        .meta({ description: 'Returned for one minute only: store it' }),
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
