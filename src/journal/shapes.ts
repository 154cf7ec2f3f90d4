import { column, listColumns, money, object, person, reference, type Shape } from './shape.ts';
import type { SubjectName } from './subjects.ts';

/** How REST shows the columns of a subject that it does not show under their own names. */
export interface RestShapes {
  /** By the names of the fields in REST. */
  fields?: Record<string, Shape>;
  /** The columns that changes leave out, with the reason. */
  leftOut?: Record<string, string>;
}

const location = reference('location_id', 'locations', ['name', 'time_zone']);
const namedLocation = reference('location_id', 'locations');
const resource = reference('resource_id', 'resources');
const member = reference('member_id', 'members');
const event = reference('event_id', 'events', ['slug', 'title']);
const price = money('price_amount', 'price_currency');

const admissionPrice = money('amount', reference('order_id', 'orders', ['currency']));

const orderLimits = object(
  {
    max_seats_per_email: column('max_seats_per_email'),
    max_seats_per_address: column('max_seats_per_address'),
    max_seats_per_network: column('max_seats_per_network'),
    limit_window_hours: column('limit_window_hours'),
    confirm_free_orders: column('confirm_free_orders'),
    unpaid_hold: column('unpaid_hold'),
    unpaid_hold_amount: column('unpaid_hold_amount'),
  },
  { id: 'OrderLimits', description: 'The limits of orders that differ from the defaults' },
);

const OF_EMAILS = 'Only in the email about it';
const OF_USAGE = 'REST shows what a booking costs, and not how the membership was used up';

/** Subjects that are not listed here have only columns that REST shows under their own names. */
export const SHAPES: Partial<Record<SubjectName, RestShapes>> = {
  location: {
    fields: {
      lookup_access: { kind: 'column', column: 'lookup_access', inPlaceOfNull: 'public' },
    },
  },
  opening_hours: { fields: { opening_hours: column('hours') } },
  closure: { fields: { location } },
  resource: { fields: { location, price_per_hour: money('hourly_amount', 'currency') } },
  member: {
    fields: {
      email_confirmed: { kind: 'isSet', column: 'email_confirmed_at' },
      team_id: column('team_id'),
    },
  },
  plan: { fields: { price } },
  membership: {
    fields: { plan_id: column('plan_id'), member, team: reference('team_id', 'teams') },
  },
  booking: {
    fields: {
      resource,
      location,
      member,
      guest: person('guest'),
      price,
      cancellation: object(
        {
          cancelled_at: column('cancelled_at'),
          reason: column('cancel_reason'),
          fee: money('cancel_fee', 'price_currency'),
        },
        { nullIf: 'cancelled_at' },
      ),
    },
    leftOut: { membership_id: OF_USAGE, included_minutes: OF_USAGE },
  },
  calendar_feed: { fields: { resource, member, created_by_id: column('created_by_id') } },
  event: { fields: { location: namedLocation, resource, order_limits: orderLimits } },
  ticket_type: {
    fields: {
      event_id: column('event_id'),
      price,
      quantity: column('quantity'),
      active: column('active'),
    },
  },
  discount_code: { fields: { amount: money('amount', 'currency') } },
  waitlist_entry: { fields: { member_id: column('member_id'), order_id: column('order_id') } },
  day_pass_type: { fields: { location, price, order_limits: orderLimits } },
  order: {
    fields: {
      event,
      buyer: person('buyer'),
      total: money('total_amount', 'currency'),
      discount: object({ amount: money('discount_amount', 'currency') }),
      expires_at: { kind: 'whileStatus', column: 'expires_at', status: 'pending' },
    },
    leftOut: { provider: 'Part of `payment`, whose status is not stored' },
  },
  payment: {
    fields: {
      order_id: column('order_id'),
      booking_id: column('booking_id'),
      location,
      amount: money('amount', 'currency'),
      taken_by_id: column('taken_by_id'),
      voided_by_id: column('voided_by_id'),
    },
  },
  refund: {
    fields: {
      order_id: column('order_id'),
      payment_id: column('payment_id'),
      location,
      amount: money('amount', reference('payment_id', 'payments', ['currency'])),
      paid_back_by_id: column('paid_back_by_id'),
    },
  },
  daily_closing: {
    fields: {
      location,
      opening: money('opening_amount', 'currency'),
      taken: money('taken_amount', 'currency'),
      paid_back: money('paid_back_amount', 'currency'),
      counted: money('counted_amount', 'currency'),
      closed_by_id: column('closed_by_id'),
    },
  },
  ticket: {
    fields: {
      order_id: column('order_id'),
      event,
      ticket_type: reference('ticket_type_id', 'ticket_types'),
      attendee: person('attendee'),
      price: admissionPrice,
    },
    leftOut: { cancel_reason: OF_EMAILS },
  },
  day_pass: {
    fields: {
      order_id: column('order_id'),
      day_pass_type: reference('type_id', 'day_pass_types'),
      holder: person('holder'),
      price: admissionPrice,
    },
    leftOut: { cancel_reason: OF_EMAILS },
  },
  check_in: {
    fields: {
      location,
      subject: object({ type: column('subject') }, { nullIf: 'subject' }),
      ticket_id: column('ticket_id'),
      day_pass_id: column('day_pass_id'),
      booking_id: column('booking_id'),
      member_id: column('member_id'),
      host_id: column('host_id'),
    },
  },
  display: { fields: { location, resource } },
  announcement: { fields: { location } },
  mailing: {
    fields: { event_id: column('event_id'), plan_id: column('plan_id'), location },
  },
  api_token: { fields: { created_by_id: column('created_by_id') } },
  staff: {
    fields: {
      invited_at: column('invited_at'),
      wants_request_emails: column('wants_request_emails'),
      wants_outage_emails: column('wants_outage_emails'),
    },
  },
  webhook: {
    fields: {
      owner_user_id: column('owner_user_id'),
      owner_token_id: column('owner_token_id'),
    },
  },
  email_opt_out: { fields: { recipient_key: column('recipient_key'), kind: column('kind') } },
};

/** Lists the shapes of several columns. A change of one of these columns records all of them. */
export const listGroups = (subject: SubjectName): string[][] =>
  Object.values(SHAPES[subject]?.fields ?? {})
    .map(listColumns)
    .filter((columns) => columns.length > 1);
