import { createLoadSpreader, type LoadSpreader } from '../../src/core/load-spreading.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Simulates a million displays that lose the service for ten minutes and reconnect within ten seconds: how many get a
// response, are rejected and are online, with and without the delays that the service assigns.

const {
  devices: DEVICES,
  capacity: CAPACITY,
  seconds: SECONDS,
} = readSizes({
  devices: [1_000_000, 20_000],
  /** Requests a second, of one instance. */
  capacity: [12_000, 240],
  seconds: [600, 600],
});

const TICKS_PER_SECOND = 10;
const MS_PER_TICK = 1000 / TICKS_PER_SECOND;
const TICKS = SECONDS * TICKS_PER_SECOND;
const ROW_TICKS = 10 * TICKS_PER_SECOND;
const FIRST_TRIES_SECONDS = 10;
const ONLINE_SECONDS = 150;

/** The share of its capacity that an instance assigns in advance. */
const ASSIGNED_SHARE = 0.85;

interface Rules {
  name: string;
  /** The seconds until the next heartbeat after a response. */
  getHeartbeatDelay(ms: number): number;
  /** The seconds until a rejected device retries. */
  getRetryDelay(ms: number): number;
}

/** Devices reach any instance, and each instance knows only its own assignments. */
function createSpreadRules(instances: number): Rules {
  const spreaders = Array.from({ length: instances }, () =>
    createLoadSpreader(ASSIGNED_SHARE * CAPACITY),
  );
  const any = () => spreaders[Math.floor(Math.random() * instances)] as LoadSpreader;
  return {
    name: 'assigned delays',
    getHeartbeatDelay: (ms) => any().pickHeartbeatDelaySeconds(ms, Math.random),
    getRetryDelay: (ms) => any().pickRetryDelaySeconds(ms, Math.random),
  };
}
const FIXED: Rules = {
  name: 'negative control: every 60 seconds, and 2 seconds after a rejection',
  getHeartbeatDelay: () => 60,
  getRetryDelay: () => 2,
};

interface Row {
  second: number;
  offered: number;
  answered: number;
  rejected: number;
  /** Requests in the busiest second. */
  peak: number;
  online: number;
}

function simulate({ getHeartbeatDelay, getRetryDelay }: Rules, capacity: number): Row[] {
  const due = schedule();
  const lastSeen = new Int32Array(DEVICES).fill(-ONLINE_SECONDS * TICKS_PER_SECOND);
  for (let device = 0; device < DEVICES; device += 1)
    due.at(Math.floor(Math.random() * FIRST_TRIES_SECONDS * TICKS_PER_SECOND), device);
  const rows: Row[] = [];
  let row = emptyRow(0);
  let inSecond = 0;
  for (let tick = 0; tick < TICKS; tick += 1) {
    const arriving = due.take(tick);
    let left = Math.min(arriving.length, capacity / TICKS_PER_SECOND);
    // Each device has the same chance to get a response.
    for (let n = 0; n < arriving.length; n += 1) {
      const device = arriving[n] ?? 0;
      const answered = Math.random() * (arriving.length - n) < left;
      if (answered) {
        left -= 1;
        row.answered += 1;
        lastSeen[device] = tick;
      }
      // The position of a device within a second does not change.
      const seconds = answered
        ? getHeartbeatDelay(tick * MS_PER_TICK)
        : getRetryDelay(tick * MS_PER_TICK);
      due.at(tick + Math.max(1, Math.round(seconds * TICKS_PER_SECOND)), device);
    }
    row.offered += arriving.length;
    inSecond += arriving.length;
    if ((tick + 1) % TICKS_PER_SECOND === 0) {
      row.peak = Math.max(row.peak, inSecond);
      inSecond = 0;
    }
    if ((tick + 1) % ROW_TICKS === 0) {
      row.rejected = row.offered - row.answered;
      row.online = countOnline(tick, lastSeen);
      rows.push(row);
      row = emptyRow((tick + 1) / TICKS_PER_SECOND);
    }
  }
  return rows;
}

const emptyRow = (second: number): Row => ({
  second,
  offered: 0,
  answered: 0,
  rejected: 0,
  peak: 0,
  online: 0,
});

function countOnline(tick: number, lastSeen: Int32Array): number {
  const since = tick - ONLINE_SECONDS * TICKS_PER_SECOND;
  let online = 0;
  for (let device = 0; device < DEVICES; device += 1)
    if ((lastSeen[device] ?? since) > since) online += 1;
  return online;
}

/** The devices that arrive in each tenth of a second, as linked lists. */
function schedule() {
  const first = new Int32Array(TICKS).fill(-1);
  const next = new Int32Array(DEVICES);
  const devices = new Int32Array(DEVICES);
  return {
    at(tick: number, device: number) {
      if (tick >= TICKS) return;
      next[device] = first[tick] ?? -1;
      first[tick] = device;
    },
    take(tick: number): Int32Array {
      let count = 0;
      for (let device = first[tick] ?? -1; device !== -1; device = next[device] ?? -1) {
        devices[count] = device;
        count += 1;
      }
      return devices.subarray(0, count);
    },
  };
}

/** The second from which the condition holds until the end, or undefined. */
function findStableSince(rows: Row[], holds: (row: Row) => boolean): number | undefined {
  const since = rows.findLastIndex((row) => !holds(row)) + 1;
  return rows[since]?.second;
}

function report(rules: Rules, instances: number): boolean {
  const capacity = instances * CAPACITY;
  const rows = simulate(rules, capacity);
  console.log(
    `\n${DEVICES} devices, ${instances} x ${CAPACITY} requests a second; ${rules.name}\n` +
      '    s |  offered/s   peak/s  answered/s  rejected/s |   online',
  );
  for (const row of rows) {
    const perSecond = [row.offered, row.peak * 10, row.answered, row.rejected].map((count, n) =>
      String(Math.round(count / 10)).padStart([10, 8, 11, 10][n] ?? 0),
    );
    const online = row.online.toString().padStart(8);
    console.log(`${String(row.second).padStart(5)} | ${perSecond.join(' ')} | ${online}`);
  }
  const allOnline = rows.find(({ online }) => online === DEVICES);
  const stays = findStableSince(rows, ({ online }) => online >= 0.999 * DEVICES);
  const under = findStableSince(rows, ({ offered }) => offered / 10 <= capacity);
  const unrejectedSince = findStableSince(rows, ({ rejected }) => rejected === 0);
  console.log(
    [
      `all online: ${allOnline ? `within ${allOnline.second + 10} s` : 'never'}`,
      `at least 99.9 % until the end: ${stays === undefined ? 'never' : `from ${stays} s on`}`,
      `requests within capacity until the end: ${under === undefined ? 'never' : `from ${under} s on`}`,
      `no rejections until the end: ${unrejectedSince === undefined ? 'never' : `from ${unrejectedSince} s on`}`,
    ].join('; '),
  );
  return allOnline !== undefined && stays !== undefined && under !== undefined;
}

const outcomes = [1, 2].map((instances) => {
  const paced = report(createSpreadRules(instances), instances);
  report(FIXED, instances);
  return paced;
});
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
