/**
 * Serializes work by key within this process, or runs at most `width` at a time. Waiting here holds no connection of the
 * pool; waiting for a lock in the database would. This is an optimization: the database keeps the promises.
 */
export function createKeyedQueue(lanes = 1) {
  const last = new Map<string, Promise<unknown>>();
  let next = 0;
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    next = (next + 1) % lanes;
    const key = `${name} ${next}`;
    const before = last.get(key);
    const mine = Promise.resolve(before).then(work, work);
    const settled = mine.catch(() => {});
    last.set(key, settled);
    await settled;
    if (last.get(key) === settled) last.delete(key);
    return mine;
  };
}
