import type pg from 'pg';

type PoolName = 'main' | 'transactions' | 'session';

/** What operators see of connections that callers wait for. */
export interface WatchedPool {
  name: PoolName;
  readUsage(): PoolUsage;
  /** Calls the listener with each wait for a connection, in seconds, also if there was none. It replaces the last listener. */
  onWait(listener: (seconds: number) => void): void;
}

interface PoolUsage {
  /** Connections in use. */
  used: number;
  /** Open connections that nobody uses. */
  idle: number;
  /** Callers that wait for one. */
  waiting: number;
}

type Callback = (...result: unknown[]) => void;
type Connect = (callback?: Callback) => Promise<unknown> | undefined;

/** Watches a pool of node-postgres. `pool.query` waits for a connection in the same way as `pool.connect`. */
export function watchPool(name: PoolName, pool: pg.Pool): WatchedPool {
  const waits = createWaitReport();
  const connect = pool.connect.bind(pool) as Connect;
  pool.connect = ((callback?: Callback) => {
    const end = waits.begin();
    if (callback === undefined) return connect()?.finally(end);
    return connect((...result) => {
      end();
      callback(...result);
    });
  }) as typeof pool.connect;
  return {
    name,
    readUsage: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    onWait: waits.onWait,
  };
}

/** Measures waits for a listener. */
export function createWaitReport() {
  let listener: (seconds: number) => void = () => {};
  return {
    /** Returns a function that ends the wait. */
    begin: () => {
      const startedAt = performance.now();
      return () => listener((performance.now() - startedAt) / 1000);
    },
    onWait: (next: typeof listener) => {
      listener = next;
    },
  };
}
