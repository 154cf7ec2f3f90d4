import { builder, createInputType } from '../../../graphql/builder.ts';
import { getOrderEnum, listField, relationField, rowField } from '../../../graphql/list-fields.ts';
import { Node } from '../../../graphql/node.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { Booking } from '../../bookings/graphql/booking.ts';
import { bookingList } from '../../bookings/service/list-bookings.ts';
import { Event } from '../../events/graphql/types.ts';
import { Member } from '../../members/graphql/members.ts';
import { memberList } from '../../members/service/list-members.ts';
import { DayPass, Ticket } from '../../orders/graphql/admissions.ts';
import { visibleDayPasses, visibleTickets } from '../../orders/service/list-admissions.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { attemptFilter } from '../inputs.ts';
import { checkInRow } from '../rows.ts';
import {
  type CheckInAttempt as AttemptData,
  attemptList,
  toAttemptProjection,
} from '../service/list-attempts.ts';
import type { CheckIn as CheckInData } from '../types.ts';

export const CheckInResult = builder.enumType('CheckInResult', {
  description: 'The outcome of an attempt to check in or out',
  values: {
    ADMITTED: { value: 'admitted', description: 'Checked in now' },
    ALREADY_IN: { value: 'already_in', description: 'Checked in before, at checkedInAt' },
    CHECKED_OUT: {
      value: 'checked_out',
      description: 'Checked out now, or the holder of a used ticket has already left',
    },
    NOT_FOUND: { value: 'not_found', description: 'The code, handle or id does not exist' },
    UNPAID: { value: 'unpaid', description: 'The order is not paid' },
    CANCELLED: {
      value: 'cancelled',
      description: 'The ticket, the day pass, the booking or the event is cancelled',
    },
    NOT_YET_VALID: {
      value: 'not_yet_valid',
      description: 'More than an hour before the start, or before the day of the pass',
    },
    EXPIRED: { value: 'expired', description: 'Over, released as a no-show, or a used handle' },
    WRONG_LOCATION: {
      value: 'wrong_location',
      description: 'The admission is for another location',
    },
    MEMBERSHIP_INACTIVE: {
      value: 'membership_inactive',
      description:
        'The member is paused or former, or the location requires a membership and none covers today',
    },
    CAPACITY_FULL: { value: 'capacity_full', description: 'The location has reached its capacity' },
    AMBIGUOUS: { value: 'ambiguous', description: 'The code matches more than one admission' },
  } as const,
});

const CheckInSubjectType = builder.enumType('CheckInSubjectType', {
  description: 'The kinds of admissions',
  values: {
    TICKET: { value: 'ticket', description: 'A ticket for an event at the location' },
    DAY_PASS: { value: 'day_pass', description: 'A day pass for that date' },
    MEMBER: { value: 'member', description: 'A member with a membership' },
    BOOKING: { value: 'booking', description: 'A booking of a resource at the location' },
    VISITOR: { value: 'visitor', description: 'A visitor of a member' },
  } as const,
});

export const CheckInSubject =
  builder.objectRef<NonNullable<CheckInData['subject']>>('CheckInSubject');
CheckInSubject.implement({
  description: 'What a person checked in with',
  fields: (t) => ({
    type: t.expose('type', { type: CheckInSubjectType, description: 'The kind of the admission' }),
    title: t.exposeString('title', {
      nullable: true,
      description:
        'The event, the type of the day pass, the booked resource, or the host of a visitor',
    }),
  }),
});

const CheckInAttempt = builder.objectRef<AttemptData>('CheckInAttempt');
CheckInAttempt.implement({
  description: 'An attempt to check in or out, as staff see it',
  interfaces: [Node],
  extensions: { projection: toAttemptProjection },
  fields: (t) => ({
    ...showFields(t, checkInRow),
    subject: t.expose('subject', {
      type: CheckInSubject,
      description: 'What the code or handle refers to; null if it was not found',
      nullable: true,
    }),
    location: t.expose('location', { type: Location, description: 'Where it happened' }),
    member: t.field({
      type: Member,
      description: 'The member who checked in',
      authScopes: { access: 'members:read' },
      ...rowField(memberList, { reads: 'memberId', toId: ({ memberId }: AttemptData) => memberId }),
    }),
    host: t.field({
      type: Member,
      description: 'The host of a visitor',
      authScopes: { access: 'members:read' },
      ...rowField(memberList, { reads: 'hostId', toId: ({ hostId }: AttemptData) => hostId }),
    }),
    ticket: t.field({
      type: Ticket,
      description: 'The ticket that was presented',
      authScopes: { access: 'orders:read' },
      ...rowField(visibleTickets, {
        reads: 'ticketId',
        toId: ({ ticketId }: AttemptData) => ticketId,
      }),
    }),
    dayPass: t.field({
      type: DayPass,
      description: 'The day pass that was presented',
      authScopes: { access: 'orders:read' },
      ...rowField(visibleDayPasses, {
        reads: 'dayPassId',
        toId: ({ dayPassId }: AttemptData) => dayPassId,
      }),
    }),
    booking: t.field({
      type: Booking,
      description: 'The booking that was checked in',
      authScopes: { access: 'bookings:read' },
      ...rowField(bookingList, {
        reads: 'bookingId',
        toId: ({ bookingId }: AttemptData) => bookingId,
      }),
    }),
  }),
});

const READ = { access: 'check-ins:read' } as const;

const AttemptFilter = createInputType('AttemptFilter', attemptFilter);
const AttemptOrder = getOrderEnum('CheckInAttempt', attemptList);

builder.queryField('checkIns', (t) =>
  t.connection({
    type: CheckInAttempt,
    description: 'Attempts with any result, newest first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: AttemptFilter, description: 'Which attempts to list. Default: all.' }),
      orderBy: t.arg({ type: AttemptOrder }),
    },
    ...listField(attemptList),
  }),
);

builder.objectField(Location, 'checkIns', (t) =>
  t.connection({
    type: CheckInAttempt,
    description: 'Attempts at it with any result, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: AttemptFilter }), orderBy: t.arg({ type: AttemptOrder }) },
    ...relationField(attemptList, (row, location) => `${row}.location_id = ${location}`),
  }),
);

builder.objectField(Member, 'checkIns', (t) =>
  t.connection({
    type: CheckInAttempt,
    description: 'Their own attempts with any result, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: AttemptFilter }), orderBy: t.arg({ type: AttemptOrder }) },
    ...relationField(attemptList, (row, member) => `${row}.member_id = ${member}`),
  }),
);

builder.objectField(Member, 'visitors', (t) =>
  t.connection({
    type: CheckInAttempt,
    description: 'The attempts of people who visited them, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: AttemptFilter }), orderBy: t.arg({ type: AttemptOrder }) },
    ...relationField(attemptList, (row, host) => `${row}.host_id = ${host}`),
  }),
);

builder.objectField(Booking, 'checkIns', (t) =>
  t.connection({
    type: CheckInAttempt,
    description: 'Attempts with it, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: AttemptFilter }), orderBy: t.arg({ type: AttemptOrder }) },
    ...relationField(attemptList, (row, booking) => `${row}.booking_id = ${booking}`),
  }),
);

builder.objectField(Ticket, 'checkIns', (t) =>
  t.connection({
    type: CheckInAttempt,
    description: 'Attempts with it, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: AttemptFilter }), orderBy: t.arg({ type: AttemptOrder }) },
    ...relationField(attemptList, (row, ticket) => `${row}.ticket_id = ${ticket}`),
  }),
);

builder.objectField(DayPass, 'checkIns', (t) =>
  t.connection({
    type: CheckInAttempt,
    description: 'Attempts with it, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: AttemptFilter }), orderBy: t.arg({ type: AttemptOrder }) },
    ...relationField(attemptList, (row, pass) => `${row}.day_pass_id = ${pass}`),
  }),
);

builder.objectField(Event, 'checkIns', (t) =>
  t.connection({
    type: CheckInAttempt,
    description: 'Attempts with its tickets, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: AttemptFilter }), orderBy: t.arg({ type: AttemptOrder }) },
    ...relationField(
      attemptList,
      (row, event) =>
        `${row}.ticket_id IN (SELECT admitted.id FROM tickets admitted WHERE admitted.event_id = ${event})`,
    ),
  }),
);
