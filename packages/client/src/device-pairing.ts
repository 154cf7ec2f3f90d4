import { addJitter, getRetryDelaySeconds, sleep } from './device-delays.ts';
import { sendDeviceRequest } from './device-requests.ts';
import type { RestResult } from './rest.ts';
import type { Transport } from './transport.ts';

type Pairing = RestResult<'createDisplayPairing'>;
type PairingStatus = RestResult<'getDisplayPairing'>;

export interface PairingCode {
  text: string;
  /** By the clock of this device, in milliseconds. */
  expiresAt: number;
}

export interface PairingOptions {
  /** Called with each new code, which the device shows. */
  onCode: (code: PairingCode) => void;
  /** Called after each request with whether the service has responded. */
  onConnection?: (isConnected: boolean) => void;
  /** Its event `online` ends the waiting before the next attempt, such as that of `window`. */
  wakeUp?: EventTarget;
  signal?: AbortSignal;
}

// With a wrong device clock the expiry from the service would be useless, so this lifetime is used instead.
const CODE_LIFETIME_MS = 10 * 60_000;

/** Requests pairing codes, one after another, until staff claims one. Returns the device token, or null if aborted. */
export async function pairDevice(
  transport: Transport,
  options: PairingOptions,
): Promise<string | null> {
  const { onCode, onConnection, wakeUp, signal } = options;
  let failures = 0;
  while (!signal?.aborted) {
    const request = { method: 'POST', path: '/displays/pairings', signal } as const;
    const response = await sendDeviceRequest<Pairing>(transport, request);
    if (signal?.aborted) break;
    if (response.kind === 'success') {
      failures = 0;
      const pairing = response.data;
      onConnection?.(true);
      onCode({ text: pairing.pairing_code, expiresAt: getCodeExpiry(pairing) });
      const token = await waitForClaim(transport, pairing, options);
      if (token !== null) return token;
      await sleep(addJitter(1), signal); // never request codes in a tight loop
    } else {
      failures += 1;
      const retryAfter = response.kind === 'unavailable' ? response.retryAfterSeconds : null;
      onConnection?.(retryAfter !== null);
      await sleep(getRetryDelaySeconds(failures, retryAfter), signal, wakeUp);
    }
  }
  return null;
}

function getCodeExpiry({ expires_at }: Pairing): number {
  const remaining = new Date(expires_at).getTime() - Date.now();
  const isPlausible = remaining > 0 && remaining <= CODE_LIFETIME_MS + 60_000;
  return Date.now() + (isPlausible ? remaining : CODE_LIFETIME_MS);
}

/** Returns the device token once staff has claimed the code, or null if the code is no longer valid. */
async function waitForClaim(
  transport: Transport,
  pairing: Pairing,
  { onConnection, wakeUp, signal }: PairingOptions,
): Promise<string | null> {
  let failures = 0;
  let delay = addJitter(pairing.poll_after_seconds);
  for (;;) {
    await sleep(delay, signal, wakeUp);
    if (signal?.aborted) return null;
    const request = { path: `/displays/pairings/${pairing.poll_token}`, signal };
    const response = await sendDeviceRequest<PairingStatus>(transport, request);
    if (signal?.aborted) return null;
    if (response.kind === 'unavailable') {
      failures += 1;
      delay = getRetryDelaySeconds(failures, response.retryAfterSeconds);
      onConnection?.(response.retryAfterSeconds !== null);
      continue;
    }
    failures = 0;
    delay = addJitter(pairing.poll_after_seconds);
    onConnection?.(true);
    if (response.kind !== 'success') return null;
    const { status, device_token } = response.data;
    if (status === 'claimed' && device_token) return device_token;
    if (status !== 'pending') return null;
  }
}
