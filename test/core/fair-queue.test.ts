import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { createQueues } from '../../src/context.ts';
import { createFairQueue } from '../../src/core/fair-queue.ts';
import { createDeferred } from '../support/deferred.ts';

const PLACES = { places: 4, perCaller: 2 };

/** Queues work that ends when the test lets it. Work is named by its caller and a number. */
function createStage(limits = PLACES) {
  const queue = createFairQueue(limits);
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  let count = 0;
  const add = (caller: string, attempt = 0) => {
    count += 1;
    const name = `${caller}${count}`;
    const end = createDeferred<string>();
    ends.set(name, (error) => (error ? end.reject(error) : end.resolve(name)));
    const result = queue(
      caller,
      () => {
        started.push(name);
        return end.promise;
      },
      { attempt },
    );
    result.catch(() => {});
    return result;
  };
  const finish = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await setImmediate();
  };
  return { add, finish, started };
}

it('leaves places to others when one caller has much work', async () => {
  const { add, started } = createStage();
  for (const caller of 'aaaab') add(caller);
  await setImmediate();
  expect(started).toEqual(['a1', 'a2', 'b5']);
});

it('lets one caller take all places without a limit for each (negative control)', async () => {
  const { add, started } = createStage({ ...PLACES, perCaller: 4 });
  for (const caller of 'aaaab') add(caller);
  await setImmediate();
  expect(started).toEqual(['a1', 'a2', 'a3', 'a4']);
});

it('gives a free place to the caller with the least running work, then to who came first', async () => {
  const { add, finish, started } = createStage({ places: 2, perCaller: 2 });
  for (const caller of 'aaabc') add(caller);
  await finish('a1');
  await finish('b4');
  await finish('a2');
  expect(started).toEqual(['a1', 'a2', 'b4', 'c5', 'a3']);
});

it('lets new work go before work that is attempted again', async () => {
  const { add, finish, started } = createStage({ places: 1, perCaller: 1 });
  add('a');
  add('b', 1);
  add('c');
  await finish('a1');
  await finish('c3');
  expect(started).toEqual(['a1', 'c3', 'b2']);
});

it('frees the place of work that fails', async () => {
  const { add, finish, started } = createStage({ places: 1, perCaller: 1 });
  const failed = add('a');
  add('a');
  await finish('a1', new Error('no luck'));
  await expect(failed).rejects.toThrow('no luck');
  expect(started).toEqual(['a1', 'a2']);
});

describe('work whose signal aborts', () => {
  /** Queues work of a queue whose only place is taken. */
  async function wait(waiting = { max: 1, perCaller: 1 }) {
    const queue = createFairQueue({ places: 1, perCaller: 1, waiting });
    const first = createDeferred<void>();
    const running = queue('a', () => first.promise);
    const controller = new AbortController();
    const work = jest.fn(async () => 'done');
    const result = queue('b', work, { getSignal: () => controller.signal });
    result.catch(() => {});
    const finishFirst = async () => {
      first.resolve();
      await running;
    };
    return { queue, controller, work, result, finishFirst };
  }

  it('leaves the queue at once while it waits', async () => {
    const { queue, controller, work, result, finishFirst } = await wait();
    await expect(queue('c', work)).rejects.toMatchObject({ details: { reason: 'UNAVAILABLE' } });
    expect(queue.countWaiting()).toBe(1);
    controller.abort(new Error('gone'));
    expect(queue.countWaiting()).toBe(0);
    const next = queue('c', async () => 'next');
    await expect(result).rejects.toThrow('gone');
    await finishFirst();
    expect(await next).toBe('next');
    expect(work).not.toHaveBeenCalled();
  });

  it('goes on once it has started', async () => {
    const { controller, work, result, finishFirst } = await wait();
    await finishFirst();
    controller.abort(new Error('gone'));
    expect(await result).toBe('done');
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('does not wait if it has aborted before', async () => {
    const { queue, work, finishFirst } = await wait({ max: 2, perCaller: 2 });
    const getSignal = () => AbortSignal.abort(new Error('gone'));
    await expect(queue('c', work, { getSignal })).rejects.toThrow('gone');
    expect(queue.countWaiting()).toBe(1);
    await finishFirst();
  });

  it('leaves no listener on the signal once it has started', async () => {
    const { signal } = new AbortController();
    for (let waits = 0; waits < 12; waits += 1) {
      const queue = createFairQueue({ places: 1, perCaller: 1 });
      const first = createDeferred<void>();
      const running = queue('a', () => first.promise);
      const result = queue('b', async () => 'done', { getSignal: () => signal });
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      first.resolve();
      await running;
      expect(await result).toBe('done');
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('needs no signal if it starts at once', async () => {
    const queue = createFairQueue(PLACES);
    const getSignal = jest.fn(() => new AbortController().signal);
    expect(await queue('a', async () => 'done', { getSignal })).toBe('done');
    expect(getSignal).not.toHaveBeenCalled();
  });
});

it.each([
  ['hashes', 200],
  ['imports', 20],
] as const)(
  'of the work of %s, %i wait, and of one caller a quarter of them',
  async (name, max) => {
    const queue = createQueues(10)[name];
    const refusals: string[] = [];
    const fill = async (caller: string) => {
      const count = max / 4 + 2;
      for (let added = 0; added < count; added += 1)
        queue(caller, () => new Promise<never>(() => {})).catch(({ details }) =>
          refusals.push(`${caller} ${details.reason}`),
        );
      await setImmediate();
    };
    await fill('a');
    expect(refusals).toEqual(['a UNAVAILABLE']);
    for (const caller of 'bcd') await fill(caller);
    refusals.length = 0;
    await fill('e');
    expect(refusals).toHaveLength(max / 4 + 2);
  },
);
