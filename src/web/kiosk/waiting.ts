import { serviceUrl } from '../api/urls.ts';
import type { CheckInInput } from '../gql/graphql.ts';

/** A scan that was taken while the service could not be reached. Sent twice, it is one: it has its scanId. */
export type Waiting = Required<
  Pick<CheckInInput, 'locationId' | 'code' | 'leaving' | 'scanId' | 'occurredAt'>
>;

const KEY = `foyer kiosk-waiting ${new URL(serviceUrl('')).pathname}`;

export function readWaiting(): Waiting[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** False where the browser keeps nothing. */
export function addWaiting(scan: Waiting): boolean {
  return write([...readWaiting(), scan]);
}

export const removeWaiting = ({ scanId }: Waiting) =>
  write(readWaiting().filter((scan) => scan.scanId !== scanId));

function write(scans: Waiting[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(scans));
    return true;
  } catch {
    return false;
  }
}
