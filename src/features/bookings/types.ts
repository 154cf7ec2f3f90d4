import type { Money } from '../../core/money.ts';
import type { Instant } from '../../core/time/time-zone.ts';
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

/** A resource that is booked for the half-open range [startsAt, endsAt), by a member or a guest. */
export interface Booking extends ShownRow<typeof bookingRow> {
  resource: { id: string; name: string };
  location: { id: string; name: string; timeZone: string };
  member: { id: string; name: string } | null;
  guest: { name: string; email: string | null } | null;
  price: Money;
  /** The fee is the part of the price that is still charged. */
  cancellation: { cancelledAt: Instant; reason: string | null; fee: Money } | null;
}

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
