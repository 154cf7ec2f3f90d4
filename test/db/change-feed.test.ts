import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createChangeFeed } from '../../src/core/change-feed.ts';
import { createStreamRegistry } from '../../src/server/stream-registry.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

describe('a change feed', () => {
  const stopping: AbortController[] = [];
  afterEach(() => {
    for (const stop of stopping.splice(0)) stop.abort();
  });
  const signal = () => {
    const stop = new AbortController();
    stopping.push(stop);
    return stop.signal;
  };

  /** Publishes one of these batches per poll and then nothing. */
  const createBatches =
    (...batches: number[][]) =>
    () =>
    async () =>
      batches.shift() ?? [];
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

  it('publishes large batches', async () => {
    const { value } = await createChangeFeed(createBatches(numbers(20_000)))
      .listen(signal())
      .next();
    expect(value).toHaveLength(20_000);
  });

  it('ends for a listener that is too slow for its queue', async () => {
    const events = createChangeFeed(createBatches(numbers(20_001)))
      .listen(signal())
      .next();
    await expect(events).rejects.toMatchObject({ details: { reason: 'SUBSCRIPTION_TOO_SLOW' } });
  });

  it('queues only the latest value if configured', async () => {
    let polls = 0;
    const poll = async () => {
      if (polls < 3) return [++polls];
      return [];
    };
    const options = { onlyLatest: true, intervalMs: 5 };
    const listener = createChangeFeed(() => poll, options).listen(signal());
    expect((await listener.next()).value).toEqual([1]);
    await waitUntil(() => polls === 3);
    expect((await listener.next()).value).toEqual([3]);
  });

  it('throws the error of a failed poll and restarts for the next listener', async () => {
    let polls = 0;
    const feed = createChangeFeed(() => async () => {
      polls += 1;
      if (polls === 1) throw new Error('no connection');
      return [polls];
    });
    await expect(feed.listen(signal()).next()).rejects.toThrow('no connection');
    expect((await feed.listen(signal()).next()).value).toEqual([2]);
  });
});

describe('the stream registry', () => {
  const response = () => {
    const emitter = new EventEmitter();
    const end = () => emitter.emit('close');
    return Object.assign(emitter, { closed: false, end }) as unknown as ServerResponse;
  };
  const opened = (left = () => {}) => createStreamRegistry(left);

  it('allows twenty streams per caller and a thousand in total, and closing one frees a slot', () => {
    const { open } = opened();
    const responses = Array.from({ length: 20 }, response);
    for (const res of responses) open('token 1', res);
    const full = /Too many streams are open/;
    expect(() => open('token 1', response())).toThrow(full);
    responses[0]?.emit('close');
    expect(open('token 1', response()).aborted).toBe(false);
    for (let n = 20; n < 1_000; n += 1) open(`token ${n}`, response());
    expect(() => open('another', response())).toThrow(full);
  });

  it('keeps streams out of the request limit and ends them with their response or the service', () => {
    let left = 0;
    const { open, endAll } = createStreamRegistry(() => {
      left += 1;
    });
    const [one, other] = [response(), response()];
    const signals = [open('token 1', one), open('token 1', one), open('token 2', other)];
    expect(left).toBe(2);
    one.emit('close');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    endAll();
    expect(signals[2]?.aborted).toBe(true);
    expect(() => open('token 1', response())).toThrow('The service is restarting.');
  });
});
