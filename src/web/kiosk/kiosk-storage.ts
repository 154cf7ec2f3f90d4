import { toServiceUrl } from '../api/urls.ts';
import type { CheckInResult } from '../gql/graphql.ts';
import type { Kiosk } from './queries.ts';

/** What was noted offline, when somebody may have gone in by it, and was not good when it was sent. */
export interface RejectedScan {
  scanId: string;
  occurredAt: string;
  leaving: boolean;
  /** Null where it could not even be recorded: then the service says why. */
  result: CheckInResult | null;
  /** Who it was, as far as the service told. */
  label: string | null;
  why: string | null;
}

const MAX_REJECTED_SCANS = 200;
const { read, write } = createStoredList<RejectedScan>('kiosk-refused');

export const readRejectedScans = read;

/** The latest first. */
export const addRejectedScan = (one: RejectedScan) =>
  write([one, ...read()].slice(0, MAX_REJECTED_SCANS));

export const clearRejectedScans = () => write([]);

const toKioskKey = (place: string) => `foyer kiosk ${new URL(toServiceUrl('')).pathname} ${place}`;

export function readCachedKiosk(place: string): Kiosk | undefined {
  try {
    return JSON.parse(localStorage.getItem(toKioskKey(place)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function cacheKiosk(place: string, kiosk: Kiosk): void {
  try {
    localStorage.setItem(toKioskKey(place), JSON.stringify(kiosk));
  } catch {
    // then it needs the network to begin
  }
}

/** A list that the browser keeps while the kiosk is switched off. */
export function createStoredList<Item>(name: string) {
  const key = `foyer ${name} ${new URL(toServiceUrl('')).pathname}`;
  return {
    read(): Item[] {
      try {
        const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
        return Array.isArray(kept) ? kept : [];
      } catch {
        return [];
      }
    },
    /** False where the browser keeps nothing. */
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
