import { parseArgs } from 'node:util';
import { createLoadSpreader, type LoadSpreader } from '../../src/core/load-spreading.ts';

// Simulates a million displays that lose the service for ten minutes and reconnect within ten seconds: how many get a
// response, are rejected and are online, with the delays that the service assigns and without.

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '1000000' },
    capacity: { type: 'string', default: '12000' },
    seconds: { type: 'string', default: '600' },
  },
});
const DEVICES = Number(values.devices);
const CAPACITY = Number(values.capacity); // requests a second, of one instance
const SECONDS = Number(values.seconds);

const TICKS_PER_SECOND = 10;
const MS_PER_TICK = 1000 / TICKS_PER_SECOND;
const TICKS = SECONDS * TICKS_PER_SECOND;
const ROW_TICKS = 10 * TICKS_PER_SECOND;
const FIRST_TRIES_SECONDS = 10;
const ONLINE_SECONDS = 150;

/** Of its capacity an instance gives away so much beforehand. */
const PROMISED = 0.85;

interface Rules {
  name: string;
  /** Until the next beat of a device that was answered. */
  beat(ms: number): number;
  /** Until a device that was refused comes again. */
  retry(ms: number): number;
}

/** A device asks one instance now and another one then; each knows only whom it has told to come itself. */
function byAppointment(instances: number): Rules {
  const books = Array.from({ length: instances }, () => createLoadSpreader(PROMISED * CAPACITY));
  const any = () => books[Math.floor(Math.random() * instances)] as LoadSpreader;
  return {
    name: 'by appointment',
    beat: (ms) => any().pickHeartbeatDelaySeconds(ms, Math.random),
    retry: (ms) => any().pickRetryDelaySeconds(ms, Math.random),
  };
}
const FIXED: Rules = {
  name: 'control: every 60 seconds, and 2 seconds after a refusal',
  beat: () => 60,
  retry: () => 2,
};

interface Row {
  second: number;
  offered: number;
  answered: number;
  refused: number;
  /** The busiest second of these. */
  peak: number;
  online: number;
}

function simulate({ beat, retry }: Rules, capacity: number): Row[] {
  const due = schedule();
  const heard = new Int32Array(DEVICES).fill(-ONLINE_SECONDS * TICKS_PER_SECOND);
  for (let device = 0; device < DEVICES; device += 1)
    due.at(Math.floor(Math.random() * FIRST_TRIES_SECONDS * TICKS_PER_SECOND), device);
  const rows: Row[] = [];
  let row = emptyRow(0);
  let inSecond = 0;
  for (let tick = 0; tick < TICKS; tick += 1) {
    const asking = due.take(tick);
    let left = Math.min(asking.length, capacity / TICKS_PER_SECOND);
    // Whoever it is, each has the same chance to be among those that are answered.
    for (let n = 0; n < asking.length; n += 1) {
      const device = asking[n] ?? 0;
      const answered = Math.random() * (asking.length - n) < left;
      if (answered) {
        left -= 1;
        row.answered += 1;
        heard[device] = tick;
      }
      // A device keeps its own time: the tenth of a second within which it comes is its own.
      const seconds = answered ? beat(tick * MS_PER_TICK) : retry(tick * MS_PER_TICK);
      due.at(tick + Math.max(1, Math.round(seconds * TICKS_PER_SECOND)), device);
    }
    row.offered += asking.length;
    inSecond += asking.length;
    if ((tick + 1) % TICKS_PER_SECOND === 0) {
      row.peak = Math.max(row.peak, inSecond);
      inSecond = 0;
    }
    if ((tick + 1) % ROW_TICKS === 0) {
      row.refused = row.offered - row.answered;
      row.online = onlineAt(tick, heard);
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
  refused: 0,
  peak: 0,
  online: 0,
});

function onlineAt(tick: number, heard: Int32Array): number {
  const since = tick - ONLINE_SECONDS * TICKS_PER_SECOND;
  let online = 0;
  for (let device = 0; device < DEVICES; device += 1)
    if ((heard[device] ?? since) > since) online += 1;
  return online;
}

/** Who comes when: a chain of devices for every tenth of a second. */
function schedule() {
  const first = new Int32Array(TICKS).fill(-1);
  const next = new Int32Array(DEVICES);
  const taken = new Int32Array(DEVICES);
  return {
    at(tick: number, device: number) {
      if (tick >= TICKS) return;
      next[device] = first[tick] ?? -1;
      first[tick] = device;
    },
    take(tick: number): Int32Array {
      let count = 0;
      for (let device = first[tick] ?? -1; device !== -1; device = next[device] ?? -1) {
        taken[count] = device;
        count += 1;
      }
      return taken.subarray(0, count);
    },
  };
}

/** From when on it holds to the end; undefined where it does not hold at the end. */
function from(rows: Row[], holds: (row: Row) => boolean): number | undefined {
  const since = rows.findLastIndex((row) => !holds(row)) + 1;
  return rows[since]?.second;
}

function report(rules: Rules, instances: number): boolean {
  const capacity = instances * CAPACITY;
  const rows = simulate(rules, capacity);
  console.log(
    `\n${DEVICES} devices, ${instances} x ${CAPACITY} requests a second; ${rules.name}\n` +
      '    s |  offered/s   peak/s  answered/s  refused/s |   online',
  );
  for (const row of rows) {
    const perSecond = [row.offered, row.peak * 10, row.answered, row.refused].map((count, n) =>
      String(Math.round(count / 10)).padStart([10, 8, 11, 10][n] ?? 0),
    );
    const online = row.online.toString().padStart(8);
    console.log(`${String(row.second).padStart(5)} | ${perSecond.join(' ')} | ${online}`);
  }
  const everybody = rows.find(({ online }) => online === DEVICES);
  const stays = from(rows, ({ online }) => online >= 0.999 * DEVICES);
  const under = from(rows, ({ offered }) => offered / 10 <= capacity);
  const unrefused = from(rows, ({ refused }) => refused === 0);
  console.log(
    [
      `everybody online: ${everybody ? `within ${everybody.second + 10} s` : 'never'}`,
      `at least 99.9 % to the end: ${stays === undefined ? 'never' : `from ${stays} s on`}`,
      `offered at most the capacity to the end: ${under === undefined ? 'never' : `from ${under} s on`}`,
      `none refused to the end: ${unrefused === undefined ? 'never' : `from ${unrefused} s on`}`,
    ].join('; '),
  );
  return everybody !== undefined && stays !== undefined && under !== undefined;
}

const held = [1, 2].map((instances) => {
  const paced = report(byAppointment(instances), instances);
  report(FIXED, instances);
  return paced;
});
process.exitCode = held.every(Boolean) ? 0 : 1;
