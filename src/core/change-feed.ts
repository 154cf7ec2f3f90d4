import { DomainError } from '../errors.ts';

const FEED_POLL_INTERVAL_MS = 1_000;
/**
 * Without changes a listener gets an empty list after the first poll, from which on it misses nothing, and then this often, so that
 * it can check that it is still authorized.
 */
const POLLS_PER_TICK = 30;
/** A listener with more unread changes is too slow and is dropped. */
const MAX_PENDING_CHANGES = 20_000;

/**
 * Publishes changes to listeners. While there is at least one, the database is polled once a second for all of them, so
 * changes made by every instance arrive; without listeners nothing is polled.
 */
export interface ChangeFeed<Change> {
  /** Yields lists of changes, sometimes empty. Ends when the signal aborts. @throws the error of a failed poll. */
  listen(signal: AbortSignal): AsyncGenerator<Change[], void, void>;
}

export interface FeedOptions {
  /** New changes replace unread ones. */
  onlyLatest?: boolean;
  /** How often the database is polled. */
  intervalMs?: number | undefined;
}

/**
 * Creates a feed. `createPoll` is called when the first listener arrives and returns a function that reads the changes
 * since its last call.
 */
export function createChangeFeed<Change>(
  createPoll: () => () => Promise<Change[]>,
  { onlyLatest = false, intervalMs = FEED_POLL_INTERVAL_MS }: FeedOptions = {},
): ChangeFeed<Change> {
  const listeners = new Set<FeedListener<Change>>();
  let timer: NodeJS.Timeout | undefined;

  const start = () => {
    const poll = createPoll();
    let isPolling = false;
    let pollCount = 0;
    const publishChanges = async () => {
      if (isPolling) return;
      isPolling = true;
      pollCount += 1;
      try {
        const changes = await poll();
        const isTick = pollCount % POLLS_PER_TICK === 1;
        for (const listener of listeners) listener.publish(changes, isTick);
      } catch (error) {
        for (const listener of listeners) listener.fail(error);
      } finally {
        isPolling = false;
      }
    };
    timer = setInterval(publishChanges, intervalMs).unref();
    void publishChanges();
  };

  return {
    async *listen(signal) {
      const listener = new FeedListener<Change>(signal, onlyLatest);
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

class FeedListener<Change> {
  private pending: Change[] = [];
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

  publish(changes: Change[], isTick: boolean): void {
    if (changes.length > 0) this.pending = this.onlyLatest ? changes : this.pending.concat(changes);
    this.isTick ||= isTick;
    if (this.pending.length > MAX_PENDING_CHANGES) this.fail(tooManyChanges());
    else if (changes.length > 0 || isTick) this.resume();
  }

  fail(error: unknown): void {
    this.pending = [];
    this.failure = { error };
    this.resume();
  }

  async *changes(): AsyncGenerator<Change[], void, void> {
    while (!this.signal.aborted) {
      if (this.failure) throw this.failure.error;
      if (this.pending.length > 0 || this.isTick) {
        const changes = this.pending;
        this.pending = [];
        this.isTick = false;
        yield changes;
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
    reason: 'SUBSCRIPTION_TOO_SLOW',
    retryAfterSeconds: 10,
  });
