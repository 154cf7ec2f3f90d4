import type { Context } from '../context.ts';
import { recordHeartbeats, type Telemetry } from '../features/displays/heartbeats.ts';
import { LIVE_DISPLAY_NAMES } from './displays.ts';

/** Devices send a heartbeat about once a minute. */
const HEARTBEAT_INTERVAL_MS = 30_000;

/** Says in the panel that no device is behind the display. */
const SIMULATED_TELEMETRY: Telemetry = {
  appVersion: 'simulated',
  uptimeSeconds: null,
  batteryPercent: null,
};

/**
 * Keeps displays of the demo online as long as the process runs: nobody has screens on the wall while trying the demo.
 * These heartbeats are simulated. One display gets none, so that the panel also shows an offline one.
 */
export async function simulateDisplays(ctx: Context): Promise<void> {
  const record = async () => {
    const displays = await ctx.db.display.findMany({
      where: { name: { in: LIVE_DISPLAY_NAMES }, revokedAt: null },
      select: { id: true },
    });
    const at = ctx.now();
    const heartbeat = { at: at.getTime(), telemetry: SIMULATED_TELEMETRY };
    await recordHeartbeats(ctx.lockingSql, new Map(displays.map(({ id }) => [id, heartbeat])), at);
  };
  await record();
  setInterval(() => {
    record().catch((error) => ctx.log.warn({ err: error }, 'cannot simulate displays'));
  }, HEARTBEAT_INTERVAL_MS).unref();
}
