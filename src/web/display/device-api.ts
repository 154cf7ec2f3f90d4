import { toServiceUrl } from '../api/urls.ts';

/** What a device is told over REST, as `openapi.json` has it; times are RFC 3339. */
export interface DisplayState {
  version: string;
  poll_after_seconds: number;
  heartbeat_after_seconds: number;
  device: {
    id: string;
    name: string;
    kind: 'room_panel' | 'event_board' | 'welcome' | 'kiosk';
    location: { id: string; name: string; time_zone: string };
    resource: ResourceRef | null;
  };
  content: { title: string; opening?: OpeningPeriod[] | null };
  bookings: DisplayedBooking[];
  events: DisplayedEvent[];
  announcements: DisplayedAnnouncement[];
  next_change_at: string | null;
}

export interface ResourceRef {
  id: string;
  name: string;
}

/** Null where it lies out of sight. */
export interface OpeningPeriod {
  opens_at: string | null;
  closes_at: string | null;
}

export interface ScheduledItem {
  id: string;
  title: string | null;
  starts_at: string;
  ends_at: string;
}

export interface DisplayedBooking extends ScheduledItem {
  host: string;
  resource: ResourceRef;
}

export interface DisplayedEvent extends ScheduledItem {
  title: string;
  summary: string | null;
  resource: ResourceRef | null;
}

export interface DisplayedAnnouncement {
  id: string;
  title: string;
  body: string | null;
  starts_at: string;
  ends_at: string | null;
}

export interface HeartbeatResponse {
  state_version: string;
  next_heartbeat_seconds: number;
  server_time: string;
}

export interface PairingResponse {
  pairing_code: string;
  poll_token: string;
  expires_at: string;
  poll_after_seconds: number;
}

export interface PairingStatusResponse {
  status: 'pending' | 'claimed' | 'expired';
  device_token?: string | null;
}

export type DeviceResponse<Data> =
  | { kind: 'answered'; data: Data; etag: string | null }
  | { kind: 'unchanged' }
  /** Asking the same again would be refused again. */
  | { kind: 'refused'; status: number }
  /** Nobody there, or too busy: later it may be otherwise. */
  | { kind: 'later'; retryAfterSeconds: number | null };

const REQUEST_TIMEOUT_MS = 15_000;

/** Never throws: a screen has nobody who could be told. */
export async function callDeviceApi<Data>(
  path: string,
  { method = 'GET', etag = null, signal }: DeviceRequestOptions,
): Promise<DeviceResponse<Data>> {
  const patience = new AbortController();
  const giveUp = () => patience.abort();
  const timer = setTimeout(giveUp, REQUEST_TIMEOUT_MS);
  signal.addEventListener('abort', giveUp);
  try {
    const response = await fetch(toServiceUrl(path), {
      method,
      headers: { accept: 'application/json', ...(etag && { 'if-none-match': etag }) },
      credentials: 'omit',
      signal: patience.signal,
    });
    return await parseDeviceResponse<Data>(response);
  } catch {
    return { kind: 'later', retryAfterSeconds: null };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

interface DeviceRequestOptions {
  method?: 'GET' | 'POST';
  etag?: string | null;
  signal: AbortSignal;
}

async function parseDeviceResponse<Data>(response: Response): Promise<DeviceResponse<Data>> {
  const { status, ok, headers } = response;
  if (status === 304) return { kind: 'unchanged' };
  if (ok) {
    const { data } = (await response.json()) as { data: Data };
    return { kind: 'answered', data, etag: headers.get('etag') };
  }
  if (status === 429 || status >= 500) {
    const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
    return { kind: 'later', retryAfterSeconds: Number.isNaN(seconds) ? null : seconds };
  }
  return { kind: 'refused', status };
}
