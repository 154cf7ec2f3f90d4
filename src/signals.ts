import type { Logger } from 'pino';
import type { Service } from './service.ts';

const LONGEST_STOP_MS = 30_000;

/** SIGTERM and SIGINT finish what is in flight and lose nothing. */
export function stopOnSignals(service: Service, log: Logger): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'finishing what is in flight');
    setTimeout(() => {
      log.error('gave up waiting for the database');
      process.exit(1);
    }, LONGEST_STOP_MS).unref();
    await service.stop();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
