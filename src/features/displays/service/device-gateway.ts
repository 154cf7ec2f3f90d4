import { hash } from 'node:crypto';
import { isWellFormedSecret } from '../../../auth/tokens.ts';
import type { Context } from '../../../context.ts';
import { type LoadSpreader, pickPollDelaySeconds } from '../../../core/load-spreading.ts';
import type { WriteBehind } from '../../../core/write-behind.ts';
import type { Sql } from '../../../db/prepared-statement.ts';
import { isUnavailable, toDomainError, unauthenticated, unavailable } from '../../../errors.ts';
import { createContentCache, type DisplayContent } from '../content-cache.ts';
import { createDeviceLookup, type Device } from './device-lookup.ts';
import {
  type Heartbeat,
  mergeHeartbeats,
  parseTelemetry,
  recordHeartbeats,
  type Telemetry,
} from './heartbeats.ts';

/** The caches and buffers that one process shares among all devices that poll it. Part of `Dependencies`. */
export interface DeviceGateway {
  /** Finds a device by its token. Concurrent requests share one statement. */
  findDevice(token: string, now: Date): Promise<Device | null>;
  getDigest(device: Device, now: Date): Promise<string>;
  getContent(device: Device, now: Date): Promise<DisplayContent>;
  /** Records a heartbeat, which is written within about a second. */
  recordHeartbeat(id: string, heartbeat: Heartbeat): void;
  loadSpreader: LoadSpreader;
}

export const createDeviceGateway = (deps: {
  pipelinedSql: Sql;
  lockingSql: Sql;
  now(): Date;
  writeBehind: Pick<WriteBehind, 'addBuffer'>;
  loadSpreader: LoadSpreader;
}): DeviceGateway => ({
  findDevice: createDeviceLookup(deps.pipelinedSql),
  ...createContentCache(deps.pipelinedSql),
  recordHeartbeat: deps.writeBehind.addBuffer<Heartbeat>({
    write: (heartbeats) => recordHeartbeats(deps.lockingSql, heartbeats, deps.now()),
    merge: mergeHeartbeats,
  }),
  loadSpreader: deps.loadSpreader,
});

/**
 * Returns the current state of a display as JSON, with its version. The JSON is empty if the device already has that version.
 * The request counts as a heartbeat.
 * @throws UNAUTHENTICATED for an unknown or revoked token.
 */
export async function getDisplayState(
  ctx: Context,
  gateway: DeviceGateway,
  deviceToken: string,
  matchesEtag: (version: string) => boolean = () => false,
): Promise<{ version: string; json: string }> {
  return spreadRetries(ctx, gateway, async () => {
    const now = ctx.now();
    const device = await authenticateDevice(gateway, deviceToken, now);
    const version = toContentVersion(device, await gateway.getDigest(device, now));
    if (matchesEtag(version)) return { version, json: '' };
    const content = await gateway.getContent(device, now);
    const latest = toContentVersion(device, content.digest); // the content can have changed since the digest was read
    return { version: latest, json: toStateJson(device, content, latest) };
  });
}

/**
 * Records a heartbeat, with the telemetry in its parameters. Returns the acknowledgement as JSON.
 * @throws UNAUTHENTICATED for an unknown or revoked token.
 */
export async function acknowledgeHeartbeat(
  ctx: Context,
  gateway: DeviceGateway,
  deviceToken: string,
  parameters?: URLSearchParams,
): Promise<string> {
  return spreadRetries(ctx, gateway, async () => {
    const now = ctx.now();
    const telemetry = parameters && parseTelemetry(parameters);
    const device = await authenticateDevice(gateway, deviceToken, now, telemetry);
    const version = toContentVersion(device, await gateway.getDigest(device, now));
    const serverTime = ctx.now();
    const delay = gateway.loadSpreader.pickHeartbeatDelaySeconds(serverTime.getTime(), Math.random);
    return (
      `{"acknowledged":true,"state_version":"${version}",` +
      `"next_heartbeat_seconds":${delay},"server_time":"${serverTime.toISOString()}"}`
    );
  });
}

async function authenticateDevice(
  gateway: DeviceGateway,
  deviceToken: string,
  now: Date,
  telemetry?: Telemetry,
): Promise<Device> {
  if (!isWellFormedSecret('deviceToken', deviceToken)) throw unauthenticated();
  const device = await gateway.findDevice(deviceToken, now);
  if (device === null) throw unauthenticated();
  gateway.recordHeartbeat(device.id, { at: now.getTime(), telemetry });
  return device;
}

/** Hashes everything that the screen shows, and nothing else. */
const toContentVersion = ({ id, name }: Device, digest: string) =>
  hash('sha256', `${digest} ${id} ${name}`).slice(0, 32);

const HEARTBEAT_AFTER_SECONDS = 60;

// This is a hot path, so the parts, which are JSON texts, are joined without parsing them.
const toStateJson = (
  { id, name }: Device,
  { placement, shown }: DisplayContent,
  version: string,
): string =>
  `{"version":"${version}","poll_after_seconds":${pickPollDelaySeconds(Math.random())},` +
  `"heartbeat_after_seconds":${HEARTBEAT_AFTER_SECONDS},` +
  `"device":{"id":"${id}","name":${JSON.stringify(name)},${placement.slice(1)},${shown.slice(1)}`;

/**
 * Gives each device its own retry delay, so that screens that lose the service at the same time do not retry at the
 * same time.
 */
async function spreadRetries<T>(
  { now }: Context,
  { loadSpreader }: DeviceGateway,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = toDomainError(thrown);
    if (!isUnavailable(error)) throw thrown;
    const retryAfterSeconds = loadSpreader.pickRetryDelaySeconds(now().getTime(), Math.random);
    throw unavailable(error.message, error.cause, retryAfterSeconds);
  }
}
