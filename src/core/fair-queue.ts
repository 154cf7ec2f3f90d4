import { overloaded } from '../errors.ts';

export interface FairQueue extends RunInTurn {
  /** How much work waits for a place. */
  countWaiting(): number;
}

/** Runs work in one of the places of a queue. @throws UNAVAILABLE; the reason of the signal if it aborts during the wait */
type RunInTurn = <T>(caller: string, work: () => Promise<T>, options?: WorkOptions) => Promise<T>;

interface WorkOptions {
  /** Counts from 0. */
  attempt?: number;
  /** Returns a signal that ends the wait of the work. Called only if the work has to wait. */
  getSignal?: (() => AbortSignal) | undefined;
}

interface FairQueueLimits {
  places: number;
  perCaller: number;
  /** How much work waits at most, and how much of it for one caller. Default: any amount. */
  waiting?: WaitingLimits;
}

interface WaitingLimits {
  max: number;
  perCaller: number;
}

interface Waiting {
  caller: string;
  attempt: number;
  start(): void;
}

/**
 * Creates a queue that runs as much work at a time as it has `places`, and for one caller at most `perCaller`. A free place goes
 * to work of the lowest attempt: work that gives up its place, in order to wait for something else, lets new work go first. Among
 * these it goes to the caller with the least running work, then to who has waited longest.
 *
 * @throws UNAVAILABLE while too much work waits, of all callers or of this one
 */
export function createFairQueue({
  places,
  perCaller,
  waiting: limits,
}: FairQueueLimits): FairQueue {
  const running = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let free = places;

  const countRunning = ({ caller }: Pick<Waiting, 'caller'>) => running.get(caller) ?? 0;
  const change = (caller: string, by: 1 | -1) => {
    free -= by;
    const count = countRunning({ caller }) + by;
    if (count === 0) running.delete(caller);
    else running.set(caller, count);
  };

  const findNext = (): Waiting | undefined => {
    let next: Waiting | undefined;
    for (const candidate of waiting) {
      const count = countRunning(candidate);
      if (count >= perCaller) continue;
      const isBefore =
        next === undefined ||
        candidate.attempt < next.attempt ||
        (candidate.attempt === next.attempt && count < countRunning(next));
      if (isBefore) next = candidate;
    }
    return next;
  };

  const startNext = () => {
    const next = free > 0 ? findNext() : undefined;
    if (next === undefined) return;
    waiting.delete(next);
    change(next.caller, 1);
    next.start();
  };

  const countWaitingWork = (caller: string) =>
    [...waiting].filter((other) => other.caller === caller).length;
  const isFull = (caller: string, { max, perCaller }: WaitingLimits) =>
    waiting.size >= max || countWaitingWork(caller) >= perCaller;

  const takePlace = (caller: string, { attempt = 0, getSignal }: WorkOptions) =>
    new Promise<void>((start, leave) => {
      const work: Waiting = { caller, attempt, start };
      waiting.add(work);
      startNext();
      if (getSignal === undefined || !waiting.has(work)) return;
      const signal = getSignal();
      const abort = () => {
        waiting.delete(work);
        leave(signal.reason);
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      // A caller has one signal for everything that it waits for.
      work.start = () => {
        signal.removeEventListener('abort', abort);
        start();
      };
    });

  const run: RunInTurn = async (caller, work, options = {}) => {
    if (limits !== undefined && isFull(caller, limits)) throw overloaded();
    await takePlace(caller, options);
    try {
      return await work();
    } finally {
      change(caller, -1);
      startNext();
    }
  };
  return Object.assign(run, { countWaiting: () => waiting.size });
}
