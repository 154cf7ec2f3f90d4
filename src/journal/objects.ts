import { z } from 'zod';
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
import { paymentRow, refundRow } from '../features/payments/rows.ts';
import { membershipRow, planRow } from '../features/plans/rows.ts';
import { resourceObject } from '../features/spaces/rest-object.ts';
import { closureRow, locationRow } from '../features/spaces/rows.ts';
import { staffRow } from '../features/staff/rows.ts';
import { dailyClosingRow } from '../features/takings/rows.ts';
import { teamRow } from '../features/teams/rows.ts';
import { apiTokenRow } from '../features/tokens/rows.ts';
import { webhookRow } from '../features/webhooks/rows.ts';
import { describeRowObject, type RestObject, toInstantField } from '../rest/row-object.ts';
import { type ChangeType, toSubjectName } from './catalog.ts';
import { SUBJECTS, type SubjectName, toHoursSql } from './subjects.ts';

const openingHours = {
  schema: SUBJECTS.opening_hours.fields.shape.hours.meta({
    description: 'When it is open, by weekday: 1 is Monday. Empty if it is always open',
  }),
  sql: toHoursSql('item'),
};

const location = describeRowObject('location', locationRow, {
  extra: { opening_hours: openingHours },
});

/** What REST shows of each subject. Settings have no id, so they are not listed here. */
export const OBJECTS = {
  location,
  opening_hours: location,
  closure: describeRowObject('closure', closureRow),
  resource: resourceObject,
  member: memberObject,
  team: describeRowObject('team', teamRow),
  plan: describeRowObject('plan', planRow),
  membership: describeRowObject('membership', membershipRow),
  booking: bookingObject,
  calendar_feed: describeRowObject('calendar_feed', calendarFeedRow),
  event: eventObject,
  ticket_type: describeRowObject('ticket_type', ticketTypeRow),
  discount_code: describeRowObject('discount_code', discountCodeRow, { except: ['code'] }),
  waitlist_entry: describeRowObject('waitlist_entry', waitlistEntryRow),
  day_pass_type: describeRowObject('day_pass_type', dayPassTypeRow, { id: 'StaffDayPassType' }),
  order: orderObject,
  payment: describeRowObject('payment', paymentRow),
  refund: describeRowObject('refund', refundRow),
  daily_closing: describeRowObject('daily_closing', dailyClosingRow),
  ticket: ticketObject,
  day_pass: dayPassObject,
  check_in: checkInObject,
  display: describeRowObject('display', displayRow),
  announcement: describeRowObject('announcement', announcementRow),
  mailing: describeRowObject('mailing', mailingRow),
  api_token: describeRowObject('api_token', apiTokenRow),
  staff: describeRowObject('staff', staffRow),
  // The query of a URL can contain a secret.
  webhook: describeRowObject('webhook', webhookRow, { except: ['url'] }),
  email_opt_out: describeRowObject('email_opt_out', null, {
    extra: { created_at: toInstantField('created_at', 'When the emails were stopped') },
  }),
  erasure: describeRowObject('erasure', null, {
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

/** Returns what the messages about a change contain the object of, and its name there. Undefined for deletions and settings. */
export function findMessageObject(type: ChangeType) {
  const subject = toSubjectName(type);
  if (type.endsWith('.deleted') || type.endsWith('_withdrawn') || !isObjectName(subject))
    return undefined;
  return { name: toShownName(subject), object: OBJECTS[subject] as RestObject };
}
