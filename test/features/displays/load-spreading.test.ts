import {
  createLoadSpreader,
  pickPairingPollDelaySeconds,
} from '../../../src/core/load-spreading.ts';

const ONE = 1 - Number.EPSILON;

/** Pseudo-random numbers, the same in every run. */
function dice() {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

it('a pairing screen polls every 3 to 5 seconds', () => {
  expect([0, 0.5, ONE].map(pickPairingPollDelaySeconds)).toEqual([3, 4, 5]);
});

describe('the load spreader', () => {
  const NOW = Date.parse('2026-03-16T09:00:00.040Z');

  it('picks the usual delay while there is room', () => {
    const { pickHeartbeatDelaySeconds, pickRetryDelaySeconds } = createLoadSpreader(1_000);
    const random = dice();
    const beats = Array.from({ length: 500 }, (_, n) =>
      pickHeartbeatDelaySeconds(NOW + n * 1_000, random),
    );
    expect([Math.min(...beats), Math.max(...beats)]).toEqual([54, 66]);
    const retries = Array.from({ length: 2_000 }, (_, n) =>
      pickRetryDelaySeconds(NOW + n * 1_000, random),
    );
    expect([Math.min(...retries), Math.max(...retries)]).toEqual([5, 90]);
  });

  it('books no more than the maximum into a tenth of a second while there is room', () => {
    const { pickHeartbeatDelaySeconds, pickRetryDelaySeconds } = createLoadSpreader(100);
    const random = dice();
    const perTenth = new Map<number, number>();
    for (let n = 0; n < 1_000; n += 1) {
      const ms = NOW + Math.floor(n / 20) * 100; // 200 a second, twice the capacity
      const seconds =
        n % 2 === 0 ? pickHeartbeatDelaySeconds(ms, random) : pickRetryDelaySeconds(ms, random);
      expect(seconds).toBeLessThanOrEqual(120);
      const tenth = Math.floor(ms / 100) + seconds * 10;
      perTenth.set(tenth, (perTenth.get(tenth) ?? 0) + 1);
    }
    expect(Math.max(...perTenth.values())).toBeLessThanOrEqual(10);
    expect([...perTenth.values()].reduce((sum, count) => sum + count)).toBe(1_000);
  });

  it('spreads evenly when all slots are full', () => {
    const { pickHeartbeatDelaySeconds } = createLoadSpreader(10);
    const random = dice();
    const beats = Array.from({ length: 6_700 }, () => pickHeartbeatDelaySeconds(NOW, random));
    const counts = Array.from({ length: 67 }, (_, n) => beats.filter((it) => it === n + 54).length);
    expect(Math.min(...counts)).toBeGreaterThan(50);
    expect(Math.max(...counts)).toBeLessThan(160);
  });

  it('frees slots when their time has passed', () => {
    const { pickHeartbeatDelaySeconds } = createLoadSpreader(10);
    const first = Array.from({ length: 13 }, () => pickHeartbeatDelaySeconds(NOW, () => 0));
    expect(first).toEqual(Array.from({ length: 13 }, (_, n) => 54 + n));
    expect(pickHeartbeatDelaySeconds(NOW + 1_000, () => 0)).toBe(66); // the slots up to 65 are full
    expect(pickHeartbeatDelaySeconds(NOW + 500_000, () => 0)).toBe(54);
    expect(pickHeartbeatDelaySeconds(NOW + 100, () => 0)).toBe(55); // setting the clock back loses no slot
  });
});
