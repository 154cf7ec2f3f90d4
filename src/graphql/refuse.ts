import type { IncomingMessage, ServerResponse } from 'node:http';
import { redact } from '../auth/secrets.ts';
import type { Deps } from '../deps.ts';
import { type DomainError, isOurs } from '../errors.ts';
import { extensionsOf } from './errors.ts';

const RESPONSE_TYPE = 'application/graphql-response+json';

/** Answers a request that is refused before GraphQL reads it, as GraphQL over HTTP wants it. */
export function refuseGraphql(
  { log }: Pick<Deps, 'log'>,
  req: IncomingMessage,
  res: ServerResponse,
  error: DomainError,
): void {
  if (isOurs(error)) log.warn(error.message);
  const { retryAfterSeconds } = error.details;
  const body = JSON.stringify({
    errors: [{ message: redact(error.message), extensions: extensionsOf(error) }],
  });
  const type = req.headers.accept?.includes(RESPONSE_TYPE) ? RESPONSE_TYPE : 'application/json';
  if (retryAfterSeconds !== undefined) res.setHeader('retry-after', retryAfterSeconds);
  res.writeHead(toStatus(error), {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  res.end(body);
}

function toStatus(error: DomainError): number {
  if (error.code === 'RATE_LIMITED') return 429;
  return isOurs(error) ? 503 : 400;
}
