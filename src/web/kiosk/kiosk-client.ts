import { type Client, createClient, type FoyerError, isFoyerError } from '@foyer/client';
import {
  ApiError,
  createOutdatedPageError,
  createUnreachableError,
  createUnreadableResponseError,
} from '../api/errors.ts';
import { toServiceUrl } from '../api/urls.ts';

/** Guests are waiting, so a slower service counts as unreachable. */
const REQUEST_TIMEOUT_MS = 8_000;

/**
 * Sends a request. The token identifies a paired kiosk. A kiosk decides itself what it repeats, and when.
 * @throws ApiError
 */
export async function sendKioskRequest<Result>(
  token: string | null,
  request: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = createClient({
    url: toServiceUrl(''),
    timeout: REQUEST_TIMEOUT_MS,
    retries: 0,
    ...(token !== null && { token }),
  });
  return request(client).catch((error: unknown) => {
    throw isFoyerError(error) ? toApiError(error) : error;
  });
}

/** Proxies respond with these statuses while the service is down. */
const UNREACHABLE_STATUSES = [502, 503, 504];

/** The error as the pages show it. */
function toApiError({ code, reason, message, status, fields, retryAfter }: FoyerError): ApiError {
  if (code === 'NETWORK' || code === 'TIMEOUT') return createUnreachableError();
  if (code === 'UNEXPECTED_RESPONSE')
    return UNREACHABLE_STATUSES.includes(status)
      ? createUnreachableError()
      : createUnreadableResponseError(status);
  const details = {
    ...(reason && { reason }),
    ...(retryAfter !== null && { retryAfterSeconds: retryAfter }),
    fields: fields.map(({ field, message }) => ({ ...(field && { field }), message })),
  };
  return reason === 'DOCUMENT_NOT_TRUSTED'
    ? createOutdatedPageError(code, details)
    : new ApiError(code, message, details);
}
