import type { Money } from '../../core/money.ts';
import type { Instant } from '../../core/time/instant.ts';
import {
  type Projection,
  projectInstant,
  projectMoney,
  projectWhen,
} from '../../db/json-projection.ts';

export const BOOKING_STATUSES = ['pending', 'confirmed', 'cancelled', 'no_show'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** How early someone can check in, before the start of a booking or event. */
export const MAX_EARLY_CHECK_IN_MINUTES = 60;

/** A resource that is booked for the half-open range [startsAt, endsAt), by a member or a guest. */
export interface Booking {
  id: string;
  status: BookingStatus;
  title: string | null;
  notes: string | null;
  startsAt: Instant;
  endsAt: Instant;
  resource: { id: string; name: string };
  location: { id: string; name: string; timeZone: string };
  member: { id: string; name: string } | null;
  guest: { name: string; email: string | null } | null;
  price: Money;
  seriesId: string | null;
  checkedInAt: Instant | null;
  /** The fee is the part of the price that stays due. */
  cancellation: { cancelledAt: Instant; reason: string | null; fee: Money } | null;
  createdAt: Instant;
}

/** A booking as JSON; `item` is the row of `bookings`. Needs `BOOKING_JOINS`. */
export const bookingProjection = {
  id: 'item.id',
  status: 'item.status',
  title: 'item.title',
  notes: 'item.notes',
  startsAt: projectInstant('item.starts_at'),
  endsAt: projectInstant('item.ends_at'),
  resource: { id: 'resource.id', name: 'resource.name' },
  location: { id: 'location.id', name: 'location.name', timeZone: 'location.time_zone' },
  member: projectWhen('member.id IS NOT NULL', { id: 'member.id', name: 'member.name' }),
  guest: projectWhen('item.guest_name IS NOT NULL', {
    name: 'item.guest_name',
    email: 'item.guest_email',
  }),
  price: projectMoney('item.price_amount', 'item.price_currency'),
  seriesId: 'item.series_id',
  checkedInAt: projectInstant('item.checked_in_at'),
  cancellation: projectWhen('item.cancelled_at IS NOT NULL', {
    cancelledAt: projectInstant('item.cancelled_at'),
    reason: 'item.cancel_reason',
    fee: projectMoney('coalesce(item.cancel_fee, 0)', 'item.price_currency'),
  }),
  createdAt: projectInstant('item.created_at'),
} satisfies Projection & Record<keyof Booking, unknown>;

export const BOOKING_JOINS = `
  JOIN resources resource ON resource.id = item.resource_id
  JOIN locations location ON location.id = item.location_id
  LEFT JOIN members member ON member.id = item.member_id`;
