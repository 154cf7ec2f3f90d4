import type { DisplaySnapshot } from '@foyer/client/device';
import { toServiceUrl } from '../api/urls.ts';

/** What every view of a display shows. */
export interface DisplayViewProps {
  snapshot: DisplaySnapshot;
  /** By the service's clock. */
  now: Date;
}

// Two services may share an origin, each below its own path.
const toStorageKey = (name: string) => `foyer ${name} ${new URL(toServiceUrl('')).pathname}`;

export const readToken = () => readItem(toStorageKey('display-token'));
export const saveToken = (token: string) => writeItem(toStorageKey('display-token'), token);

export function readSnapshot(): DisplaySnapshot | null {
  try {
    return JSON.parse(readItem(toStorageKey('display-state')) ?? 'null') as DisplaySnapshot | null;
  } catch {
    return null;
  }
}

export const saveSnapshot = (snapshot: DisplaySnapshot) =>
  writeItem(toStorageKey('display-state'), JSON.stringify(snapshot));

export function clearDevice(): void {
  writeItem(toStorageKey('display-token'), null);
  writeItem(toStorageKey('display-state'), null);
}

// Storage throws in private mode and when the disk is full. The display then works until it is switched off.

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeItem(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // see above
  }
}
