/** Runs calls with the same key. Their results are shared, so callers must not change them. */
export type SharedCalls = <T>(key: string, call: () => Promise<T>) => Promise<T>;

/**
 * Lets calls that arrive while one with the same key runs share the next one. Nothing is cached: the work for a caller always
 * begins after the caller has asked. All calls of one key must do the same.
 */
export function createSharedCalls(): SharedCalls {
  const running = new Map<string, { current: Promise<unknown>; next?: Promise<unknown> }>();

  const start = <T>(key: string, call: () => Promise<T>): Promise<T> => {
    const current = call();
    const entry: { current: Promise<unknown>; next?: Promise<unknown> } = { current };
    running.set(key, entry);
    const end = () => {
      if (entry.next === undefined) running.delete(key);
    };
    current.then(end, end);
    return current;
  };

  return <T>(key: string, call: () => Promise<T>): Promise<T> => {
    const entry = running.get(key);
    if (entry === undefined) return start(key, call);
    const begin = () => start(key, call);
    entry.next ??= entry.current.then(begin, begin);
    return entry.next as Promise<T>;
  };
}
