import { serviceUrl } from '../api/urls.ts';
import type { Kiosk } from './queries.ts';

const keyOf = (place: string) => `foyer kiosk ${new URL(serviceUrl('')).pathname} ${place}`;

export function keptKiosk(place: string): Kiosk | undefined {
  try {
    return JSON.parse(localStorage.getItem(keyOf(place)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepKiosk(place: string, kiosk: Kiosk): void {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(kiosk));
  } catch {
    // then it needs the network to begin
  }
}
