import { toServiceUrl } from '../api/urls.ts';
import type { components, paths } from '../rest/openapi.ts';

export type DisplayState = components['schemas']['DisplayState'];
export type DisplayedBooking = DisplayState['bookings'][number];
export type DisplayedEvent = DisplayState['events'][number];
export type DisplayedAnnouncement = DisplayState['announcements'][number];
export type ScheduledItem = Pick<DisplayedBooking, 'id' | 'title' | 'starts_at' | 'ends_at'>;
export type HeartbeatResponse = components['schemas']['HeartbeatAcknowledgement'];
export type PairingResponse = JsonData<
  paths['/displays/pairings']['post']['responses'][201]['content']
>;
export type PairingStatusResponse = JsonData<
  paths['/displays/pairings/{poll_token}']['get']['responses'][200]['content']
>;

type JsonData<Content extends { 'application/json': { data: unknown } }> =
  Content['application/json']['data'];

export type DeviceResponse<Data> =
  | { kind: 'success'; data: Data; etag: string | null }
  | { kind: 'not-modified' }
  /** The same request would be rejected again. */
  | { kind: 'rejected'; status: number }
  /** The service is unreachable or too busy. Retry later. */
  | { kind: 'unavailable'; retryAfterSeconds: number | null };

const REQUEST_TIMEOUT_MS = 15_000;

interface DeviceRequestOptions {
  method?: 'GET' | 'POST';
  etag?: string | null;
  signal: AbortSignal;
}

/** Calls the REST API for devices. Never throws: the caller retries, since nobody at a display can react to an error. */
export async function callDeviceApi<Data>(
  path: string,
  { method = 'GET', etag = null, signal }: DeviceRequestOptions,
): Promise<DeviceResponse<Data>> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, REQUEST_TIMEOUT_MS);
  signal.addEventListener('abort', abort);
  try {
    const response = await fetch(toServiceUrl(path), {
      method,
      headers: { accept: 'application/json', ...(etag && { 'if-none-match': etag }) },
      credentials: 'omit',
      signal: controller.signal,
    });
    return await parseDeviceResponse<Data>(response);
  } catch {
    return { kind: 'unavailable', retryAfterSeconds: null };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

async function parseDeviceResponse<Data>(response: Response): Promise<DeviceResponse<Data>> {
  const { status, ok, headers } = response;
  if (status === 304) return { kind: 'not-modified' };
  if (ok) {
    const { data } = (await response.json()) as { data: Data };
    return { kind: 'success', data, etag: headers.get('etag') };
  }
  if (status === 429 || status >= 500) {
    const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
    return { kind: 'unavailable', retryAfterSeconds: Number.isNaN(seconds) ? null : seconds };
  }
  return { kind: 'rejected', status };
}
