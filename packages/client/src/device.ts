import { addJitter, getRetryDelaySeconds, sleep } from './device-delays.ts';
import { type DeviceResponse, sendDeviceRequest } from './device-requests.ts';
import type { components } from './generated/rest-types.ts';
import type { RestInput } from './rest.ts';
import type { Transport } from './transport.ts';

export { getRetryDelaySeconds, sleep } from './device-delays.ts';
export { type PairingCode, type PairingOptions, pairDevice } from './device-pairing.ts';

/** What a display shows, and when it polls again. */
export type DisplayState = components['schemas']['DisplayState'];

/** The last known state. It covers the next day, so a display can work offline. */
export interface DisplaySnapshot {
  state: DisplayState;
  etag: string | null;
  /** When the service last confirmed this state, in milliseconds by the service's clock. */
  confirmedAt: number;
  /** How far the service's clock is ahead of this device's, in milliseconds. */
  aheadMs: number;
}

export interface DisplayStatus {
  /** Null until the first state has arrived. While the service cannot be reached, it stays as it is. */
  snapshot: DisplaySnapshot | null;
  /** By the clock of this device. Null while the service can be reached. */
  offlineSince: Date | null;
}

/** What a device reports about itself. */
export type Telemetry = RestInput<'sendDisplayHeartbeatWithHeader'>;

export interface DisplayOptions {
  /** The last snapshot that you have stored, to show until the service responds. */
  snapshot?: DisplaySnapshot | null;
  /** Called before each heartbeat. */
  readTelemetry?: () => Telemetry | Promise<Telemetry>;
  /** Its event `online` ends the waiting before the next request, such as that of `window`. */
  wakeUp?: EventTarget;
  /** Ends the loop. */
  signal?: AbortSignal;
}

/** Smaller differences come from network latency, not from the clock. */
const MIN_CLOCK_CHANGE_MS = 3_000;
const MAX_WAIT_SECONDS = 3_600;

/**
 * Polls the content of a display and sends heartbeats, each when the service asks for it, and iterates over what changes. The token of
 * the transport is that of the device. Requests run one after another, so that two of them never run at the same time on a slow network.
 * @throws FoyerError with the code UNAUTHENTICATED when the token is rejected: delete what you have stored, and pair again. With the code
 * UNEXPECTED_RESPONSE when the address redirects to another one, where `fetch` does not send the token: keep it, and correct the address
 */
export async function* followDisplay(
  transport: Transport,
  { snapshot: initial = null, readTelemetry = () => ({}), wakeUp, signal }: DisplayOptions = {},
): AsyncGenerator<DisplayStatus, void> {
  let snapshot = initial;
  let aheadMs = initial?.aheadMs ?? 0;
  let offlineSince: Date | null = null;
  let failures = 0;
  let nextPollAt = 0;
  let nextHeartbeatAt = 1;

  const confirm = (state: DisplayState, etag: string | null) => {
    snapshot = { state, etag, confirmedAt: Date.now() + aheadMs, aheadMs };
    nextPollAt = Date.now() + 1000 * getPollDelaySeconds(state, Date.now() + aheadMs);
  };

  const setClock = (ahead: number) => {
    const change = ahead - aheadMs;
    aheadMs = ahead;
    if (snapshot === null || Math.abs(change) < MIN_CLOCK_CHANGE_MS) return;
    snapshot = { ...snapshot, aheadMs, confirmedAt: snapshot.confirmedAt + change };
  };

  const poll = async () => {
    const etag = snapshot?.etag ?? null;
    const request = { path: '/displays/state', etag, signal };
    const response = await sendDeviceRequest<DisplayState>(transport, request);
    if (response.kind === 'success') confirm(response.data, response.etag);
    else if (response.kind === 'not-modified' && snapshot) confirm(snapshot.state, snapshot.etag);
    return response;
  };

  const sendHeartbeat = async () => {
    const query = await readTelemetry();
    const sentAt = Date.now();
    const request = { path: '/displays/heartbeat', query, signal };
    const response = await sendDeviceRequest<components['schemas']['HeartbeatAcknowledgement']>(
      transport,
      request,
    );
    if (response.kind !== 'success') return response;
    const { server_time, state_version, next_heartbeat_seconds } = response.data;
    const ahead = new Date(server_time).getTime() - (sentAt + Date.now()) / 2;
    setClock(Math.abs(ahead) < MIN_CLOCK_CHANGE_MS ? 0 : Math.round(ahead));
    nextHeartbeatAt = Date.now() + 1000 * next_heartbeat_seconds;
    if (state_version !== snapshot?.state.version) nextPollAt = 0;
    return response;
  };

  while (!signal?.aborted) {
    const before: DisplayStatus = { snapshot, offlineSince };
    // Content that is due goes first, so that it stays current even if the service rejects every heartbeat.
    const isPollNext = nextPollAt <= Math.max(nextHeartbeatAt, Date.now());
    const response: DeviceResponse<unknown> = isPollNext ? await poll() : await sendHeartbeat();
    if (signal?.aborted) return;
    if (response.kind === 'rejected' && response.error.status === 401) throw response.error;
    const isConnected = response.kind === 'success' || response.kind === 'not-modified';
    failures = isConnected ? 0 : failures + 1;
    offlineSince = isConnected ? null : (offlineSince ?? new Date());
    if (snapshot !== before.snapshot || offlineSince !== before.offlineSince)
      yield { snapshot, offlineSince };
    const retryAfter = response.kind === 'unavailable' ? response.retryAfterSeconds : null;
    const delay = isConnected
      ? (Math.min(nextPollAt, nextHeartbeatAt) - Date.now()) / 1000
      : getRetryDelaySeconds(failures, retryAfter);
    await sleep(Math.min(delay, MAX_WAIT_SECONDS), signal, wakeUp);
  }
}

/** Uses the interval from the service, or a shorter one if the content is about to change on schedule. */
function getPollDelaySeconds(state: DisplayState, now: number): number {
  const regular = addJitter(state.poll_after_seconds);
  if (state.next_change_at === null) return regular;
  const change =
    (new Date(state.next_change_at).getTime() - now) / 1000 + 0.3 + 1.7 * Math.random();
  return change > 0 ? Math.min(regular, change) : regular;
}
