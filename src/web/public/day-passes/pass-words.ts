import type { DayPassUnsoldReason } from '../../gql/graphql.ts';
import { isFew } from '../events/event-words.ts';
import type { OfferedPass } from './queries.ts';

const MOST = 20;

const REASONS: Record<DayPassUnsoldReason, string> = {
  SOLD_OUT: 'Sold out on this day',
  CLOSED: 'Closed on this day',
  DATE_PAST: 'This day is over',
  TOO_FAR_AHEAD: 'Not sold so long before',
  INACTIVE: 'Not sold any more',
};

export function leftWords({ left, reason }: OfferedPass): [color: string, words: string] {
  if (reason !== null) return [reason === 'SOLD_OUT' ? 'red' : 'gray', REASONS[reason]];
  if (left === null) return ['teal', 'Available'];
  return isFew(left) ? ['orange', `Only ${left} left`] : ['teal', `${left} left`];
}

export const mostOf = ({ left, reason }: OfferedPass) =>
  reason === null ? Math.min(left ?? MOST, MOST) : 0;
