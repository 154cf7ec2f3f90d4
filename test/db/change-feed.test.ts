import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createChangeFeed } from '../../src/core/change-feed.ts';
import { createStreamRegistry } from '../../src/server/stream-registry.ts';

describe('a feed', () => {
  const stopping: AbortController[] = [];
  afterEach(() => {
    for (const stop of stopping.splice(0)) stop.abort();
  });
  const signal = () => {
    const stop = new AbortController();
    stopping.push(stop);
    return stop.signal;
  };

  /** Tells these in turn, one look each, and then nothing. */
  const telling =
    (...news: number[][]) =>
    () =>
    async () =>
      news.shift() ?? [];
  const many = (count: number) => Array.from({ length: count }, (_, n) => n);

  it('tells very much at once', async () => {
    const { value } = await createChangeFeed(telling(many(20_000)))
      .listen(signal())
      .next();
    expect(value).toHaveLength(20_000);
  });

  it('ends for a listener that would have to keep more than it can be given', async () => {
    const told = createChangeFeed(telling(many(20_001)))
      .listen(signal())
      .next();
    await expect(told).rejects.toMatchObject({ details: { reason: 'TOO_MUCH_NEWS' } });
  });

  it('keeps only the latest where nothing else counts', async () => {
    const listener = createChangeFeed(telling([1], [2], [3]), { onlyLatest: true }).listen(
      signal(),
    );
    expect((await listener.next()).value).toEqual([1]);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await listener.next()).value).toEqual([3]);
  });

  it('throws what went wrong with a look, and begins anew for the next listener', async () => {
    let looks = 0;
    const feed = createChangeFeed(() => async () => {
      looks += 1;
      if (looks === 1) throw new Error('no connection');
      return [looks];
    });
    await expect(feed.listen(signal()).next()).rejects.toThrow('no connection');
    expect((await feed.listen(signal()).next()).value).toEqual([2]);
  });
});

describe('streams', () => {
  const answer = () =>
    Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse;
  const opened = (left = () => {}) => createStreamRegistry(new AbortController().signal, left);

  it('are twenty for one caller and a thousand in all, and one that is closed makes room', () => {
    const { open } = opened();
    const answers = Array.from({ length: 20 }, answer);
    for (const res of answers) open('token 1', res);
    const full = /Too many streams are open/;
    expect(() => open('token 1', answer())).toThrow(full);
    answers[0]?.emit('close');
    expect(open('token 1', answer()).aborted).toBe(false);
    for (let n = 20; n < 1_000; n += 1) open(`token ${n}`, answer());
    expect(() => open('another', answer())).toThrow(full);
  });

  it('take no request’s place, and end with their answer and with the service', () => {
    let left = 0;
    const stopping = new AbortController();
    const { open } = createStreamRegistry(stopping.signal, () => {
      left += 1;
    });
    const [one, other] = [answer(), answer()];
    const signals = [open('token 1', one), open('token 1', one), open('token 2', other)];
    expect(left).toBe(2);
    one.emit('close');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    stopping.abort();
    expect(signals[2]?.aborted).toBe(true);
  });
});
