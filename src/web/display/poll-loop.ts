import { addJitter, getRetryDelaySeconds, sleep } from './back-off.ts';
import {
  callDeviceApi,
  type DeviceResponse,
  type DisplayState,
  type HeartbeatResponse,
} from './device-api.ts';
import type { DisplaySnapshot } from './device-storage.ts';

interface PollLoopHandlers {
  onSnapshot: (snapshot: DisplaySnapshot) => void;
  onConnection: (isConnected: boolean) => void;
}

/** Smaller differences come from network latency, not from the clock. */
const MIN_CLOCK_CHANGE_MS = 3_000;
const MAX_WAIT_SECONDS = 3_600;

/**
 * Polls the display state and sends heartbeats, each when the service asks for it, until the token is rejected. Requests
 * run one after another, so that two of them never run at the same time on a slow network.
 */
export async function runPollLoop(
  token: string,
  initial: DisplaySnapshot | null,
  handlers: PollLoopHandlers,
  signal: AbortSignal,
): Promise<'rejected' | 'aborted'> {
  let snapshot = initial;
  let aheadMs = initial?.aheadMs ?? 0;
  let failures = 0;
  let nextPollAt = 0;
  let nextHeartbeatAt = 1;

  const confirm = (state: DisplayState, etag: string | null) => {
    snapshot = { state, etag, confirmedAt: Date.now() + aheadMs, aheadMs };
    handlers.onSnapshot(snapshot);
    nextPollAt = Date.now() + 1000 * getPollDelaySeconds(state, Date.now() + aheadMs);
  };

  const setClock = (ahead: number) => {
    const change = ahead - aheadMs;
    aheadMs = ahead;
    if (snapshot === null || Math.abs(change) < MIN_CLOCK_CHANGE_MS) return;
    snapshot = { ...snapshot, aheadMs, confirmedAt: snapshot.confirmedAt + change };
    handlers.onSnapshot(snapshot);
  };

  const poll = async () => {
    const etag = snapshot?.etag ?? null;
    const path = `displays/state/${token}`;
    const response = await callDeviceApi<DisplayState>(path, { etag, signal });
    if (response.kind === 'success') confirm(response.data, response.etag);
    else if (response.kind === 'not-modified' && snapshot) confirm(snapshot.state, snapshot.etag);
    return response;
  };

  const sendHeartbeat = async () => {
    const sentAt = Date.now();
    const path = `displays/heartbeat/${token}?${await readTelemetry()}`;
    const response = await callDeviceApi<HeartbeatResponse>(path, { signal });
    if (response.kind !== 'success') return response;
    const { server_time, state_version, next_heartbeat_seconds } = response.data;
    const ahead = new Date(server_time).getTime() - (sentAt + Date.now()) / 2;
    setClock(Math.abs(ahead) < MIN_CLOCK_CHANGE_MS ? 0 : Math.round(ahead));
    nextHeartbeatAt = Date.now() + 1000 * next_heartbeat_seconds;
    if (state_version !== snapshot?.state.version) nextPollAt = 0;
    return response;
  };

  while (!signal.aborted) {
    const response: DeviceResponse<unknown> =
      nextPollAt <= nextHeartbeatAt ? await poll() : await sendHeartbeat();
    if (signal.aborted) break;
    if (response.kind === 'rejected' && response.status === 401) return 'rejected';
    const isConnected = response.kind === 'success' || response.kind === 'not-modified';
    handlers.onConnection(isConnected);
    failures = isConnected ? 0 : failures + 1;
    const retryAfter = response.kind === 'unavailable' ? response.retryAfterSeconds : null;
    const delay = isConnected
      ? (Math.min(nextPollAt, nextHeartbeatAt) - Date.now()) / 1000
      : getRetryDelaySeconds(failures, retryAfter);
    await sleep(Math.min(delay, MAX_WAIT_SECONDS), signal, window);
  }
  return 'aborted';
}

/** Uses the interval from the service, or a shorter one if the content is about to change on schedule. */
function getPollDelaySeconds(state: DisplayState, now: number): number {
  const regular = addJitter(state.poll_after_seconds);
  if (state.next_change_at === null) return regular;
  const change =
    (new Date(state.next_change_at).getTime() - now) / 1000 + 0.3 + 1.7 * Math.random();
  return change > 0 ? Math.min(regular, change) : regular;
}

const APP_VERSION = 'foyer-web-1';
const startedAtMs = Date.now();

/** Returns what a device reports about itself, as query parameters. */
async function readTelemetry(): Promise<string> {
  const telemetry = new URLSearchParams({
    app_version: APP_VERSION,
    uptime: String(Math.round((Date.now() - startedAtMs) / 1000)),
  });
  const battery = await readBatteryPercent();
  if (battery !== null) telemetry.set('battery', String(battery));
  return telemetry.toString();
}

interface Battery {
  level: number;
}

/** Returns null in browsers without the Battery API, and everywhere without HTTPS. */
async function readBatteryPercent(): Promise<number | null> {
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  try {
    const battery = await getBattery?.call(navigator);
    return battery ? Math.round(battery.level * 100) : null;
  } catch {
    return null;
  }
}
