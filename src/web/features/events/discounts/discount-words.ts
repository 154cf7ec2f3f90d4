import { moneyWords } from '../../../ui/money.ts';
import { dayIn } from '../../../ui/place-words.ts';
import { exactClockIn } from '../../../ui/shown-twice.ts';
import type { DiscountCode } from './queries.ts';

/** "20 % off", "€5.00 off" */
export const offWords = ({ percent, amount }: DiscountCode) =>
  amount === null ? `${percent ?? 0} % off` : `${moneyWords(amount)} off`;

/** Whether it counts now, as a colour and a word, and from or until when. */
export function stateOf(
  { active, startsAt, endsAt, maxUses, uses }: DiscountCode,
  timeZone: string,
  now: Date,
): { color: string; label: string; note?: string } {
  const moment = (at: string) => `${dayIn(at, timeZone)}, ${exactClockIn(at, timeZone)}`;
  if (!active) return { color: 'gray', label: 'Off' };
  if (endsAt !== null && new Date(endsAt) <= now) {
    return { color: 'gray', label: 'Over', note: `Since ${moment(endsAt)}` };
  }
  if (maxUses !== null && uses >= maxUses) return { color: 'orange', label: 'Used up' };
  if (startsAt !== null && new Date(startsAt) > now) {
    return { color: 'yellow', label: 'Not yet', note: `From ${moment(startsAt)}` };
  }
  return {
    color: 'teal',
    label: 'On',
    ...(endsAt !== null && { note: `Until ${moment(endsAt)}` }),
  };
}
