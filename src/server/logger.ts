import type { IncomingMessage, ServerResponse } from 'node:http';
import { trace } from '@opentelemetry/api';
import { type Logger, pino, stdSerializers } from 'pino';
import { redact } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import { getRequestId } from '../core/request-id.ts';

/** Creates a logger that writes JSON lines to standard error and masks secrets. */
export const createLogger = (level: string) =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: stdSerializers.errWithCause },
      mixin: findTraceIds,
    },
    { write: (line: string) => process.stderr.write(redact(line)) },
  );

/** Returns the ids of the trace to which a line of the log belongs, under the names that tools expect. */
export function findTraceIds(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/** Parameters that reveal nothing about a person. */
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

/** Matches a number, id, date or word. Other values, such as a misplaced email address, are masked. */
const LOGGABLE_VALUE = /^[\w:.+-]{0,40}$/;

/** Parameters whose names are logged without values. Unknown names are masked, since a caller can put personal data there. */
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
 * Masks secrets and personal data in a URL. Only listed parameters keep their values, so that new parameters are masked by
 * default.
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

/** Returns a function that warns once per process if requests come through a reverse proxy that is not configured. */
export function createProxyWarning(
  { trustProxy }: Config,
  log: Logger,
): (req: IncomingMessage) => void {
  let hasWarned = trustProxy > 0;
  return ({ headers }) => {
    if (hasWarned || headers['x-forwarded-for'] === undefined) return;
    hasWarned = true;
    log.warn(
      'A request has the header X-Forwarded-For, but TRUST_PROXY is 0, so all clients behind a reverse proxy count as one client and ' +
        'share its limits. If a reverse proxy is in front of the service, set TRUST_PROXY to the number of proxies.',
    );
  };
}

/** Logs a request at level debug when its response is complete. */
export function logRequest(log: Logger, req: IncomingMessage, res: ServerResponse): void {
  const started = performance.now();
  const { method, url = '' } = req;
  res.once('finish', () => {
    log.debug({
      method,
      url: toLoggableUrl(url),
      status: res.statusCode,
      requestId: getRequestId(req),
      ms: Math.round(performance.now() - started),
    });
  });
}
