import { z } from 'zod';
import { uuid } from '../core/validation.ts';
import { bookingObject } from '../features/bookings/rest-object.ts';
import { calendarFeedRow } from '../features/calendar-feeds/rows.ts';
import { checkInObject } from '../features/check-ins/rest-object.ts';
import { dayPassTypeRow } from '../features/day-passes/rows.ts';
import { discountCodeRow } from '../features/discounts/rows.ts';
import { announcementRow, displayRow } from '../features/displays/rows.ts';
import { eventObject } from '../features/events/rest-object.ts';
import { ticketTypeRow } from '../features/events/rows.ts';
import { mailingRow } from '../features/mailings/rows.ts';
import { memberObject } from '../features/members/rest-object.ts';
import { dayPassObject, orderObject, ticketObject } from '../features/orders/rest-object.ts';
import { waitlistEntryRow } from '../features/orders/waitlist/rows.ts';
import { paymentRow, refundRow, toPaymentColumnSql } from '../features/payments/rows.ts';
import { membershipRow, planRow } from '../features/plans/rows.ts';
import { resourceObject } from '../features/spaces/rest-object.ts';
import { closureRow, locationRow } from '../features/spaces/rows.ts';
import { staffRow } from '../features/staff/rows.ts';
import { dailyClosingRow } from '../features/takings/rows.ts';
import { teamRow } from '../features/teams/rows.ts';
import { apiTokenRow } from '../features/tokens/rows.ts';
import { webhookRow } from '../features/webhooks/rows.ts';
import { type ChangeType, toSubjectName } from '../journal/catalog.ts';
import { readFields } from '../journal/record-changes.ts';
import { hasSubjectId, SUBJECTS, type SubjectName, toHoursSql } from '../journal/subjects.ts';
import { describeRowObject, type RestObject, toInstantField } from './row-object.ts';

const openingHours = {
  schema: SUBJECTS.opening_hours.fields.shape.hours,
  sql: toHoursSql('item'),
};

const location = describeRowObject('location', locationRow, {
  description: 'A place of the space',
  extra: { opening_hours: openingHours },
});

/** What REST shows of each subject. Settings have no id, so they are not listed here. */
export const OBJECTS = {
  location,
  opening_hours: location,
  closure: describeRowObject('closure', closureRow, {
    description: 'Days on which a location is closed',
  }),
  resource: resourceObject,
  member: memberObject,
  team: describeRowObject('team', teamRow, { description: 'Members who share a plan' }),
  plan: describeRowObject('plan', planRow, { description: 'What members and teams can have' }),
  membership: describeRowObject('membership', membershipRow, {
    description: 'The plan of a member or a team',
  }),
  booking: bookingObject,
  calendar_feed: describeRowObject('calendar_feed', calendarFeedRow, {
    description: 'A link to a calendar of bookings',
  }),
  event: eventObject,
  ticket_type: describeRowObject('ticket_type', ticketTypeRow, {
    description: 'A kind of ticket for an event, as staff see it',
  }),
  discount_code: describeRowObject('discount_code', discountCodeRow, {
    description: 'A code that reduces prices, without the code itself',
    except: ['code'],
  }),
  waitlist_entry: describeRowObject('waitlist_entry', waitlistEntryRow, {
    description: 'A person who waits for tickets',
  }),
  day_pass_type: describeRowObject('day_pass_type', dayPassTypeRow, {
    id: 'StaffDayPassType',
    description: 'A kind of day pass, as staff see it',
  }),
  order: orderObject,
  payment: describeRowObject('payment', paymentRow, {
    description: 'What was paid for an order or a booking',
  }),
  refund: describeRowObject('refund', refundRow, {
    description: 'What is returned of a payment',
    extra: {
      booking_id: {
        schema: uuid
          .nullable()
          .meta({ description: 'The booking that was paid for; null for an order' }),
        sql: toPaymentColumnSql('item', 'booking_id'),
      },
    },
  }),
  daily_closing: describeRowObject('daily_closing', dailyClosingRow, {
    description: 'The cash that was counted at the end of a day',
  }),
  ticket: ticketObject,
  day_pass: dayPassObject,
  check_in: checkInObject,
  display: describeRowObject('display', displayRow, { description: 'A screen at a location' }),
  announcement: describeRowObject('announcement', announcementRow, {
    description: 'What displays announce',
  }),
  mailing: describeRowObject('mailing', mailingRow, {
    description: 'An email to attendees or members',
  }),
  api_token: describeRowObject('api_token', apiTokenRow, {
    description: 'The key of a program, without the secret',
  }),
  staff: describeRowObject('staff', staffRow, { description: 'An account of staff' }),
  // The query of a URL can contain a secret.
  webhook: describeRowObject('webhook', webhookRow, {
    description: 'Where changes are sent',
    except: ['url'],
  }),
  email_opt_out: describeRowObject('email_opt_out', null, {
    description: 'A mailbox that gets no more emails of a kind',
    extra: { created_at: toInstantField('created_at', 'When the emails were stopped') },
  }),
  erasure: describeRowObject('erasure', null, {
    description: 'What was erased of a person, and when',
    extra: {
      created_at: toInstantField('created_at', 'When the person was erased'),
      counts: {
        schema: z
          .record(z.string(), z.int())
          .meta({ description: 'The number of changed and deleted rows by table' }),
        sql: 'item.counts',
      },
    },
  }),
} satisfies Partial<Record<SubjectName, RestObject>>;

export type ObjectName = keyof typeof OBJECTS;

export const isObjectName = (name: string): name is ObjectName => Object.hasOwn(OBJECTS, name);

/** Opening hours are shown with their location. */
const toShownName = (name: ObjectName) => (name === 'opening_hours' ? 'location' : name);

/** Returns what the messages about a change contain the object of, and its name there. Undefined for deletions. */
export function findMessageObject(
  type: ChangeType,
): { name: string; object: MessageObject } | undefined {
  const subject = toSubjectName(type);
  if (type.endsWith('.deleted') || type.endsWith('_withdrawn')) return undefined;
  if (isObjectName(subject)) return { name: toShownName(subject), object: OBJECTS[subject] };
  return hasSubjectId(SUBJECTS[subject])
    ? undefined
    : { name: subject, object: describeSetting(subject) };
}

/** What messages contain of a subject. */
export type MessageObject = Pick<RestObject, 'schema' | 'find'>;

/** Settings have a key instead of an id, and REST does not show them. Messages contain what the journal records of them. */
const describeSetting = (subject: SubjectName): MessageObject => ({
  schema: SUBJECTS[subject].fields.meta({ description: 'The setting after the change' }),
  find: async (ctx, keys) =>
    new Map((await readFields(ctx, subject, keys)).map(({ key, fields }) => [String(key), fields])),
});
