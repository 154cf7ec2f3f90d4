import type { CheckInResult, CheckInSubjectType } from '../../gql/graphql.ts';

/** As staff reads them in a list. */
export const RESULT_LABELS: Record<CheckInResult, [color: string, words: string]> = {
  ADMITTED: ['teal', 'Came in'],
  ALREADY_IN: ['blue', 'Was in already'],
  CHECKED_OUT: ['gray', 'Left'],
  NOT_FOUND: ['red', 'Not known'],
  UNPAID: ['orange', 'Not paid'],
  CANCELLED: ['red', 'Cancelled'],
  NOT_YET_VALID: ['orange', 'Too early'],
  EXPIRED: ['red', 'Over'],
  WRONG_LOCATION: ['orange', 'Another location'],
  MEMBERSHIP_INACTIVE: ['orange', 'Membership not active'],
  CAPACITY_FULL: ['red', 'House full'],
  AMBIGUOUS: ['orange', 'Not clear which'],
};

/** What somebody at the desk does about it. */
export const RESULT_ADVICE: Record<CheckInResult, string> = {
  ADMITTED: 'Checked in.',
  ALREADY_IN: 'They are in already: nothing to do, or check them out below.',
  CHECKED_OUT: 'This ticket was used, and its holder left. Let them in once more if it is they.',
  NOT_FOUND: 'Nothing has this code. Look for a slip of the pen, or search by name.',
  UNPAID: 'The order is not paid. Take the money under Orders, then try again.',
  CANCELLED: 'It was cancelled. See the order or the booking for why.',
  NOT_YET_VALID: 'It is too early: tickets are good from an hour before, passes on their day.',
  EXPIRED: 'What it was for is over.',
  WRONG_LOCATION: 'It is for another location.',
  MEMBERSHIP_INACTIVE: 'The membership does not cover today. See the member’s page.',
  CAPACITY_FULL: 'As many are in as the location holds. Check out who has left.',
  AMBIGUOUS: 'The code stands for several people: use the code of one ticket.',
};

export const SUBJECT_LABELS: Record<CheckInSubjectType, string> = {
  TICKET: 'Ticket',
  DAY_PASS: 'Day pass',
  MEMBER: 'Member',
  BOOKING: 'Booking',
  VISITOR: 'Visitor',
};
