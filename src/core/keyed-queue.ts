/**
 * Work on the same key is done one after the other within this process, or so many at a time. Whoever waits here holds
 * no connection of the pool, as whoever waits for a lock in the database does. It promises nothing; the database does.
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
