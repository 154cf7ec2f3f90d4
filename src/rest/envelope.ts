import type { ServerResponse } from 'node:http';
import { redact } from '../auth/tokens.ts';
import { type DomainError, isUnavailable } from '../errors.ts';

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

/** Masks secrets: messages can quote input with a misplaced secret, and callers log messages. */
export const toFailureBody = (message: string) =>
  JSON.stringify({ success: false, data: redact(message) });

/** Sends a JSON response. For HEAD, Node omits the body. */
export function sendResponse(
  res: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string | number> = {},
): void {
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  res.end(body);
}

export function sendError(res: ServerResponse, error: DomainError): void {
  const { reason, retryAfterSeconds } = error.details;
  sendResponse(res, toHttpStatus(error), toFailureBody(error.message), {
    [REASON_HEADER]: reason,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': retryAfterSeconds }),
    ...(error.code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {}),
  });
}
