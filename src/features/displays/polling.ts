import { hashSecret, isWellFormed } from '../../auth/secrets.ts';
import type { Ctx } from '../../context.ts';
import type { Statement } from '../../db/sql.ts';
import { unauthenticated } from '../../errors.ts';
import { type Instant, instantOf } from '../../values.ts';
import { READ_STATE, READ_VERSION } from './state.ts';

const POLL_AFTER_SECONDS = 30;
const HEARTBEAT_AFTER_SECONDS = 60;
const JITTER = 0.1;

/** What the device's token shows now: its version and the whole as JSON. Throws UNAUTHENTICATED. */
export async function state(
  ctx: Ctx,
  deviceToken: string,
): Promise<{ version: string; json: string }> {
  const { version, json } = await read<{ id: string; version: string; json: string }>(
    ctx,
    READ_STATE,
    deviceToken,
  );
  const opening = `{"version":"${version}","poll_after_seconds":${POLL_AFTER_SECONDS},"heartbeat_after_seconds":${HEARTBEAT_AFTER_SECONDS},`;
  return { version, json: opening + json.slice(1) };
}

interface Heartbeat {
  acknowledged: true;
  stateVersion: string;
  /** Spread a little, so that devices that woke together do not stay together. */
  nextHeartbeatSeconds: number;
  serverTime: Instant;
}

/** Notes that the device is alive. Throws UNAUTHENTICATED. */
export async function heartbeat(ctx: Ctx, deviceToken: string): Promise<Heartbeat> {
  const { version } = await read<{ id: string; version: string }>(ctx, READ_VERSION, deviceToken);
  const spread = 1 + JITTER * (2 * Math.random() - 1);
  return {
    acknowledged: true,
    stateVersion: version,
    nextHeartbeatSeconds: Math.round(HEARTBEAT_AFTER_SECONDS * spread),
    serverTime: instantOf(ctx.now()),
  };
}

async function read<Row extends { id: string }>(
  ctx: Ctx,
  query: Statement,
  deviceToken: string,
): Promise<Row> {
  if (!isWellFormed('deviceToken', deviceToken)) throw unauthenticated();
  const [row] = await ctx.sql<Row>(query, [hashSecret(deviceToken), ctx.now()]);
  if (row === undefined) throw unauthenticated();
  ctx.writeBehind.displaySeen(row.id);
  return row;
}
