import { hash } from 'node:crypto';
import { isWellFormedSecret } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import { loadSpreader, pickPollDelaySeconds } from '../../core/load-spreading.ts';
import type { Sql } from '../../db/prepared-statement.ts';
import { isUnavailable, toDomainError, unauthenticated, unavailable } from '../../errors.ts';
import { createContentCache, type DisplayContent } from './content-cache.ts';
import { createDeviceLookup, type Device } from './device-lookup.ts';
import { parseTelemetry, type Telemetry } from './heartbeats.ts';

const HEARTBEAT_AFTER_SECONDS = 60;

/**
 * What the device's token shows now: its version and the whole as JSON, which is left out where the device has that
 * version already. Throws UNAUTHENTICATED.
 */
export async function getDisplayState(
  ctx: Context,
  deviceToken: string,
  has: (version: string) => boolean = () => false,
): Promise<{ version: string; json: string }> {
  const { device, digest, contents } = await authenticateAndSpreadRetries(ctx, deviceToken);
  const version = toContentVersion(device, digest);
  if (has(version)) return { version, json: '' };
  const whole = await contents();
  const now = toContentVersion(device, whole.digest); // something may have begun meanwhile
  return { version: now, json: toStateJson(device, whole, now) };
}

/** Depends on what is shown alone. */
const toContentVersion = ({ id, name }: Device, digest: string) =>
  hash('sha256', `${digest} ${id} ${name}`).slice(0, 32);

const toStateJson = ({ id, name }: Device, { place, shown }: DisplayContent, version: string) =>
  `{"version":"${version}","poll_after_seconds":${pickPollDelaySeconds(Math.random())},` +
  `"heartbeat_after_seconds":${HEARTBEAT_AFTER_SECONDS},` +
  `"device":{"id":"${id}","name":${JSON.stringify(name)},${place.slice(1)},${shown.slice(1)}`;

/** Notes that the device is alive and what it tells of itself; answers in JSON. Throws UNAUTHENTICATED. */
export async function acknowledgeHeartbeat(
  ctx: Context,
  deviceToken: string,
  parameters?: URLSearchParams,
): Promise<string> {
  const telemetry = parameters && parseTelemetry(parameters);
  const { device, digest } = await authenticateAndSpreadRetries(ctx, deviceToken, telemetry);
  const now = ctx.now();
  const next = loadSpreader.pickHeartbeatDelaySeconds(now.getTime(), Math.random);
  return (
    `{"acknowledged":true,"state_version":"${toContentVersion(device, digest)}",` +
    `"next_heartbeat_seconds":${next},"server_time":"${now.toISOString()}"}`
  );
}

/** Screens that lose the service together must not come back together: each is given a time of its own. */
async function spreadRetries<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = toDomainError(thrown);
    if (!isUnavailable(error)) throw thrown;
    const retryAfterSeconds = loadSpreader.pickRetryDelaySeconds(ctx.now().getTime(), Math.random);
    throw unavailable(error.message, error.cause, retryAfterSeconds);
  }
}

const authenticateAndSpreadRetries = (ctx: Context, deviceToken: string, telemetry?: Telemetry) =>
  spreadRetries(ctx, () => authenticateDevice(ctx, deviceToken, telemetry));

async function authenticateDevice(ctx: Context, deviceToken: string, telemetry?: Telemetry) {
  if (!isWellFormedSecret('deviceToken', deviceToken)) throw unauthenticated();
  const { find, digestOf, contentsOf } = getReaders(ctx);
  const now = ctx.now();
  const device = await find(deviceToken, now);
  if (device === null) throw unauthenticated();
  ctx.writeBehind.recordHeartbeat(device.id, telemetry);
  const digest = await digestOf(device, now);
  return { device, digest, contents: () => spreadRetries(ctx, () => contentsOf(device, now)) };
}

/** What this process gathers and keeps for all who poll, of one database. */
const readersByDatabase = new WeakMap<Sql, ReturnType<typeof createReaders>>();

const createReaders = (sql: Sql) => ({ find: createDeviceLookup(sql), ...createContentCache(sql) });

function getReaders({ pipelinedSql }: Context) {
  const known = readersByDatabase.get(pipelinedSql);
  if (known) return known;
  const made = createReaders(pipelinedSql);
  readersByDatabase.set(pipelinedSql, made);
  return made;
}
