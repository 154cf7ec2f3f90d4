import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { redact } from '../auth/tokens.ts';
import { sendBody } from '../core/compressed-json.ts';
import { toSnakeCase, toSnakeCaseJson } from '../core/letter-case.ts';
import { type DomainError, isUnavailable, toErrorDetails } from '../errors.ts';

/** Data that is already serialized as JSON. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Carries the error reason, since the envelope contains only a message. */
export const REASON_HEADER = 'foyer-error-reason';

const STATUS_BY_CODE = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION: 422,
  CONFLICT: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
} as const;

const toHttpStatus = (error: DomainError): number =>
  isUnavailable(error) ? 503 : STATUS_BY_CODE[error.code];

export const toSuccessBody = (data: object | RawJson) =>
  `{"success":true,"data":${data instanceof RawJson ? data.text : JSON.stringify(data)}}`;

/**
 * Masks secrets: messages can quote input with a misplaced secret, and callers log messages. The envelope has details only if
 * the client prefers them.
 */
export const toFailureBody = (message: string, details?: object) =>
  JSON.stringify({
    success: false,
    data: redact(message),
    ...(details && { error: details }),
  });

/** Computes a strong entity tag of a response. */
export const toEtag = (body: string | Buffer): string =>
  createHash('sha256').update(body).digest('base64url');

/** Sends a JSON response, compressed if that helps. For HEAD, Node omits the body. */
export function sendResponse(
  res: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string | number> = {},
  { isCompressible = true } = {},
): void {
  const allHeaders = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  };
  if (isCompressible) sendBody(res, status, allHeaders, body);
  else res.writeHead(status, allHeaders).end(body);
}

export function sendError(
  res: ServerResponse,
  error: DomainError,
  status = toHttpStatus(error),
): void {
  const { reason, retryAfterSeconds } = error.details;
  const details = prefersDetailedErrors(res.req) ? toRestDetails(error) : undefined;
  res.appendHeader('vary', 'Prefer');
  sendResponse(res, status, toFailureBody(error.message, details), {
    [REASON_HEADER]: reason,
    ...(details ? { 'preference-applied': DETAILED_ERRORS } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': retryAfterSeconds }),
    ...(error.code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {}),
  });
}

const DETAILED_ERRORS = 'errors=detailed';

/** Whether the header Prefer (RFC 7240) asks for details. Of several values of a preference, the first counts. */
function prefersDetailedErrors({ headers: { prefer = [] } }: IncomingMessage): boolean {
  for (const preference of [prefer].flat().join().split(',')) {
    const [pair = ''] = preference.split(';');
    const [name = '', value = ''] = pair.split('=');
    if (name.trim().toLowerCase() !== 'errors') continue;
    return ['detailed', '"detailed"'].includes(value.trim());
  }
  return false;
}

/** The same details as in GraphQL, in the names of REST. Names of fields that the caller sent stay as they are. */
export function toRestDetails(error: DomainError): object {
  const { fields, ...details } = toErrorDetails(error);
  return {
    ...(toSnakeCaseJson(details) as object),
    ...(Array.isArray(fields) && {
      fields: fields.map(({ field, message }) => ({
        field: error.details.reason === 'INVALID_INPUT' || !field ? field : toSnakeCase(field),
        message,
      })),
    }),
  };
}
