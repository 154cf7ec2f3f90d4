import { createStoredList } from './kiosk-storage.ts';

// The visits that this kiosk began by name without being paired. It can end only these, with their tokens.

interface OwnVisit {
  /** The match of the lookup: the member, or the host of a visitor. */
  label: string;
  hint: string;
  visitor: string | null;
  checkOutToken: string;
}

type OwnVisitKey = Omit<OwnVisit, 'checkOutToken'>;

const MAX_OWN_VISITS = 300;
const { read, write } = createStoredList<OwnVisit>('kiosk-own-visits');

export const saveOwnVisit = (visit: OwnVisit) =>
  write([visit, ...read().filter((other) => !isSame(other, visit))].slice(0, MAX_OWN_VISITS));

export const findOwnVisit = (key: OwnVisitKey): OwnVisit | undefined =>
  read().find((visit) => isSame(visit, key));

export const removeOwnVisit = (key: OwnVisitKey) =>
  write(read().filter((visit) => !isSame(visit, key)));

const isSame = (one: OwnVisitKey, other: OwnVisitKey) =>
  one.label === other.label &&
  one.hint === other.hint &&
  one.visitor?.toLowerCase() === other.visitor?.toLowerCase();
