import { addJitter, getRetryDelaySeconds, sleep } from './back-off.ts';
import { callDeviceApi, type PairingResponse, type PairingStatusResponse } from './device-api.ts';

interface PairingHandlers {
  /** A code to show, until then by this device's own clock. */
  onCode: (code: { text: string; expiresAt: number }) => void;
  onConnection: (isThere: boolean) => void;
}

// A screen whose clock is wrong would show a code as run out that is good, or the other way round.
const CODE_LIFETIME_MS = 10 * 60_000;

/** Asks for a code, and for a fresh one whenever it runs out, until staff claims one. Null when given up. */
export async function pairDevice(
  told: PairingHandlers,
  signal: AbortSignal,
): Promise<string | null> {
  let failures = 0;
  while (!signal.aborted) {
    const asked = await callDeviceApi<PairingResponse>('displays/pairings', {
      method: 'POST',
      signal,
    });
    if (asked.kind === 'answered') {
      failures = 0;
      told.onConnection(true);
      told.onCode({ text: asked.data.pairing_code, expiresAt: getCodeExpiry(asked.data) });
      const token = await waitForClaim(asked.data, told, signal);
      if (token !== null) return token;
      await sleep(addJitter(1), signal); // whatever is wrong with codes, they are not asked for in a rush
    } else {
      failures += 1;
      told.onConnection(asked.kind === 'later' && asked.retryAfterSeconds !== null);
      const retryAfter = asked.kind === 'later' ? asked.retryAfterSeconds : null;
      await sleep(getRetryDelaySeconds(failures, retryAfter), signal, window);
    }
  }
  return null;
}

function getCodeExpiry({ expires_at }: PairingResponse): number {
  const left = new Date(expires_at).getTime() - Date.now();
  return Date.now() + (left > 0 && left <= CODE_LIFETIME_MS + 60_000 ? left : CODE_LIFETIME_MS);
}

/** The device's token once there is one; null where the code is good no more. */
async function waitForClaim(
  pairing: PairingResponse,
  told: PairingHandlers,
  signal: AbortSignal,
): Promise<string | null> {
  let failures = 0;
  while (!signal.aborted) {
    const waited =
      failures === 0 ? addJitter(pairing.poll_after_seconds) : getRetryDelaySeconds(failures, null);
    await sleep(waited, signal, window);
    const answer = await callDeviceApi<PairingStatusResponse>(
      `displays/pairings/${pairing.poll_token}`,
      { signal },
    );
    if (answer.kind === 'later') {
      failures += 1;
      told.onConnection(answer.retryAfterSeconds !== null);
      if (answer.retryAfterSeconds !== null) await sleep(answer.retryAfterSeconds, signal);
      continue;
    }
    failures = 0;
    told.onConnection(true);
    if (answer.kind !== 'answered') return null;
    if (answer.data.status === 'claimed' && answer.data.device_token)
      return answer.data.device_token;
    if (answer.data.status !== 'pending') return null;
  }
  return null;
}
