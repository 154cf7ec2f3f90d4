import { addJitter, getRetryDelaySeconds, sleep } from './back-off.ts';
import {
  callDeviceApi,
  type DeviceResponse,
  type DisplayState,
  type HeartbeatResponse,
} from './device-api.ts';
import type { DisplaySnapshot } from './device-storage.ts';

interface PollLoopHandlers {
  onSnapshot: (kept: DisplaySnapshot) => void;
  onConnection: (isThere: boolean) => void;
}

/** Smaller differences come from the way, not from the clock. */
const MIN_CLOCK_CHANGE_MS = 3_000;
const MAX_WAIT_SECONDS = 3_600;

/**
 * Polls what there is to show and tells that the screen is alive, each when the service asked for it, until the token is
 * refused. One thing after the other, so that a slow network never has two of them on the way.
 */
export async function runPollLoop(
  token: string,
  first: DisplaySnapshot | null,
  told: PollLoopHandlers,
  signal: AbortSignal,
): Promise<'refused' | 'given up'> {
  let kept = first;
  let aheadMs = first?.aheadMs ?? 0;
  let failures = 0;
  let pollAt = 0;
  let beatAt = 1;

  const confirm = (state: DisplayState, etag: string | null) => {
    kept = { state, etag, confirmedAt: Date.now() + aheadMs, aheadMs };
    told.onSnapshot(kept);
    pollAt = Date.now() + 1000 * getPollDelaySeconds(state, Date.now() + aheadMs);
  };

  const setClock = (ahead: number) => {
    const change = ahead - aheadMs;
    aheadMs = ahead;
    if (kept === null || Math.abs(change) < MIN_CLOCK_CHANGE_MS) return;
    kept = { ...kept, aheadMs, confirmedAt: kept.confirmedAt + change };
    told.onSnapshot(kept);
  };

  const poll = async () => {
    const etag = kept?.etag ?? null;
    const answer = await callDeviceApi<DisplayState>(`displays/state/${token}`, { etag, signal });
    if (answer.kind === 'answered') confirm(answer.data, answer.etag);
    else if (answer.kind === 'unchanged' && kept) confirm(kept.state, kept.etag);
    return answer;
  };

  const beat = async () => {
    const sent = Date.now();
    const path = `displays/heartbeat/${token}?${await readTelemetry()}`;
    const answer = await callDeviceApi<HeartbeatResponse>(path, { signal });
    if (answer.kind !== 'answered') return answer;
    const { server_time, state_version, next_heartbeat_seconds } = answer.data;
    const ahead = new Date(server_time).getTime() - (sent + Date.now()) / 2;
    setClock(Math.abs(ahead) < MIN_CLOCK_CHANGE_MS ? 0 : Math.round(ahead));
    beatAt = Date.now() + 1000 * next_heartbeat_seconds;
    if (state_version !== kept?.state.version) pollAt = 0;
    return answer;
  };

  while (!signal.aborted) {
    const answer: DeviceResponse<unknown> = pollAt <= beatAt ? await poll() : await beat();
    if (signal.aborted) break;
    if (answer.kind === 'refused' && answer.status === 401) return 'refused';
    const isThere = answer.kind === 'answered' || answer.kind === 'unchanged';
    told.onConnection(isThere);
    failures = isThere ? 0 : failures + 1;
    const retryAfter = answer.kind === 'later' ? answer.retryAfterSeconds : null;
    const wait = isThere
      ? (Math.min(pollAt, beatAt) - Date.now()) / 1000
      : getRetryDelaySeconds(failures, retryAfter);
    await sleep(Math.min(wait, MAX_WAIT_SECONDS), signal, window);
  }
  return 'given up';
}

/** As asked for, or just after what is shown changes by itself. */
function getPollDelaySeconds(state: DisplayState, now: number): number {
  const usual = addJitter(state.poll_after_seconds);
  if (state.next_change_at === null) return usual;
  const change =
    (new Date(state.next_change_at).getTime() - now) / 1000 + 0.3 + 1.7 * Math.random();
  return change > 0 ? Math.min(usual, change) : usual;
}

const APP_VERSION = 'foyer-web-1';
const startedAtMs = Date.now();

interface Battery {
  level: number;
}

/** What a device may tell of itself, as query parameters. */
async function readTelemetry(): Promise<string> {
  const told = new URLSearchParams({
    app_version: APP_VERSION,
    uptime: String(Math.round((Date.now() - startedAtMs) / 1000)),
  });
  const battery = await readBatteryPercent();
  if (battery !== null) told.set('battery', String(battery));
  return told.toString();
}

/** Only some browsers tell, and only over https. */
async function readBatteryPercent(): Promise<number | null> {
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  try {
    const battery = await getBattery?.call(navigator);
    return battery ? Math.round(battery.level * 100) : null;
  } catch {
    return null;
  }
}
