import { serviceUrl } from '../api/urls.ts';

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
    resource: Named | null;
  };
  content: { title: string; opening?: Stretch[] | null };
  bookings: Booking[];
  events: CommunityEvent[];
  announcements: Announcement[];
  next_change_at: string | null;
}

export interface Named {
  id: string;
  name: string;
}

/** Null where it lies out of sight. */
export interface Stretch {
  opens_at: string | null;
  closes_at: string | null;
}

export interface Occasion {
  id: string;
  title: string | null;
  starts_at: string;
  ends_at: string;
}

export interface Booking extends Occasion {
  host: string;
  resource: Named;
}

export interface CommunityEvent extends Occasion {
  title: string;
  summary: string | null;
  resource: Named | null;
}

export interface Announcement {
  id: string;
  title: string;
  body: string | null;
  starts_at: string;
  ends_at: string | null;
}

export interface Acknowledgement {
  state_version: string;
  next_heartbeat_seconds: number;
  server_time: string;
}

export interface Pairing {
  pairing_code: string;
  poll_token: string;
  expires_at: string;
  poll_after_seconds: number;
}

export interface PairingState {
  status: 'pending' | 'claimed' | 'expired';
  device_token?: string | null;
}

export type Answer<Data> =
  | { kind: 'answered'; data: Data; etag: string | null }
  | { kind: 'unchanged' }
  /** Asking the same again would be refused again. */
  | { kind: 'refused'; status: number }
  /** Nobody there, or too busy: later it may be otherwise. */
  | { kind: 'later'; retryAfterSeconds: number | null };

const PATIENCE_MS = 15_000;

/** Never throws: a screen has nobody who could be told. */
export async function ask<Data>(
  path: string,
  { method = 'GET', etag = null, signal }: Options,
): Promise<Answer<Data>> {
  const patience = new AbortController();
  const giveUp = () => patience.abort();
  const timer = setTimeout(giveUp, PATIENCE_MS);
  signal.addEventListener('abort', giveUp);
  try {
    const response = await fetch(serviceUrl(path), {
      method,
      headers: { accept: 'application/json', ...(etag && { 'if-none-match': etag }) },
      credentials: 'omit',
      signal: patience.signal,
    });
    return await understood<Data>(response);
  } catch {
    return { kind: 'later', retryAfterSeconds: null };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

interface Options {
  method?: 'GET' | 'POST';
  etag?: string | null;
  signal: AbortSignal;
}

async function understood<Data>(response: Response): Promise<Answer<Data>> {
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
