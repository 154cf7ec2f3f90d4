import type { ServerResponse } from 'node:http';
import { redact } from '../auth/tokens.ts';
import { type DomainError, isUnavailable } from '../errors.ts';

/** Data that is JSON already. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Why, for programs: the envelope has room for a sentence only. */
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

/** What callers mistake for a parameter or a name may be a secret: the message quotes it, and they write it down. */
export const toFailureBody = (message: string) =>
  JSON.stringify({ success: false, data: redact(message) });

/** HEAD sees the same headers and no body: Node leaves it out. */
export function sendResponse(
  res: ServerResponse,
  status: number,
  body: string,
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
