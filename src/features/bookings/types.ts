import type { Money } from '../../core/money.ts';
import type { Instant } from '../../core/time/time-zone.ts';
import { Prisma } from '../../db/generated/client.ts';
import {
  type Projection,
  type ProjectionPart,
  projectInstant,
  projectMoney,
  projectRow,
  projectUnescaped,
  projectWhen,
  type RowProjection,
} from '../../db/json-projection.ts';
import { RetryableConflict } from '../../errors.ts';
import { projectFields } from '../../rows/projection.ts';
import type { ShownRow } from '../../rows/row.ts';
import { toMemberProjection } from '../members/types.ts';
import { toLocationProjection, toResourceProjection } from '../spaces/types.ts';
import { bookingRow } from './rows.ts';

export const MAX_BOOKING_DAYS = 31;

/** How early guests can check in before the start of a booking or event. */
export const MAX_EARLY_CHECK_IN_MINUTES = 60;

/** The error for a slot that a concurrent booking or event has taken. The transaction is retried. */
export const slotTakenMeanwhile = (details: object = {}) =>
  new RetryableConflict(
    { reason: 'SLOT_TAKEN', ...details },
    'Other people are booking here right now. Try again.',
  );

export const BOOKING_PAYMENT_STATUSES = [
  'not_due',
  'unpaid',
  'paid',
  'overpaid',
  'not_recorded',
] as const;
export type BookingPaymentStatus = (typeof BOOKING_PAYMENT_STATUSES)[number];

/** What a booking costs now, and what was paid of it. */
export interface BookingPayment {
  status: BookingPaymentStatus;
  /** The price, or the fee after a cancellation. Before staff have approved it, no more than was paid. */
  due: Money;
  /** Without what was returned. */
  paid: Money;
  /** What is still to be paid. */
  open: Money;
  /** What was paid too much, for example before the booking was moved or cancelled. */
  surplus: Money;
}

/** A resource that is booked for the half-open range [startsAt, endsAt), by a member or a guest. */
export interface Booking extends ShownRow<typeof bookingRow> {
  resource: { id: string; name: string };
  location: { id: string; name: string; timeZone: string };
  member: { id: string; name: string } | null;
  guest: { name: string; email: string | null } | null;
  price: Money;
  payment: BookingPayment;
  /** The fee is the part of the price that is still charged. */
  cancellation: { cancelledAt: Instant; reason: string | null; fee: Money } | null;
}

/**
 * SQL: what a booking costs now, in minor units. Nothing is charged before approval. A booking that waits for it again keeps what was
 * paid up to its price: whoever returned it would have to collect it again.
 */
export const toDueAmountSql = (row: string) => `CASE ${row}.status
  WHEN 'cancelled' THEN coalesce(${row}.cancel_fee, 0)
  WHEN 'pending' THEN least(${row}.price_amount, ${row}.paid_amount) ELSE ${row}.price_amount END`;

/** SQL: the status of the payment of a booking. The indexes of payment statuses contain the same expression. */
export function toPaymentStatusSql(row: string): string {
  const due = toDueAmountSql(row);
  return `(CASE WHEN NOT ${row}.tracks_payment THEN 'not_recorded'
    WHEN ${due} > ${row}.paid_amount THEN 'unpaid' WHEN ${due} < ${row}.paid_amount THEN 'overpaid'
    WHEN ${row}.paid_amount > 0 THEN 'paid' ELSE 'not_due' END)`;
}

/** SQL: a payment is still missing, in minor units. */
export const toOpenAmountSql = (row: string) =>
  `CASE WHEN ${row}.tracks_payment THEN greatest(${toDueAmountSql(row)} - ${row}.paid_amount, 0) ELSE 0 END`;

/** SQL: what was paid too much, in minor units. */
export const toSurplusAmountSql = (row: string) =>
  `CASE WHEN ${row}.tracks_payment THEN greatest(${row}.paid_amount - ${toDueAmountSql(row)}, 0) ELSE 0 END`;

/** The SQL before and after the current time. */
const toCancellableParts = (row: string): [before: string, after: string] => [
  `(${row}.status = 'pending' OR (${row}.status = 'confirmed' AND ${row}.starts_at > `,
  '::timestamptz))',
];

/**
 * SQL: the booking of this row can be cancelled. One that has started took place, so what was paid for it stays paid. Nobody can use a
 * request that is not approved, so it can be declined at any time. `now` is SQL, too.
 */
export const toCancellableSql = (row: string, now: string): string =>
  toCancellableParts(row).join(now);

/** The same condition with the time as a parameter, so that its text is always the same. */
export const toCancellableCondition = (row: string, now: Date): Prisma.Sql =>
  Prisma.sql(toCancellableParts(row), now);

/** Projects the payment of a booking. */
const toBookingPaymentProjection = (row: string) =>
  ({
    status: toPaymentStatusSql(row),
    due: projectMoney(toDueAmountSql(row), `${row}.price_currency`),
    paid: projectMoney(`${row}.paid_amount`, `${row}.price_currency`),
    open: projectMoney(toOpenAmountSql(row), `${row}.price_currency`),
    surplus: projectMoney(toSurplusAmountSql(row), `${row}.price_currency`),
  }) satisfies Projection & Record<keyof BookingPayment, unknown>;

type Relations = Record<'resource' | 'location' | 'member', Projection | ProjectionPart>;

const toProjection = (row: string, relations: Relations) =>
  ({
    ...projectFields(bookingRow, row),
    ...relations,
    guest: projectWhen(`${row}.guest_name IS NOT NULL`, {
      name: `${row}.guest_name`,
      email: `${row}.guest_email`,
    }),
    price: projectMoney(`${row}.price_amount`, `${row}.price_currency`),
    payment: toBookingPaymentProjection(row),
    cancellation: projectWhen(`${row}.cancelled_at IS NOT NULL`, {
      cancelledAt: projectUnescaped(projectInstant(`${row}.cancelled_at`)),
      reason: `${row}.cancel_reason`,
      fee: projectMoney(`coalesce(${row}.cancel_fee, 0)`, `${row}.price_currency`),
    }),
  }) satisfies Projection & Record<keyof Booking, unknown>;

/** The projection of a booking. `item` is the row of `bookings`. It requires `BOOKING_JOINS`. */
export const bookingProjection = toProjection('item', {
  resource: { id: projectUnescaped('resource.id'), name: 'resource.name' },
  location: {
    id: projectUnescaped('location.id'),
    name: 'location.name',
    timeZone: 'location.time_zone',
  },
  member: projectWhen('member.id IS NOT NULL', {
    id: projectUnescaped('member.id'),
    name: 'member.name',
  }),
});

/** A booking as REST shows it. */
export type ListedBooking = Omit<Booking, 'updatedAt'>;

const { updatedAt: _, ...listedFields } = bookingProjection;
export const listedBookingProjection: Projection & Record<keyof ListedBooking, unknown> =
  listedFields;

/** Projects a booking with its whole resource, location and member. */
export const toBookingProjection: RowProjection = (row, viewer) =>
  toProjection(row, {
    resource: projectRow('resources', `${row}.resource_id`, toResourceProjection),
    location: projectRow('locations', `${row}.location_id`, toLocationProjection),
    member: projectRow('members', `${row}.member_id`, (member) =>
      toMemberProjection(member, viewer),
    ),
  });

export const BOOKING_JOINS = `
  JOIN resources resource ON resource.id = item.resource_id
  JOIN locations location ON location.id = item.location_id
  LEFT JOIN members member ON member.id = item.member_id`;
