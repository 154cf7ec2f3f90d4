// Spreads the requests of devices over time. Devices that lose the service together come back together, and without a random
// share they would stay together for ever.

const JITTER_RATIO = 0.1;

const HEARTBEAT_INTERVAL_SECONDS = 60;
const MIN_HEARTBEAT_SECONDS = HEARTBEAT_INTERVAL_SECONDS * (1 - JITTER_RATIO);
const MAX_HEARTBEAT_SECONDS = HEARTBEAT_INTERVAL_SECONDS * (1 + JITTER_RATIO);
/** A display counts as online for 150 seconds after a heartbeat. */
const MAX_DELAY_SECONDS = 120;
const SLOTS_PER_SECOND = 10;

const MIN_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 90;

/** Both pick after how many seconds a device that called at `nowMs` calls again. */
export interface LoadSpreader {
  /** After a successful heartbeat: 54 to 66 seconds, or up to 120 if these are full. */
  pickHeartbeatDelaySeconds(nowMs: number, random: () => number): number;
  /** After an error: 5 to 90 seconds, or up to 120 if these are full. */
  pickRetryDelaySeconds(nowMs: number, random: () => number): number;
}

/**
 * Creates a spreader that books at most `perSecond` devices into each second ahead, as long as there is room. It counts bookings by
 * tenths of a second. Planning ahead spreads a crowd in one round. Reacting to the measured load would be too late, and would swing.
 */
export function createLoadSpreader(perSecond: number): LoadSpreader {
  const maxPerSlot = perSecond / SLOTS_PER_SECOND;
  const booked = new Uint32Array((MAX_DELAY_SECONDS + 1) * SLOTS_PER_SECOND);
  let currentSlot = 0;

  const advanceTo = (slot: number) => {
    const passed = Math.min(slot - currentSlot, booked.length);
    for (let n = 1; n <= passed; n += 1) booked[(slot - n) % booked.length] = 0;
    currentSlot = Math.max(currentSlot, slot);
  };

  const bookDelay = (nowMs: number, min: number, max: number, random: () => number): number => {
    advanceTo(Math.floor((nowMs * SLOTS_PER_SECOND) / 1000));
    const toSlot = (delay: number) => (currentSlot + delay * SLOTS_PER_SECOND) % booked.length;
    const countBooked = (delay: number) => booked[toSlot(delay)] ?? 0;
    const [first, second] = [pickBetween(min, max, random()), pickBetween(min, max, random())];
    // The emptier of two random slots: this alone dissolves crowds within a few rounds.
    let delay = countBooked(first) <= countBooked(second) ? first : second;
    while (countBooked(delay) >= maxPerSlot && delay < MAX_DELAY_SECONDS) delay += 1;
    // If all slots are full, a random one is the fairest.
    if (countBooked(delay) >= maxPerSlot) delay = pickBetween(min, MAX_DELAY_SECONDS, random());
    booked[toSlot(delay)] = countBooked(delay) + 1;
    return delay;
  };

  return {
    pickHeartbeatDelaySeconds: (nowMs, random) =>
      bookDelay(nowMs, MIN_HEARTBEAT_SECONDS, MAX_HEARTBEAT_SECONDS, random),
    pickRetryDelaySeconds: (nowMs, random) =>
      bookDelay(nowMs, MIN_RETRY_SECONDS, MAX_RETRY_SECONDS, random),
  };
}

/** How many heartbeats a second one process plans for. States are polled twice as often. So a million displays need two processes. */
const MAX_HEARTBEATS_PER_SECOND = 9_000;

/** The spreader of this process. */
export const loadSpreader: LoadSpreader = createLoadSpreader(MAX_HEARTBEATS_PER_SECOND);

/** The delay until a device polls its state again: 27 to 33 seconds, at random, so that devices do not stay together. */
export const pickPollDelaySeconds = (random: number): number => pickBetween(27, 33, random);

/** The delay between polls of a pairing: 3 to 5 seconds. */
export const pickPairingPollDelaySeconds = (random: number): number => pickBetween(3, 5, random);

const pickBetween = (min: number, max: number, random: number) =>
  min + Math.floor(random * (max - min + 1));
