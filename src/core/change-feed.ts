import { DomainError } from '../errors.ts';

const FEED_POLL_INTERVAL_MS = 1_000;
/** Without changes a listener gets an empty list this often, so that it can check that it is still authorized. */
const POLLS_PER_TICK = 30;
/** A listener with more unread changes is too slow and is dropped. */
const MAX_PENDING_CHANGES = 20_000;

/**
 * Publishes changes to listeners. While there is at least one, the database is polled once a second for all of them, so
 * changes made by every instance arrive; without listeners nothing is polled.
 */
export interface ChangeFeed<News> {
  /** Yields lists of changes, sometimes empty. Ends with the signal; throws the error of a failed poll. */
  listen(signal: AbortSignal): AsyncGenerator<News[], void, void>;
}

/**
 * `begin` creates a poll function that returns the changes since its last call; a new one begins with the first
 * listener. Where only the latest change counts, it replaces unread ones.
 */
export function createChangeFeed<News>(
  begin: () => () => Promise<News[]>,
  { onlyLatest = false }: { onlyLatest?: boolean } = {},
): ChangeFeed<News> {
  const listeners = new Set<FeedListener<News>>();
  let timer: NodeJS.Timeout | undefined;

  const start = () => {
    const look = begin();
    let looking = false;
    let looks = 0;
    const tell = async () => {
      if (looking) return;
      looking = true;
      looks += 1;
      try {
        const news = await look();
        const isTick = looks % POLLS_PER_TICK === 0;
        for (const listener of listeners) listener.publish(news, isTick);
      } catch (error) {
        for (const listener of listeners) listener.fail(error);
      } finally {
        looking = false;
      }
    };
    timer = setInterval(tell, FEED_POLL_INTERVAL_MS).unref();
    void tell();
  };

  return {
    async *listen(signal) {
      const listener = new FeedListener<News>(signal, onlyLatest);
      listeners.add(listener);
      if (listeners.size === 1) start();
      try {
        yield* listener.changes();
      } finally {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      }
    },
  };
}

class FeedListener<News> {
  private pending: News[] = [];
  private isTick = false;
  private failure: { error: unknown } | undefined;
  private resume = () => {};
  private readonly signal: AbortSignal;
  private readonly onlyLatest: boolean;

  constructor(signal: AbortSignal, onlyLatest: boolean) {
    this.signal = signal;
    this.onlyLatest = onlyLatest;
    signal.addEventListener('abort', () => this.resume(), { once: true });
  }

  publish(news: News[], isTick: boolean): void {
    if (news.length > 0) this.pending = this.onlyLatest ? news : this.pending.concat(news);
    this.isTick ||= isTick;
    if (this.pending.length > MAX_PENDING_CHANGES) this.fail(tooManyChanges());
    else if (news.length > 0 || isTick) this.resume();
  }

  fail(error: unknown): void {
    this.pending = [];
    this.failure = { error };
    this.resume();
  }

  async *changes(): AsyncGenerator<News[], void, void> {
    while (!this.signal.aborted) {
      if (this.failure) throw this.failure.error;
      if (this.pending.length > 0 || this.isTick) {
        const news = this.pending;
        this.pending = [];
        this.isTick = false;
        yield news;
        continue;
      }
      await new Promise<void>((resolve) => {
        this.resume = resolve;
      });
    }
  }
}

const tooManyChanges = () =>
  new DomainError('RATE_LIMITED', 'Too many changes at once. Fetch the list again.', {
    reason: 'TOO_MUCH_NEWS',
    retryAfterSeconds: 10,
  });
