import { exactMomentIn } from '../../../ui/shown-twice.ts';
import { zoneNote } from '../../zone-note.ts';
import { isFew } from '../event-words.ts';
import type { OfferedType } from '../queries.ts';

/** How many of it one order may have now; nothing where it cannot be bought. */
export function mostOf(type: OfferedType, isGuest: boolean): number {
  if (type.saleState !== 'OPEN' || needsSignIn(type, isGuest)) return 0;
  return Math.min(type.perOrder, type.left ?? type.perOrder);
}

export const needsSignIn = ({ audience }: OfferedType, isGuest: boolean) =>
  audience === 'MEMBERS' && isGuest;

/** What is to be known before buying it, and a colour to find it by. */
export function saleWords({ saleState, left }: OfferedType): [color: string, words: string] {
  if (saleState === 'SOLD_OUT') return ['red', 'Sold out'];
  if (saleState === 'NOT_YET') return ['gray', 'Not on sale yet'];
  if (saleState === 'CLOSED') return ['gray', 'Sale has ended'];
  if (left === null) return ['teal', 'Available'];
  return isFew(left) ? ['orange', `Only ${left} left`] : ['teal', `${left} left`];
}

/** When the sale begins, or will end. */
export function windowWords(type: OfferedType, timeZone: string): string | null {
  const { saleState, salesStartAt, salesEndAt } = type;
  const moment = (at: string) => exactMomentIn(at, timeZone) + zoneNote(at, timeZone);
  if (saleState === 'NOT_YET' && salesStartAt) return `On sale from ${moment(salesStartAt)}`;
  return saleState === 'OPEN' && salesEndAt ? `On sale until ${moment(salesEndAt)}` : null;
}
