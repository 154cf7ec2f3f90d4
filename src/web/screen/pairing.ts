import { jittered, pause, waitSeconds } from './back-off.ts';
import { ask, type Pairing, type PairingState } from './wire.ts';

interface Told {
  /** A code to show, until then by this device's own clock. */
  onCode: (code: { text: string; expiresAt: number }) => void;
  onConnection: (isThere: boolean) => void;
}

// A screen whose clock is wrong would show a code as run out that is good, or the other way round.
const LIFETIME_MS = 10 * 60_000;

/** Asks for a code, and for a fresh one whenever it runs out, until staff claims one. Null when given up. */
export async function pair(told: Told, signal: AbortSignal): Promise<string | null> {
  let failures = 0;
  while (!signal.aborted) {
    const asked = await ask<Pairing>('displays/pairings', { method: 'POST', signal });
    if (asked.kind === 'answered') {
      failures = 0;
      told.onConnection(true);
      told.onCode({ text: asked.data.pairing_code, expiresAt: expiryOf(asked.data) });
      const token = await claimed(asked.data, told, signal);
      if (token !== null) return token;
      await pause(jittered(1), signal); // whatever is wrong with codes, they are not asked for in a rush
    } else {
      failures += 1;
      told.onConnection(asked.kind === 'later' && asked.retryAfterSeconds !== null);
      const retryAfter = asked.kind === 'later' ? asked.retryAfterSeconds : null;
      await pause(waitSeconds(failures, retryAfter), signal, window);
    }
  }
  return null;
}

function expiryOf({ expires_at }: Pairing): number {
  const left = new Date(expires_at).getTime() - Date.now();
  return Date.now() + (left > 0 && left <= LIFETIME_MS + 60_000 ? left : LIFETIME_MS);
}

/** The device's token once there is one; null where the code is good no more. */
async function claimed(pairing: Pairing, told: Told, signal: AbortSignal): Promise<string | null> {
  let failures = 0;
  while (!signal.aborted) {
    const waited =
      failures === 0 ? jittered(pairing.poll_after_seconds) : waitSeconds(failures, null);
    await pause(waited, signal, window);
    const answer = await ask<PairingState>(`displays/pairings/${pairing.poll_token}`, { signal });
    if (answer.kind === 'later') {
      failures += 1;
      told.onConnection(answer.retryAfterSeconds !== null);
      if (answer.retryAfterSeconds !== null) await pause(answer.retryAfterSeconds, signal);
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
