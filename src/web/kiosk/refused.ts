import type { CheckInResult } from '../gql/graphql.ts';
import { keptList } from './kept-list.ts';

/** What was noted offline, when somebody may have gone in by it, and was not good when it was sent. */
export interface Refused {
  scanId: string;
  occurredAt: string;
  leaving: boolean;
  /** Null where it could not even be recorded: then the service says why. */
  result: CheckInResult | null;
  /** Who it was, as far as the service told. */
  label: string | null;
  why: string | null;
}

const MOST = 200;
const { read, write } = keptList<Refused>('kiosk-refused');

export const readRefused = read;

/** The latest first. */
export const addRefused = (one: Refused) => write([one, ...read()].slice(0, MOST));

export const clearRefused = () => write([]);
