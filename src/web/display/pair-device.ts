import { addJitter, getRetryDelaySeconds, sleep } from './back-off.ts';
import { callDeviceApi, type PairingResponse, type PairingStatusResponse } from './device-api.ts';

interface PairingHandlers {
  /** Called with each new code and when it expires by this device's clock. */
  onCode: (code: { text: string; expiresAt: number }) => void;
  onConnection: (isConnected: boolean) => void;
}

// With a wrong device clock the expiry from the service would be useless, so this lifetime is used instead.
const CODE_LIFETIME_MS = 10 * 60_000;

/** Requests pairing codes, one after another, until staff claims one. Returns the device token, or null if aborted. */
export async function pairDevice(
  handlers: PairingHandlers,
  signal: AbortSignal,
): Promise<string | null> {
  let failures = 0;
  while (!signal.aborted) {
    const response = await callDeviceApi<PairingResponse>('displays/pairings', {
      method: 'POST',
      signal,
    });
    if (response.kind === 'success') {
      failures = 0;
      const pairing = response.data;
      handlers.onConnection(true);
      handlers.onCode({ text: pairing.pairing_code, expiresAt: getCodeExpiry(pairing) });
      const token = await waitForClaim(pairing, handlers, signal);
      if (token !== null) return token;
      await sleep(addJitter(1), signal); // never request codes in a tight loop
    } else {
      failures += 1;
      const retryAfter = response.kind === 'unavailable' ? response.retryAfterSeconds : null;
      handlers.onConnection(retryAfter !== null);
      await sleep(getRetryDelaySeconds(failures, retryAfter), signal, window);
    }
  }
  return null;
}

function getCodeExpiry({ expires_at }: PairingResponse): number {
  const remaining = new Date(expires_at).getTime() - Date.now();
  const isPlausible = remaining > 0 && remaining <= CODE_LIFETIME_MS + 60_000;
  return Date.now() + (isPlausible ? remaining : CODE_LIFETIME_MS);
}

/** Returns the device token once staff has claimed the code, or null if the code is no longer valid. */
async function waitForClaim(
  pairing: PairingResponse,
  handlers: PairingHandlers,
  signal: AbortSignal,
): Promise<string | null> {
  let failures = 0;
  while (!signal.aborted) {
    const delay =
      failures === 0 ? addJitter(pairing.poll_after_seconds) : getRetryDelaySeconds(failures, null);
    await sleep(delay, signal, window);
    const response = await callDeviceApi<PairingStatusResponse>(
      `displays/pairings/${pairing.poll_token}`,
      { signal },
    );
    if (response.kind === 'unavailable') {
      failures += 1;
      handlers.onConnection(response.retryAfterSeconds !== null);
      if (response.retryAfterSeconds !== null) await sleep(response.retryAfterSeconds, signal);
      continue;
    }
    failures = 0;
    handlers.onConnection(true);
    if (response.kind !== 'success') return null;
    const { status, device_token } = response.data;
    if (status === 'claimed' && device_token) return device_token;
    if (status !== 'pending') return null;
  }
  return null;
}
