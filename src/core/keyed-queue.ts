/** Runs work in the order of its arrival, for each key. */
export type KeyedQueue = ReturnType<typeof createKeyedQueue>;

/**
 * Runs work with the same key one at a time within this process, or in `lanes` that each run one at a time. Waiting here
 * holds no connection of the pool; waiting for a lock in the database would. This is only an optimization: the database
 * enforces the invariants.
 */
export function createKeyedQueue(lanes = 1) {
  const lastByLane = new Map<string, Promise<unknown>>();
  let nextLane = 0;
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    nextLane = (nextLane + 1) % lanes;
    const lane = `${key} ${nextLane}`;
    const previous = lastByLane.get(lane);
    const result = Promise.resolve(previous).then(work, work);
    const settled = result.catch(() => {});
    lastByLane.set(lane, settled);
    await settled;
    if (lastByLane.get(lane) === settled) lastByLane.delete(lane);
    return result;
  };
}
