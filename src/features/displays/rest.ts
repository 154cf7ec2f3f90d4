import { z } from 'zod';
import { toSecretGuess } from '../../auth/guesses.ts';
import { pickPairingPollDelaySeconds } from '../../core/load-spreading.ts';
import { toInstant } from '../../core/time/time-zone.ts';
import { uuid } from '../../core/validation.ts';
import {
  instantSchema,
  namedSchema,
  resourceRefSchema,
  zonedLocationSchema,
} from '../../objects/schemas.ts';
import { RawJson } from '../../rest/envelope.ts';
import { type DeviceRoute, defineRoute, emptyQuery } from '../../rest/route.ts';
import { displayRow } from './rows.ts';
import { acknowledgeHeartbeat, getDisplayState } from './service/device-gateway.ts';
import { pollPairing, startPairing } from './service/pairing.ts';

const scheduleEntry = z.object({
  id: uuid.meta({ description: 'Identifies it in both APIs' }),
  title: z.string().nullable().meta({
    description: 'Null if there is none or the location does not show it',
  }),
  starts_at: instantSchema.meta({ description: 'When it starts' }),
  ends_at: instantSchema.meta({ description: 'When it ends' }),
});
const currentEntry = scheduleEntry.meta({
  id: 'ScheduleEntry',
  description: 'A booking or an event of the room',
});

const openPeriod = z
  .object({
    opens_at: instantSchema.nullable().meta({ description: 'Null if it opened before yesterday' }),
    closes_at: instantSchema
      .nullable()
      .meta({ description: 'Null if it does not close within the next 100 days' }),
  })
  .meta({ id: 'OpenPeriod', description: 'A time at which the location is open' });

const kind = displayRow.columns.kind.schema.meta({ description: 'What it shows' });

const pollAfterSeconds = z.int().meta({ description: 'When to poll again' });

/** Where a booking or an event is. */
const placeSchema = namedSchema
  .extend({
    area: z.string().nullable().meta({ description: 'The floor or part of the building, if any' }),
  })
  .meta({ id: 'Place', description: 'A resource, and where in the building it is' });

const displayedBooking = scheduleEntry
  .extend({
    host: z.string().nullable().meta({
      description: 'The name or initials of the person; null if the location shows neither',
    }),
    resource: placeSchema.meta({ description: 'What is booked' }),
  })
  .meta({ id: 'DisplayedBooking', description: 'A booking that a display shows' });

const displayedEvent = scheduleEntry
  .extend({
    slug: z.string().meta({ description: 'The name in URLs' }),
    title: z.string().meta({ description: 'The title' }),
    summary: z.string().nullable().meta({ description: 'One sentence; null if there is none' }),
    resource: placeSchema.nullable().meta({ description: 'The room; null if it has none' }),
  })
  .meta({ id: 'DisplayedEvent', description: 'An event that a display shows' });

const displayedAnnouncement = z
  .object({
    id: uuid.meta({ description: 'Identifies it in both APIs' }),
    title: z.string().meta({ description: 'The title' }),
    body: z.string().nullable().meta({ description: 'The text; null if there is none' }),
    starts_at: instantSchema.meta({ description: 'From when to show it' }),
    ends_at: instantSchema.nullable().meta({ description: 'Until when; null for no end' }),
  })
  .meta({ id: 'DisplayedAnnouncement', description: 'An announcement that a display shows' });

const displayState = z
  .object({
    version: z.string().meta({ description: 'Changes if and only if the content changes' }),
    poll_after_seconds: pollAfterSeconds,
    heartbeat_after_seconds: z.int().meta({ description: 'When to send the next heartbeat' }),
    device: namedSchema
      .extend({
        kind,
        location: zonedLocationSchema.meta({ description: 'Where it is' }),
        resource: resourceRefSchema.nullable().meta({
          description: 'The room that it belongs to; null if it belongs to none',
        }),
      })
      .meta({ description: 'The display' }),
    content: z
      .object({
        kind,
        title: z.string().meta({ description: 'What to show on top' }),
        now: currentEntry.nullable().meta({ description: 'What is on now; null if nothing is' }),
        next: currentEntry
          .nullable()
          .meta({ description: 'What comes next; null if nothing does' }),
        open: z.boolean().meta({ description: 'Whether the location is open now' }),
        opening: z.array(openPeriod).nullable().meta({
          description:
            'The opening periods that begin within the next 24 hours, and the next one after these; null if it is always open',
        }),
      })
      .meta({ description: 'What the display shows first' }),
    bookings: z.array(displayedBooking).meta({ description: 'The bookings to show, by start' }),
    events: z.array(displayedEvent).meta({ description: 'The events to show, by start' }),
    announcements: z
      .array(displayedAnnouncement)
      .meta({ description: 'The announcements to show, now or later' }),
    next_change_at: instantSchema
      .nullable()
      .meta({ description: 'When to show something else; null if that is unknown' }),
  })
  .meta({ id: 'DisplayState', description: 'What a display shows, and when it polls again' });

const acknowledgement = z
  .object({
    acknowledged: z.literal(true).meta({ description: 'Always true' }),
    state_version: z.string().meta({ description: 'The version of the current content' }),
    next_heartbeat_seconds: z.int().meta({ description: 'When to send the next heartbeat' }),
    server_time: instantSchema.meta({ description: 'The time of the service' }),
  })
  .meta({ id: 'HeartbeatAcknowledgement', description: 'The response to a heartbeat' });

/** A device presents its token in the path, or in the Authorization header to keep it out of URLs. */
const toDeviceRoutes = (
  entry: Omit<DeviceRoute, 'method' | 'access'> & { operationId: string },
): DeviceRoute[] =>
  [
    { path: `${entry.path}/{device_token}`, operationId: entry.operationId },
    { path: entry.path, operationId: `${entry.operationId}WithHeader` },
  ].map((names) => ({
    ...entry,
    ...names,
    method: 'GET',
    access: 'device-token',
    fastPath: true,
  }));

/** Describes the parameters for OpenAPI. Unknown parameters and invalid values are ignored. */
const telemetryQuery = z.object({
  app_version: z.string().meta({ description: 'The version of the app' }).optional(),
  uptime: z.string().meta({ description: 'Seconds since the device was switched on' }).optional(),
  battery: z.string().meta({ description: 'Battery charge in percent' }).optional(),
});

export const displayRoutes = [
  ...toDeviceRoutes({
    path: '/displays/state',
    operationId: 'getDisplayState',
    summary: 'Get the content to show',
    description: 'For at least the next 24 hours.',
    query: z.object({}),
    data: displayState,
    handler: async (ctx, { deviceToken, gateway, matchesEtag }) => {
      const { version, json } = await getDisplayState(ctx, gateway, deviceToken, matchesEtag);
      return { data: new RawJson(json), etag: version };
    },
  }),
  ...toDeviceRoutes({
    path: '/displays/heartbeat',
    operationId: 'sendDisplayHeartbeat',
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
    summary: 'Start pairing a screen',
    description: 'Show the code, which staff must enter within ten minutes, and poll.',
    query: emptyQuery,
    body: z.strictObject({}),
    status: 201,
    data: z.object({
      pairing_code: z.string().meta({ description: 'Eight consonants, to show on the screen' }),
      poll_token: z.string().meta({ description: 'Reads the pairing: keep it secret' }),
      expires_at: instantSchema.meta({ description: 'Until when staff can enter the code' }),
      poll_after_seconds: pollAfterSeconds,
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
    summary: 'Poll a pairing',
    description: 'Returns the device token for one minute after staff has entered the code.',
    query: emptyQuery,
    data: z.object({
      status: z
        .enum(['pending', 'claimed', 'expired'])
        .meta({ description: 'If `expired`, the screen must start a new pairing' }),
      device_token: z
        .string()
        .optional()
        .meta({ description: 'Returned for one minute only: store it' }),
      expires_at: instantSchema.meta({ description: 'Until when staff can enter the code' }),
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
