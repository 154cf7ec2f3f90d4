import type { DayPassUnsoldReason } from '../../gql/graphql.ts';
import type { DayPassType } from './queries.ts';

const WHY: Record<DayPassUnsoldReason, string> = {
  INACTIVE: 'not offered',
  DATE_PAST: 'over',
  TOO_FAR_AHEAD: 'not sold so early',
  CLOSED: 'closed that day',
  SOLD_OUT: 'sold out',
};

/** "3 of 10", "sold out", "as many as like" */
export function leftWords({ left, perDay, reason }: DayPassType): string {
  if (reason !== null) return WHY[reason];
  if (left === null) return 'as many as like';
  return perDay === null ? `${left}` : `${left} of ${perDay}`;
}
