// How the server spreads the devices that ask it. Those that lost it together come back together, and without chance
// they would come together for ever.

const JITTER_RATIO = 0.1;

const HEARTBEAT_INTERVAL_SECONDS = 60;
const MIN_HEARTBEAT_SECONDS = HEARTBEAT_INTERVAL_SECONDS * (1 - JITTER_RATIO);
const MAX_HEARTBEAT_SECONDS = HEARTBEAT_INTERVAL_SECONDS * (1 + JITTER_RATIO);
/** A display is online for 150 seconds. */
const MAX_DELAY_SECONDS = 120;
const SLOTS_PER_SECOND = 10;

const MIN_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 90;

/** Both say after how many seconds a device that came at `nowMs` is to come again. */
export interface LoadSpreader {
  /** To one that was answered: from 54 to 66 seconds, and up to 120 where these are taken. */
  pickHeartbeatDelaySeconds(nowMs: number, random: () => number): number;
  /** To one that was refused: from 5 to 90 seconds, and up to 120 where these are taken. */
  pickRetryDelaySeconds(nowMs: number, random: () => number): number;
}

/**
 * Counts, tenth by tenth of a second, whom a process has told to come, and tells no more than `perSecond` to come at once
 * as long as it can. What is known beforehand need not be corrected afterwards: so a crowd is spread in one round and
 * never meets again, whereas what follows the load follows it too late, and swings.
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
    // Of two the emptier: by that alone crowds dissolve within a few rounds.
    let ahead = toldFor(one) <= toldFor(other) ? one : other;
    while (toldFor(ahead) >= atOnce && ahead < MAX_DELAY_SECONDS) ahead += 1;
    // Where all is taken, chance is the fairest.
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
 * So many heartbeats a second a process lets itself be asked for; their states are polled twice as often. A million
 * displays need two processes; what one can bear on its machine is above it.
 */
const MAX_HEARTBEATS_PER_SECOND = 9_000;

/** Those of this process. */
export const loadSpreader: LoadSpreader = createLoadSpreader(MAX_HEARTBEATS_PER_SECOND);

/** How long a device shows what it has before it asks again: for each a little different, so that none stay together. */
export const pickPollDelaySeconds = (random: number): number => pickBetween(27, 33, random);

/** For a screen that waits until somebody has typed its code in: from 3 to 5 seconds. */
export const pickPairingPollDelaySeconds = (random: number): number => pickBetween(3, 5, random);

const pickBetween = (least: number, most: number, random: number) =>
  least + Math.floor(random * (most - least + 1));
