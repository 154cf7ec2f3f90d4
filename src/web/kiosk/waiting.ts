import type { CheckInInput } from '../gql/graphql.ts';
import { keptList } from './kept-list.ts';

/** A scan that was taken while the service could not be reached. Sent twice, it is one: it has its scanId. */
export type Waiting = Required<
  Pick<CheckInInput, 'locationId' | 'code' | 'leaving' | 'scanId' | 'occurredAt'>
>;

const { read, write } = keptList<Waiting>('kiosk-waiting');

export const readWaiting = read;

/** False where the browser keeps nothing. */
export const addWaiting = (scan: Waiting): boolean => write([...read(), scan]);

export const removeWaiting = ({ scanId }: Waiting) =>
  write(read().filter((scan) => scan.scanId !== scanId));
