// Spreads the requests of devices over time. Devices that lost the server together come back together, and without
// randomness they would stay in step for ever.

const JITTER_RATIO = 0.1;

const HEARTBEAT_INTERVAL_SECONDS = 60;
const MIN_HEARTBEAT_SECONDS = HEARTBEAT_INTERVAL_SECONDS * (1 - JITTER_RATIO);
const MAX_HEARTBEAT_SECONDS = HEARTBEAT_INTERVAL_SECONDS * (1 + JITTER_RATIO);
/** A display is online for 150 seconds. */
const MAX_DELAY_SECONDS = 120;
const SLOTS_PER_SECOND = 10;

const MIN_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 90;

/** Both return the number of seconds after which a device that called at `nowMs` should call again. */
export interface LoadSpreader {
  /** After a success: 54 to 66 seconds, and up to 120 where these are taken. */
  pickHeartbeatDelaySeconds(nowMs: number, random: () => number): number;
  /** After a rejection: 5 to 90 seconds, and up to 120 where these are taken. */
  pickRetryDelaySeconds(nowMs: number, random: () => number): number;
}

/**
 * Counts, per tenth of a second, how many devices this process has asked to call then, and schedules no more than
 * `perSecond` while it can. Planning ahead spreads a crowd in one round; a delay that follows the load would follow it
 * too late, and swing.
 */
export function createLoadSpreader(perSecond: number): LoadSpreader {
  const atOnce = perSecond / SLOTS_PER_SECOND;
  const told = new Uint32Array((MAX_DELAY_SECONDS + 1) * SLOTS_PER_SECOND);
  let present = 0;

  const moveTo = (tenth: number) => {
    const passed = Math.min(tenth - present, told.length);
    for (let n = 1; n <= passed; n += 1) told[(tenth - n) % told.length] = 0;
    present = Math.max(present, tenth);
  };

  const appoint = (nowMs: number, least: number, most: number, random: () => number): number => {
    moveTo(Math.floor((nowMs * SLOTS_PER_SECOND) / 1000));
    const placeOf = (ahead: number) => (present + ahead * SLOTS_PER_SECOND) % told.length;
    const toldFor = (ahead: number) => told[placeOf(ahead)] ?? 0;
    const [one, other] = [pickBetween(least, most, random()), pickBetween(least, most, random())];
    // The emptier of two random slots: this alone dissolves crowds within a few rounds.
    let ahead = toldFor(one) <= toldFor(other) ? one : other;
    while (toldFor(ahead) >= atOnce && ahead < MAX_DELAY_SECONDS) ahead += 1;
    // Where every slot is full, a random one is the fairest.
    if (toldFor(ahead) >= atOnce) ahead = pickBetween(least, MAX_DELAY_SECONDS, random());
    told[placeOf(ahead)] = toldFor(ahead) + 1;
    return ahead;
  };

  return {
    pickHeartbeatDelaySeconds: (nowMs, random) =>
      appoint(nowMs, MIN_HEARTBEAT_SECONDS, MAX_HEARTBEAT_SECONDS, random),
    pickRetryDelaySeconds: (nowMs, random) =>
      appoint(nowMs, MIN_RETRY_SECONDS, MAX_RETRY_SECONDS, random),
  };
}

/**
 * The heartbeats a second that one process schedules; states are polled twice as often. A million displays need two
 * processes. What a machine can serve is above this.
 */
const MAX_HEARTBEATS_PER_SECOND = 9_000;

/** The spreader of this process. */
export const loadSpreader: LoadSpreader = createLoadSpreader(MAX_HEARTBEATS_PER_SECOND);

/** How long a device shows its content before it polls again; slightly different each time, so that devices drift apart. */
export const pickPollDelaySeconds = (random: number): number => pickBetween(27, 33, random);

/** For a screen that waits to be paired: 3 to 5 seconds. */
export const pickPairingPollDelaySeconds = (random: number): number => pickBetween(3, 5, random);

const pickBetween = (least: number, most: number, random: number) =>
  least + Math.floor(random * (most - least + 1));
