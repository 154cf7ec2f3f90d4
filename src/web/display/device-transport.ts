import { createTransport, type Transport } from '@foyer/client';
import type { DisplayState, Telemetry } from '@foyer/client/device';
import { toServiceUrl } from '../api/urls.ts';

export type DisplayedBooking = DisplayState['bookings'][number];
export type DisplayedEvent = DisplayState['events'][number];
export type DisplayedAnnouncement = DisplayState['announcements'][number];
export type ScheduledItem = Pick<DisplayedBooking, 'id' | 'title' | 'starts_at' | 'ends_at'>;

const REQUEST_TIMEOUT_MS = 15_000;

/** Creates what sends the requests of a device. The session of a person who uses the same browser is not part of them. */
export const createDeviceTransport = (token?: string): Transport =>
  createTransport({
    url: toServiceUrl(''),
    timeout: REQUEST_TIMEOUT_MS,
    fetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
    ...(token && { token }),
  });

const APP_VERSION = 'foyer-web-1';
const startedAtMs = Date.now();

/** Returns what a device reports about itself. */
export async function readTelemetry(): Promise<Telemetry> {
  const uptime = String(Math.round((Date.now() - startedAtMs) / 1000));
  const battery = await readBatteryPercent();
  return {
    app_version: APP_VERSION,
    uptime,
    ...(battery !== null && { battery: String(battery) }),
  };
}

interface Battery {
  level: number;
}

/** Returns null in browsers without the Battery API, and everywhere without HTTPS. */
async function readBatteryPercent(): Promise<number | null> {
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  try {
    const battery = await getBattery?.call(navigator);
    return battery ? Math.round(battery.level * 100) : null;
  } catch {
    return null;
  }
}
