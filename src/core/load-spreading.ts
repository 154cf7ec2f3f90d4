// Spreads the requests of devices over time. Devices that lose the service at the same time reconnect at the same time, and
// without random delays they would keep polling at the same time.

const JITTER_RATIO = 0.1;

const HEARTBEAT_INTERVAL_SECONDS = 60;
const MIN_HEARTBEAT_SECONDS = HEARTBEAT_INTERVAL_SECONDS * (1 - JITTER_RATIO);
const MAX_HEARTBEAT_SECONDS = HEARTBEAT_INTERVAL_SECONDS * (1 + JITTER_RATIO);
/** A display counts as online for 150 seconds after a heartbeat. */
const MAX_DELAY_SECONDS = 120;
const SLOTS_PER_SECOND = 10;

/**
 * How many heartbeats one process plans for. Displays poll their state twice as often, so a million displays need two
 * processes.
 */
const MAX_HEARTBEATS_PER_SECOND = 9_000;

const MIN_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 90;

/** Picks how long a device waits before its next request. `nowMs` is the time of the current one; delays are in seconds. */
export interface LoadSpreader {
  /** After a successful heartbeat: 54 to 66 seconds, or up to 120 if these are full. */
  pickHeartbeatDelaySeconds(nowMs: number, random: () => number): number;
  /** After an error: 5 to 90 seconds, or up to 120 if these are full. */
  pickRetryDelaySeconds(nowMs: number, random: () => number): number;
}

/**
 * Creates a spreader that schedules at most `perSecond` requests in each coming second, while slots last. A slot is a tenth
 * of a second. Planning ahead spreads many simultaneous devices in one round. Reacting to the measured load would come too
 * late and oscillate.
 */
export function createLoadSpreader(perSecond = MAX_HEARTBEATS_PER_SECOND): LoadSpreader {
  const maxPerSlot = perSecond / SLOTS_PER_SECOND;
  const scheduled = new Uint32Array((MAX_DELAY_SECONDS + 1) * SLOTS_PER_SECOND);
  let currentSlot = 0;

  const advanceTo = (slot: number) => {
    const passed = Math.min(slot - currentSlot, scheduled.length);
    for (let n = 1; n <= passed; n += 1) scheduled[(slot - n) % scheduled.length] = 0;
    currentSlot = Math.max(currentSlot, slot);
  };

  const reserveDelay = (nowMs: number, min: number, max: number, random: () => number): number => {
    advanceTo(Math.floor((nowMs * SLOTS_PER_SECOND) / 1000));
    const toSlot = (delay: number) => (currentSlot + delay * SLOTS_PER_SECOND) % scheduled.length;
    const countScheduled = (delay: number) => scheduled[toSlot(delay)] ?? 0;
    const [first, second] = [pickBetween(min, max, random()), pickBetween(min, max, random())];
    // Choosing the emptier of two random slots spreads the load within a few rounds.
    let delay = countScheduled(first) <= countScheduled(second) ? first : second;
    while (countScheduled(delay) >= maxPerSlot && delay < MAX_DELAY_SECONDS) delay += 1;
    // If all slots are full, a random one spreads the excess evenly.
    if (countScheduled(delay) >= maxPerSlot) delay = pickBetween(min, MAX_DELAY_SECONDS, random());
    scheduled[toSlot(delay)] = countScheduled(delay) + 1;
    return delay;
  };

  return {
    pickHeartbeatDelaySeconds: (nowMs, random) =>
      reserveDelay(nowMs, MIN_HEARTBEAT_SECONDS, MAX_HEARTBEAT_SECONDS, random),
    pickRetryDelaySeconds: (nowMs, random) =>
      reserveDelay(nowMs, MIN_RETRY_SECONDS, MAX_RETRY_SECONDS, random),
  };
}

/** Picks the delay between polls of a display's state: 27 to 33 seconds, at random, so that devices do not synchronize. */
export const pickPollDelaySeconds = (random: number): number => pickBetween(27, 33, random);

/** Picks the delay between polls of a pairing: 3 to 5 seconds. */
export const pickPairingPollDelaySeconds = (random: number): number => pickBetween(3, 5, random);

const pickBetween = (min: number, max: number, random: number) =>
  min + Math.floor(random * (max - min + 1));
