import { builder } from '../../../graphql/builder.ts';
import { Location } from '../../spaces/locations/graphql.ts';
import type { Attempt as AttemptValue } from '../attempts.ts';
import type { CheckIn as CheckInValue } from '../check-in.ts';
import type { Kiosk as KioskValue } from '../kiosks.ts';
import type { Occupancy as OccupancyValue } from '../occupancy.ts';

export const CheckInResult = builder.enumType('CheckInResult', {
  values: {
    ADMITTED: { value: 'admitted', description: 'Is in now' },
    ALREADY_IN: { value: 'already_in', description: 'Was in before: checkedInAt says since when' },
    CHECKED_OUT: {
      value: 'checked_out',
      description: 'Has left; or a used ticket whose holder has',
    },
    NOT_FOUND: { value: 'not_found', description: 'Nothing has this code, handle or id' },
    UNPAID: { value: 'unpaid', description: 'The order is not paid' },
    CANCELLED: { value: 'cancelled' },
    NOT_YET_VALID: {
      value: 'not_yet_valid',
      description: 'More than an hour before the start, or before the day',
    },
    EXPIRED: { value: 'expired', description: 'Over, given up, or a handle that was used' },
    WRONG_LOCATION: { value: 'wrong_location' },
    MEMBERSHIP_INACTIVE: {
      value: 'membership_inactive',
      description: 'The member is paused or former, or no contract covers today',
    },
    CAPACITY_FULL: { value: 'capacity_full' },
    AMBIGUOUS: { value: 'ambiguous', description: 'The code stands for more than one admission' },
  } as const,
});

const CheckInSubjectType = builder.enumType('CheckInSubjectType', {
  values: {
    TICKET: { value: 'ticket' },
    DAY_PASS: { value: 'day_pass' },
    MEMBER: { value: 'member' },
    BOOKING: { value: 'booking' },
    VISITOR: { value: 'visitor' },
  } as const,
});

const CheckInSubject = builder.objectRef<NonNullable<CheckInValue['subject']>>('CheckInSubject');
CheckInSubject.implement({
  fields: (t) => ({
    type: t.expose('type', { type: CheckInSubjectType }),
    title: t.exposeString('title', {
      nullable: true,
      description: "The event, the day pass's kind, the booked resource, or a visitor's host",
    }),
  }),
});

export const CheckIn = builder.objectRef<CheckInValue>('CheckIn');
CheckIn.implement({
  description: 'What came of an attempt to get in, or to leave',
  fields: (t) => ({
    id: t.exposeID('id', {
      nullable: true,
      description:
        'Only where admitted or checked out: callers with check-ins:write end the visit by it',
    }),
    checkOutToken: t.exposeString('checkOutToken', {
      nullable: true,
      description:
        'Only where admitted, and only in this answer: whoever holds it may end the visit',
    }),
    result: t.expose('result', { type: CheckInResult }),
    label: t.exposeString('label', {
      nullable: true,
      description: 'In full for who may read check-ins, else such as "Ada L."',
    }),
    checkedInAt: t.expose('checkedInAt', { type: 'DateTime', nullable: true }),
    checkedOutAt: t.expose('checkedOutAt', { type: 'DateTime', nullable: true }),
    subject: t.expose('subject', { type: CheckInSubject, nullable: true }),
  }),
});

export const Attempt = builder.objectRef<AttemptValue>('Attempt');
Attempt.implement({
  description: 'An attempt to get in, or to leave, as staff sees it',
  fields: (t) => ({
    id: t.exposeID('id'),
    result: t.expose('result', { type: CheckInResult }),
    label: t.exposeString('label', { nullable: true }),
    subject: t.expose('subject', { type: CheckInSubject, nullable: true }),
    location: t.expose('location', { type: Location }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened' }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was told' }),
    checkedOutAt: t.expose('checkedOutAt', { type: 'DateTime', nullable: true }),
    leavesAt: t.expose('autoCheckOutAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the visit ends by itself',
    }),
    leftByItself: t.exposeBoolean('autoCheckedOut', { description: 'Nobody checked them out' }),
    actor: t.exposeString('actor', {
      description: 'Who asked: the kind, such as kiosk, and the id if any',
    }),
  }),
});

export const Occupancy = builder.objectRef<OccupancyValue>('Occupancy');
Occupancy.implement({
  description: 'How many are in',
  fields: (t) => ({
    locationId: t.exposeID('locationId'),
    locationName: t.exposeString('locationName'),
    present: t.exposeInt('present'),
    capacity: t.exposeInt('capacity', { nullable: true }),
  }),
});

export const Kiosk = builder.objectRef<KioskValue>('Kiosk');
Kiosk.implement({
  description: 'What the page of a kiosk may know of its location',
  fields: (t) => ({
    locationId: t.exposeID('locationId'),
    name: t.exposeString('name'),
    timeZone: t.exposeString('timeZone'),
    lookupNames: t.exposeBoolean('lookupNames', {
      description: 'Whether members are found by their names',
    }),
    lookupNeedsKiosk: t.exposeBoolean('lookupNeedsKiosk', {
      description: 'Only at kiosks that are paired',
    }),
  }),
});
