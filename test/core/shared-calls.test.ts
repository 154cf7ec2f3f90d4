import fc from 'fast-check';
import { createSharedCalls } from '../../src/core/shared-calls.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

// A request must see every change that was committed before it, however many requests share its read.

type NumberCalls = (key: string, call: () => Promise<number>) => Promise<number>;

type Step = 'call' | 'change' | 'finish' | 'turn';
const steps = fc.array(fc.constantFrom<Step>('call', 'call', 'change', 'finish', 'turn'), {
  maxLength: 60,
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs the steps and returns how many reads ran and which results were older than their calls. */
async function play(share: NumberCalls, script: Step[]) {
  let committed = 0;
  let reads = 0;
  const finish: (() => void)[] = [];
  const read = () => {
    reads += 1;
    const seen = committed; // a statement sees what was committed when it began
    return new Promise<number>((resolve) => finish.push(() => resolve(seen)));
  };
  const calls: Promise<{ asked: number; seen: number }>[] = [];
  for (const step of script) {
    if (step === 'call') {
      const asked = committed;
      calls.push(share('list', read).then((seen) => ({ asked, seen })));
    } else if (step === 'change') committed += 1;
    else if (step === 'finish') finish.shift()?.();
    else await turn();
  }
  let open = calls.length;
  for (const call of calls) call.then(() => (open -= 1));
  while (open > 0) {
    for (const end of finish.splice(0)) end();
    await turn();
  }
  const outdated = (await Promise.all(calls)).filter(({ asked, seen }) => seen < asked);
  return { reads, calls: calls.length, outdated };
}

/** The negative control: joins a read that has already begun. */
function shareRunningReads(): NumberCalls {
  let running: Promise<number> | undefined;
  return (_, read) => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}

it('never returns a result that is older than the call', async () => {
  await checkProperty(
    fc.asyncProperty(steps, async (script) => {
      const { outdated, reads, calls } = await play(createSharedCalls(), script);
      expect(outdated).toEqual([]);
      expect(reads).toBeLessThanOrEqual(calls);
    }),
    { numRuns: propertyRuns(50) },
  );
});

it('would return outdated results if calls joined a read that has begun', async () => {
  const { outdated } = await play(shareRunningReads(), ['call', 'change', 'call', 'finish']);
  expect(outdated).toEqual([{ asked: 1, seen: 0 }]);
});

it('shares one read among calls that arrive while another runs, and separates keys', async () => {
  const share = createSharedCalls();
  const reads: string[] = [];
  let finishFirst = () => {};
  const first = share('a', () => {
    reads.push('first a');
    return new Promise<string>((resolve) => {
      finishFirst = () => resolve('first');
    });
  });
  await turn();
  const read = (name: string) => async () => {
    reads.push(name);
    return name;
  };
  const later = [1, 2, 3].map((n) => share('a', read(`second a of ${n}`)));
  expect(await share('b', read('b'))).toBe('b');
  finishFirst();
  expect(await first).toBe('first');
  expect(await Promise.all(later)).toEqual(Array(3).fill('second a of 1'));
  expect(reads).toEqual(['first a', 'b', 'second a of 1']);
});

it('gives all callers the error of their read and reads again afterwards', async () => {
  const share = createSharedCalls();
  const fail = async () => Promise.reject(new Error('no connection'));
  const calls = [share('a', fail), share('a', fail)];
  expect(await Promise.allSettled(calls)).toMatchObject([
    { status: 'rejected', reason: { message: 'no connection' } },
    { status: 'rejected', reason: { message: 'no connection' } },
  ]);
  expect(await share('a', async () => 'again')).toBe('again');
});
