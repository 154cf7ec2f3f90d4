import { hash } from 'node:crypto';
import { isWellFormed } from '../../auth/secrets.ts';
import type { Ctx } from '../../context.ts';
import type { Sql } from '../../db/sql.ts';
import { isUnavailable, toDomainError, unauthenticated, unavailable } from '../../errors.ts';
import { type Contents, contentsIn } from './contents.ts';
import { type Device, devicesIn } from './devices.ts';
import { appointments, pollAfterSeconds } from './pace.ts';
import { type Telemetry, telemetryIn } from './pulses.ts';

const HEARTBEAT_AFTER_SECONDS = 60;

/**
 * What the device's token shows now: its version and the whole as JSON, which is left out where the device has that
 * version already. Throws UNAUTHENTICATED.
 */
export async function state(
  ctx: Ctx,
  deviceToken: string,
  has: (version: string) => boolean = () => false,
): Promise<{ version: string; json: string }> {
  const { device, digest, contents } = await seen(ctx, deviceToken);
  const version = versionOf(device, digest);
  if (has(version)) return { version, json: '' };
  const whole = await contents();
  const now = versionOf(device, whole.digest); // something may have begun meanwhile
  return { version: now, json: stateOf(device, whole, now) };
}

/** Depends on what is shown alone. */
const versionOf = ({ id, name }: Device, digest: string) =>
  hash('sha256', `${digest} ${id} ${name}`).slice(0, 32);

const stateOf = ({ id, name }: Device, { place, shown }: Contents, version: string) =>
  `{"version":"${version}","poll_after_seconds":${pollAfterSeconds(Math.random())},` +
  `"heartbeat_after_seconds":${HEARTBEAT_AFTER_SECONDS},` +
  `"device":{"id":"${id}","name":${JSON.stringify(name)},${place.slice(1)},${shown.slice(1)}`;

/** Notes that the device is alive and what it tells of itself; answers in JSON. Throws UNAUTHENTICATED. */
export async function heartbeat(
  ctx: Ctx,
  deviceToken: string,
  parameters?: URLSearchParams,
): Promise<string> {
  const telemetry = parameters && telemetryIn(parameters);
  const { device, digest } = await seen(ctx, deviceToken, telemetry);
  const now = ctx.now();
  const next = appointments.beat(now.getTime(), Math.random);
  return (
    `{"acknowledged":true,"state_version":"${versionOf(device, digest)}",` +
    `"next_heartbeat_seconds":${next},"server_time":"${now.toISOString()}"}`
  );
}

/** Screens that lose the service together must not come back together: each is given a time of its own. */
async function spreadRetries<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = toDomainError(thrown);
    if (!isUnavailable(error)) throw thrown;
    const retryAfterSeconds = appointments.retry(ctx.now().getTime(), Math.random);
    throw unavailable(error.message, error.cause, retryAfterSeconds);
  }
}

const seen = (ctx: Ctx, deviceToken: string, telemetry?: Telemetry) =>
  spreadRetries(ctx, () => findScreen(ctx, deviceToken, telemetry));

async function findScreen(ctx: Ctx, deviceToken: string, telemetry?: Telemetry) {
  if (!isWellFormed('deviceToken', deviceToken)) throw unauthenticated();
  const { find, digestOf, contentsOf } = screensOf(ctx);
  const now = ctx.now();
  const device = await find(deviceToken, now);
  if (device === null) throw unauthenticated();
  ctx.writeBehind.displaySeen(device.id, telemetry);
  const digest = await digestOf(device, now);
  return { device, digest, contents: () => spreadRetries(ctx, () => contentsOf(device, now)) };
}

/** What this process gathers and keeps for all who poll, of one database. */
const screens = new WeakMap<Sql, ReturnType<typeof screensIn>>();

const screensIn = (sql: Sql) => ({ find: devicesIn(sql), ...contentsIn(sql) });

function screensOf({ sql }: Ctx) {
  const known = screens.get(sql);
  if (known) return known;
  const made = screensIn(sql);
  screens.set(sql, made);
  return made;
}
