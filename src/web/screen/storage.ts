import { serviceUrl } from '../api/urls.ts';
import type { DisplayState } from './wire.ts';

/** The last state that is known, which covers the next day: enough to go on alone. */
export interface Kept {
  state: DisplayState;
  etag: string | null;
  /** When the service last said that this is what there is, in milliseconds by the service's clock. */
  confirmedAt: number;
  /** How far the service's clock is ahead of this device's, in milliseconds. */
  aheadMs: number;
}

// Two services may share an origin, each below a path of its own.
const key = (name: string) => `foyer ${name} ${new URL(serviceUrl('')).pathname}`;

export const readToken = () => read(key('display-token'));
export const keepToken = (token: string) => write(key('display-token'), token);

export function readKept(): Kept | null {
  try {
    return JSON.parse(read(key('display-state')) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}

export const keep = (kept: Kept) => write(key('display-state'), JSON.stringify(kept));

export function forget(): void {
  write(key('display-token'), null);
  write(key('display-state'), null);
}

/** Browsers in private mode or with a full disk refuse: the screen then works until it is switched off. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // as above
  }
}
