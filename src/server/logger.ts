import type { IncomingMessage } from 'node:http';
import { type Logger, pino, stdSerializers } from 'pino';
import { redact } from '../auth/tokens.ts';
import type { Config } from '../config.ts';

/** One JSON object a line, on standard error; secrets never get there, whoever put them into a message. */
export const createLogger = (level: string) =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: stdSerializers.errWithCause },
    },
    { write: (line: string) => process.stderr.write(redact(line)) },
  );

/** Parameters that say nothing about a person: how much, from when, in which state, of which thing. */
const LOGGABLE_PARAMETERS = new Set([
  'app_version',
  'battery',
  'date',
  'from',
  'limit',
  'location_id',
  'minutes',
  'resource_id',
  'status',
  'tag',
  'to',
  'type',
  'uptime',
]);

/** Such as a number, an id, a date or a word: whoever writes an e-mail address there does not get it into the log. */
const LOGGABLE_VALUE = /^[\w:.+-]{0,40}$/;

/** Shown without their values. The names of others are made up by the caller, and may be somebody's. */
const HIDDEN_PARAMETERS = new Set([
  'cursor',
  'email',
  'member_id',
  'q',
  'query',
  'operationName',
  'variables',
]);

const REDACTED = '***';

/**
 * What the log may say of an address: no secrets, and no query values that identify a person. Only listed parameters
 * keep their values, so that one which is added later is hidden until somebody decides otherwise.
 */
export function toLoggableUrl(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return redact(url);
  const parameters = [...new URLSearchParams(url.slice(mark))].map(([name, value]) => {
    if (LOGGABLE_PARAMETERS.has(name))
      return `${name}=${LOGGABLE_VALUE.test(value) ? value : REDACTED}`;
    return `${HIDDEN_PARAMETERS.has(name) ? name : REDACTED}=${REDACTED}`;
  });
  return redact(`${url.slice(0, mark)}?${parameters.join('&')}`);
}

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
