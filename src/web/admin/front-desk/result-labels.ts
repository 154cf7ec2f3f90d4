import type { CheckInResult, CheckInSubjectType } from '../../gql/graphql.ts';

/** Labels for lists. */
export const RESULT_LABELS: Record<CheckInResult, [color: string, label: string]> = {
  ADMITTED: ['teal', 'Checked in'],
  ALREADY_IN: ['blue', 'Already checked in'],
  CHECKED_OUT: ['gray', 'Checked out'],
  NOT_FOUND: ['red', 'Unknown code'],
  UNPAID: ['orange', 'Not paid'],
  CANCELLED: ['red', 'Cancelled'],
  NOT_YET_VALID: ['orange', 'Too early'],
  EXPIRED: ['red', 'Expired'],
  WRONG_LOCATION: ['orange', 'Wrong location'],
  MEMBERSHIP_INACTIVE: ['orange', 'No active membership'],
  CAPACITY_FULL: ['red', 'Location full'],
  AMBIGUOUS: ['orange', 'Ambiguous code'],
};

/** What happened, and what staff can do next. */
export const RESULT_ADVICE: Record<CheckInResult, string> = {
  ADMITTED: 'Checked in.',
  ALREADY_IN: 'Already checked in. Check them out below if they are leaving.',
  CHECKED_OUT: 'This ticket was used and its holder checked out. Check it’s them, then readmit.',
  NOT_FOUND: 'No match for this code. Check for typos or search by name.',
  UNPAID: 'The order is not paid. Mark it as paid under Orders, then try again.',
  CANCELLED: 'Cancelled. See the order or booking for the reason.',
  NOT_YET_VALID:
    'Too early. Tickets are valid from one hour before the start, day passes on their date.',
  EXPIRED: 'The event, booking or pass has ended.',
  WRONG_LOCATION: 'Valid at another location only.',
  MEMBERSHIP_INACTIVE:
    'No membership covers today, or the member is paused. See the member’s page.',
  CAPACITY_FULL: 'The location is full. Check out people who have left.',
  AMBIGUOUS: 'This code covers several people. Use the code of a single ticket.',
};

export const SUBJECT_LABELS: Record<CheckInSubjectType, string> = {
  TICKET: 'Ticket',
  DAY_PASS: 'Day pass',
  MEMBER: 'Member',
  BOOKING: 'Booking',
  VISITOR: 'Visitor',
};
