import type { Logger } from 'pino';
import { CallerDisconnected, type DomainError, isInternal, isUnavailable } from '../errors.ts';

/** Logs an error that the service has caused: as a warning if it is temporary. Nobody waits for what a disconnected caller gets. */
export function logError(log: Logger, error: DomainError, where: object = {}): void {
  if (error instanceof CallerDisconnected) return;
  if (isUnavailable(error)) log.warn({ err: error.cause, ...where }, error.message);
  else if (isInternal(error)) log.error({ err: error.cause ?? error, ...where }, 'request failed');
}
