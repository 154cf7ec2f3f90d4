/**
 * Returns a function to await before each part of a long chain of work that never waits for anything outside of the process.
 * Once the turn of the event loop has lasted this long, it lets requests, timers and other work go first.
 */
export function createTurnLimit(maxMs: number): () => Promise<void> | undefined {
  let startedAt: number | undefined;
  return () => {
    const now = performance.now();
    if (startedAt === undefined) {
      startedAt = now;
      setImmediate(() => {
        startedAt = undefined;
      });
    }
    return now - startedAt < maxMs ? undefined : new Promise((resolve) => setImmediate(resolve));
  };
}

/** Lets timers go first that have become due. Node runs them between two immediates. */
export const runDueTimers = () =>
  new Promise<void>((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
