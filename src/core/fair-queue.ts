import { overloaded } from '../errors.ts';

/** Runs work in one of the places of a queue. `attempt` counts from 0. */
export type FairQueue = <T>(
  caller: string,
  work: () => Promise<T>,
  options?: { attempt?: number },
) => Promise<T>;

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
  const waiting: Waiting[] = [];
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
    waiting.splice(waiting.indexOf(next), 1);
    change(next.caller, 1);
    next.start();
  };

  const isFull = (caller: string, { max, perCaller }: WaitingLimits) =>
    waiting.length >= max || waiting.filter((other) => other.caller === caller).length >= perCaller;

  return async (caller, work, { attempt = 0 } = {}) => {
    if (limits !== undefined && isFull(caller, limits)) throw overloaded();
    await new Promise<void>((start) => {
      waiting.push({ caller, attempt, start });
      startNext();
    });
    try {
      return await work();
    } finally {
      change(caller, -1);
      startNext();
    }
  };
}
