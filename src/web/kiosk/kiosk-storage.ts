import { toServiceUrl } from '../api/urls.ts';
import type { CheckInResult } from '../gql/graphql.ts';
import type { Kiosk } from './queries.ts';

/** A scan that the kiosk accepted offline and the service rejected later. */
export interface RejectedScan {
  scanId: string;
  occurredAt: string;
  leaving: boolean;
  /** Null if the service rejected the request and recorded nothing. */
  result: CheckInResult | null;
  /** The guest's short name, if the service returned one. */
  label: string | null;
  why: string | null;
}

const MAX_REJECTED_SCANS = 200;
const rejectedScans = createStoredList<RejectedScan>('kiosk-rejected-scans');

/** Newest first. */
export const readRejectedScans = rejectedScans.read;

export const addRejectedScan = (scan: RejectedScan) =>
  rejectedScans.write([scan, ...rejectedScans.read()].slice(0, MAX_REJECTED_SCANS));

export const clearRejectedScans = () => rejectedScans.write([]);

const toKioskKey = (location: string) =>
  `foyer kiosk ${new URL(toServiceUrl('')).pathname} ${location}`;

export function readCachedKiosk(location: string): Kiosk | undefined {
  try {
    return JSON.parse(localStorage.getItem(toKioskKey(location)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function cacheKiosk(location: string, kiosk: Kiosk): void {
  try {
    localStorage.setItem(toKioskKey(location), JSON.stringify(kiosk));
  } catch {
    // Without storage, the kiosk needs the network to start.
  }
}

/** A list in the browser's storage, which survives a restart of the kiosk. */
export function createStoredList<Item>(name: string) {
  const key = `foyer ${name} ${new URL(toServiceUrl('')).pathname}`;
  return {
    read(): Item[] {
      try {
        const items: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
        return Array.isArray(items) ? items : [];
      } catch {
        return [];
      }
    },
    /** Returns false if the browser could not save the list. */
    write(items: Item[]): boolean {
      try {
        localStorage.setItem(key, JSON.stringify(items));
        return true;
      } catch {
        return false;
      }
    },
  };
}
