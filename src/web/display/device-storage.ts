import { toServiceUrl } from '../api/urls.ts';
import type { DisplayState } from './device-api.ts';

/** The last state that is known, which covers the next day: enough to go on alone. */
export interface DisplaySnapshot {
  state: DisplayState;
  etag: string | null;
  /** When the service last said that this is what there is, in milliseconds by the service's clock. */
  confirmedAt: number;
  /** How far the service's clock is ahead of this device's, in milliseconds. */
  aheadMs: number;
}

// Two services may share an origin, each below a path of its own.
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

export const saveSnapshot = (kept: DisplaySnapshot) =>
  writeItem(toStorageKey('display-state'), JSON.stringify(kept));

export function clearDevice(): void {
  writeItem(toStorageKey('display-token'), null);
  writeItem(toStorageKey('display-state'), null);
}

/** Browsers in private mode or with a full disk refuse: the screen then works until it is switched off. */
function readItem(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function writeItem(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // as above
  }
}
