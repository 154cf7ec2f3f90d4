import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { createTurnQueue, type TurnCaller } from '../../src/server/turn-queue.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const NETWORKS = [{}, {}, {}];
const CALLERS = NETWORKS.flatMap((network) => [0, 1].map(() => ({ network, address: {} })));

interface Work {
  caller: TurnCaller;
  ms: number;
  arrivedAtTurn: number;
}

/** What a queue has done. Its turns run when the test says so, and its clock moves only with work. */
async function runWork(work: Work[], maxTurnMs: number) {
  let clock = 0;
  let turn = 0;
  let turnStart = 0;
  let runTurn: (() => void) | undefined;
  const started: (Work & { turn: number; msBefore: number })[] = [];
  const queue = createTurnQueue({
    maxTurnMs,
    now: () => clock,
    schedule: (run) => {
      expect(runTurn).toBeUndefined();
      runTurn = run;
    },
  });
  let arrived = 0;
  while (arrived < work.length || runTurn !== undefined) {
    for (const item of work.slice(arrived).filter(({ arrivedAtTurn }) => arrivedAtTurn <= turn)) {
      arrived += 1;
      queue.add(item.caller, () => {
        started.push({ ...item, turn, msBefore: clock - turnStart });
        // The work goes on after `start`, as that of a request does after an await.
        void Promise.resolve().then(() => Promise.resolve().then(() => (clock += item.ms)));
        return true;
      });
    }
    turnStart = clock;
    const run = runTurn;
    runTurn = undefined;
    run?.();
    await setImmediate();
    turn += 1;
  }
  return started;
}

/** Finds a start of one caller that went before a waiting one for the second time. `toKey` is the level of the comparison. */
function findUnfairStart(
  started: Awaited<ReturnType<typeof runWork>>,
  toKey: (caller: TurnCaller) => object,
  isCompared: (one: TurnCaller, other: TurnCaller) => boolean,
) {
  return started.find(({ caller, arrivedAtTurn }, at) => {
    const previous = started.slice(0, at).findLastIndex((s) => toKey(s.caller) === toKey(caller));
    const between = started
      .slice(previous + 1, at)
      .filter((other) => other.turn >= arrivedAtTurn && isCompared(other.caller, caller))
      .map((other) => toKey(other.caller));
    return new Set(between).size < between.length;
  });
}

const works = fc
  .array(
    fc.record({
      caller: fc.constantFrom(...CALLERS, CALLERS[0] as TurnCaller, CALLERS[0] as TurnCaller),
      ms: fc.constantFrom(0.1, 0.4, 12),
      arrivedAtTurn: fc.nat(6),
    }),
    { maxLength: 40 },
  )
  .map((items) => items.toSorted((a, b) => a.arrivedAtTurn - b.arrivedAtTurn));

const isAnyone = () => true;
const isSameNetwork = (one: TurnCaller, other: TurnCaller) => one.network === other.network;
const toNetwork = ({ network }: TurnCaller) => network;
const toAddress = ({ address }: TurnCaller) => address;

it('starts each work once, in the order of its caller, and nobody twice before another who waits', () =>
  checkProperty(
    fc.asyncProperty(works, async (work) => {
      const started = await runWork(work, 1);
      expect(started).toHaveLength(work.length);
      for (const caller of CALLERS) {
        const ofCaller = (items: Work[]) =>
          items.filter((item) => item.caller === caller).map(({ ms }) => ms);
        expect(ofCaller(started)).toEqual(ofCaller(work));
      }
      expect(findUnfairStart(started, toNetwork, isAnyone)).toBeUndefined();
      expect(findUnfairStart(started, toAddress, isSameNetwork)).toBeUndefined();
    }),
    { numRuns: propertyRuns(40) },
  ));

it('finds a queue without callers unfair (negative control)', async () => {
  const [first, second] = [CALLERS[0], CALLERS[2]] as [TurnCaller, TurnCaller];
  const work = [first, first, first, second].map((caller) => ({
    caller,
    ms: 12,
    arrivedAtTurn: 0,
  }));
  const one = { network: {}, address: {} };
  const inOrder = (
    await runWork(
      work.map((item) => ({ ...item, caller: one })),
      1,
    )
  ).map((item, n) => ({ ...item, caller: work[n]?.caller as TurnCaller }));
  expect(findUnfairStart(inOrder, toNetwork, isAnyone)).toBeDefined();
});

it('starts nothing more in a turn that has lasted its time', () =>
  checkProperty(
    fc.asyncProperty(works, async (work) => {
      const started = await runWork(work, 1);
      for (const { msBefore } of started) expect(msBefore).toBeLessThan(1);
    }),
    { numRuns: propertyRuns(40) },
  ));

it('goes on after work that has nothing to do, and after work that throws', async () => {
  const turns: (() => void)[] = [];
  const queue = createTurnQueue({ maxTurnMs: 0, schedule: (run) => turns.push(run) });
  const caller = CALLERS[0] as TurnCaller;
  const started: string[] = [];
  queue.add(caller, () => false);
  queue.add(caller, () => {
    throw new Error('no luck');
  });
  queue.add(caller, () => started.push('third') > 0);
  expect(() => turns.shift()?.()).toThrow('no luck');
  await setImmediate();
  turns.shift()?.();
  expect(started).toEqual(['third']);
});
