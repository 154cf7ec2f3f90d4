import type { Logger } from 'pino';
import { isDatabaseOutage } from '../db/outages.ts';
import type { RunningServer } from './start-server.ts';

const MAX_STOP_MS = 30_000;

/** Stops the service and exits with the code. Further calls have no effect. */
type Shutdown = (exitCode: number) => Promise<void>;

/** Supervisors signal a program and its children, so the same stop arrives twice within a moment. */
const MIN_SIGNAL_INTERVAL_MS = 1_000;

/** Shuts down gracefully on SIGTERM and SIGINT, and logs uncaught errors: see `createSignalHandler` and `logUncaught`. */
export function stopOnSignals(
  service: Pick<RunningServer, 'drain' | 'stop'>,
  log: Logger,
  { delayMs }: { delayMs: number },
): void {
  const shutDown = createShutdown(service, log);
  const handleSignal = createSignalHandler({
    drain: service.drain,
    shutDown: () => void shutDown(0),
    log,
    delayMs,
    now: () => performance.now(),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => handleSignal(signal, process.stdin.isTTY));
  logUncaught(shutDown, log);
}

/**
 * Returns the handler of signals. The service drains for `delayMs` first. A further signal ends the delay, unless it arrives within a
 * second of the first: then it is the same one. Ctrl-C in a terminal has no delay.
 */
export function createSignalHandler({
  drain,
  shutDown,
  log,
  delayMs,
  now,
}: {
  drain(): void;
  shutDown(): void;
  log: Pick<Logger, 'info'>;
  delayMs: number;
  now(): number;
}): (signal: NodeJS.Signals, isTerminal: boolean) => void {
  let drainingSince: number | undefined;
  const finish = (bindings: object = {}) => {
    log.info(bindings, 'shutting down: finishing requests in progress');
    shutDown();
  };
  return (signal, isTerminal) => {
    if (delayMs === 0 || (signal === 'SIGINT' && isTerminal)) {
      finish({ signal });
    } else if (drainingSince === undefined) {
      drainingSince = now();
      drain();
      log.info(
        { signal, delayMs },
        'draining: everything is still served, /readyz responds with 503',
      );
      setTimeout(finish, delayMs);
    } else if (now() - drainingSince >= MIN_SIGNAL_INTERVAL_MS) {
      finish({ signal });
    }
  };
}

function createShutdown(service: Pick<RunningServer, 'stop'>, log: Logger): Shutdown {
  let isStopping = false;
  return async (exitCode) => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => {
      log.error('shutdown took too long; exiting');
      process.exit(1);
    }, MAX_STOP_MS).unref();
    try {
      await service.stop();
      process.exit(exitCode);
    } catch (error) {
      log.error({ err: error }, 'the service did not stop cleanly');
      process.exit(1);
    }
  };
}

/**
 * Logs uncaught errors, and stops the process only if its state is in doubt.
 *
 * - **A rejected promise** ends only its own chain of calls: its `finally` blocks have run, and the database has rolled
 *   back its transaction. The process is in the same state as after a caught error, so it continues. If it exited, one
 *   forgotten `await` would interrupt all requests.
 * - **An exception** has interrupted code that can be shared, such as a parser or a pool. The process tries to finish the
 *   requests in progress and exits with 1 within 30 seconds, so that its supervisor restarts it.
 * - **The failure of a connection or a file** arrives as an exception if an `error` event has no listener. Only that
 *   connection is lost, so the process continues.
 */
function logUncaught(shutDown: Shutdown, log: Logger): void {
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'unhandled promise rejection; the service continues');
  });
  process.on('uncaughtException', (error) => {
    if (isDatabaseOutage(error)) {
      log.error({ err: error }, 'uncaught connection error; the service continues');
      return;
    }
    log.fatal({ err: error }, 'uncaught exception; stopping because the state is in doubt');
    void shutDown(1);
  });
  // A full disk or a closed log pipe must not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
