import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

/** Warns once a process when requests seem to come through a reverse proxy that is not configured. */
export function createProxyWarning(
  { trustProxy }: Config,
  log: Logger,
): (req: IncomingMessage) => void {
  let isDone = trustProxy > 0;
  return ({ headers }) => {
    if (isDone || headers['x-forwarded-for'] === undefined) return;
    isDone = true;
    log.warn(
      'A request carries X-Forwarded-For, but TRUST_PROXY is 0, so all clients behind a reverse proxy count as one and ' +
        'share its limits. If a reverse proxy is in front of the service, set TRUST_PROXY to the number of proxies.',
    );
  };
}
