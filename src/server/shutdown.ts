import type { Logger } from 'pino';
import { isDatabaseOutage } from '../db/outages.ts';
import type { RunningServer } from './start-server.ts';

const MAX_STOP_MS = 30_000;

/** Stops the service once, whatever asks for it, and ends the process with this code. */
type Shutdown = (exitCode: number) => Promise<void>;

/** SIGTERM and SIGINT finish what is in flight and lose nothing. What nobody caught is logged, see `logUncaught`. */
export function stopOnSignals(service: Pick<RunningServer, 'stop'>, log: Logger): void {
  const shutDown = createShutdown(service, log);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'finishing what is in flight');
      void shutDown(0);
    });
  }
  logUncaught(shutDown, log);
}

function createShutdown(service: Pick<RunningServer, 'stop'>, log: Logger): Shutdown {
  let isStopping = false;
  return async (exitCode) => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => {
      log.error('gave up waiting for the database');
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
 * Logs every error that nobody caught, and stops the process only where its state is in doubt.
 *
 * - **A rejected promise** ends its own chain of calls and nothing else: its `finally` blocks have run, and the database
 *   takes back its transaction. The rest of the process is as sound as after an error that somebody caught, so it goes
 *   on, whatever the cause. Ending it would let one forgotten `await` interrupt everybody.
 * - **An exception** has left code in the middle of its work, which may be a parser or a pool that everybody shares. The
 *   process answers what is in flight, as far as it can, and exits with 1 within 30 seconds, for its supervisor to start anew.
 * - **The failure of a connection or a file** arrives as an exception where an `error` event has no listener. Only that
 *   connection is lost, so the process goes on.
 */
function logUncaught(shutDown: Shutdown, log: Logger): void {
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'a promise was rejected and nobody caught it; the service goes on');
  });
  process.on('uncaughtException', (error) => {
    if (isDatabaseOutage(error)) {
      log.error({ err: error }, 'a connection failed and nobody caught it; the service goes on');
      return;
    }
    log.fatal({ err: error }, 'an exception was not caught; stopping, since the state is in doubt');
    void shutDown(1);
  });
  // A full disk or a log reader that is gone must not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
