import { type ErrorReason, type FieldError, FoyerError } from './errors.ts';
import { parseRetryAfter } from './waiting.ts';

/** What a response with an error has about it, in either API. */
interface ErrorDetails {
  code?: FoyerError['code'];
  reason?: ErrorReason;
  fields?: FieldError[];
  [detail: string]: unknown;
}

/** Every JSON response of REST. `error` is there because the client prefers detailed errors. */
export interface Envelope {
  success: boolean;
  data: unknown;
  error?: ErrorDetails;
}

/** What GraphQL responds with. */
export interface GraphqlBody {
  data?: unknown;
  errors?: { message: string; path?: (string | number)[]; extensions?: ErrorDetails }[];
}

export function toRestError(response: Response, body: Envelope | null, text: string): FoyerError {
  if (body?.success !== false || typeof body.data !== 'string')
    return toUnexpectedError(response, text);
  if (hasLostToken(response)) return toRedirectError(response);
  return toError(response, body.data, body.error, body);
}

export function toGraphqlError(response: Response, body: GraphqlBody): FoyerError {
  if (hasLostToken(response)) return toRedirectError(response);
  const { message = '', path, extensions } = body.errors?.[0] ?? {};
  return toError(response, message, { ...extensions, ...(path && { path }) }, body);
}

/** A proxy or another service has responded. */
export const toUnexpectedError = ({ status, headers }: Response, text: string): FoyerError =>
  new FoyerError({
    code: 'UNEXPECTED_RESPONSE',
    message: `The response, with status ${status}, is not from Foyer. Check the address of the service.`,
    status,
    requestId: headers.get('x-request-id'),
    retryAfter: getRetryAfter(headers),
    cause: text.slice(0, 1000),
  });

/** Whether the service may not have received the token: `fetch` does not send it to the other origin of a redirect. */
const hasLostToken = ({ status, redirected }: Response) => status === 401 && redirected;

const toRedirectError = ({ status, headers, url }: Response): FoyerError =>
  new FoyerError({
    code: 'UNEXPECTED_RESPONSE',
    message: `The address redirects to ${new URL(url).origin}, where the token is not sent. Use that address.`,
    status,
    requestId: headers.get('x-request-id'),
    retryAfter: null,
  });

/** Parses JSON. Returns null for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toError(
  { status, headers }: Response,
  message: string,
  { code, reason, fields, ...details }: ErrorDetails = {},
  body: unknown,
): FoyerError {
  const seconds = details.retryAfterSeconds ?? details.retry_after_seconds;
  return new FoyerError({
    code: code ?? 'INTERNAL',
    message,
    reason,
    fields,
    details,
    status,
    requestId: headers.get('x-request-id'),
    retryAfter: typeof seconds === 'number' ? seconds : getRetryAfter(headers),
    cause: body,
  });
}

function getRetryAfter(headers: Headers): number | null {
  const wait = parseRetryAfter(headers);
  return wait === null ? null : Math.ceil(wait / 1000);
}
