import { type Envelope, parseJson, toRestError } from './error-responses.ts';
import type { FoyerError } from './errors.ts';
import type { QueryValue, Transport } from './transport.ts';

export type DeviceResponse<Data> =
  | { kind: 'success'; data: Data; etag: string | null }
  | { kind: 'not-modified' }
  /** The same request would be rejected again. */
  | { kind: 'rejected'; error: FoyerError }
  /** The service is unreachable or too busy. Retry later. */
  | { kind: 'unavailable'; retryAfterSeconds: number | null };

interface DeviceRequest {
  method?: 'GET' | 'POST';
  path: string;
  query?: Record<string, QueryValue>;
  etag?: string | null;
  signal?: AbortSignal | undefined;
}

/** Sends one request of a device. Never throws: the caller retries, since nobody at a display can react to an error. */
export async function sendDeviceRequest<Data>(
  transport: Transport,
  { method = 'GET', path, query = {}, etag, signal }: DeviceRequest,
): Promise<DeviceResponse<Data>> {
  try {
    const response = await transport.send({
      method,
      path,
      query,
      headers: { prefer: 'errors=detailed', ...(etag && { 'if-none-match': etag }) },
      ...(signal && { signal }),
      repeatable: false, // the caller paces its requests
    });
    return await readDeviceResponse<Data>(response);
  } catch {
    return { kind: 'unavailable', retryAfterSeconds: null };
  }
}

async function readDeviceResponse<Data>(response: Response): Promise<DeviceResponse<Data>> {
  if (response.status === 304) return { kind: 'not-modified' };
  const text = await response.text();
  const body = parseJson(text) as Envelope | null;
  if (response.ok && body?.success === true)
    return { kind: 'success', data: body.data as Data, etag: response.headers.get('etag') };
  const error = toRestError(response, body, text);
  const isTemporary = response.ok || response.status === 429 || response.status >= 500;
  return isTemporary
    ? { kind: 'unavailable', retryAfterSeconds: error.retryAfter }
    : { kind: 'rejected', error };
}
