import { instant, money, type Tree, when } from '../../db/tree.ts';
import type { Instant, Money } from '../../values.ts';

export const BOOKING_STATUSES = ['pending', 'confirmed', 'cancelled', 'no_show'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** A resource for [startsAt, endsAt), by a member or by a guest. */
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
  /** The fee is what stays due of the price. */
  cancellation: { cancelledAt: Instant; reason: string | null; fee: Money } | null;
  createdAt: Instant;
}

/** A booking as one statement reads it; `item` is the booking's. */
export const bookingTree = {
  id: 'item.id',
  status: 'item.status',
  title: 'item.title',
  notes: 'item.notes',
  startsAt: instant('item.starts_at'),
  endsAt: instant('item.ends_at'),
  resource: { id: 'resource.id', name: 'resource.name' },
  location: { id: 'location.id', name: 'location.name', timeZone: 'location.time_zone' },
  member: when('member.id IS NOT NULL', { id: 'member.id', name: 'member.name' }),
  guest: when('item.guest_name IS NOT NULL', {
    name: 'item.guest_name',
    email: 'item.guest_email',
  }),
  price: money('item.price_amount', 'item.price_currency'),
  seriesId: 'item.series_id',
  checkedInAt: instant('item.checked_in_at'),
  cancellation: when('item.cancelled_at IS NOT NULL', {
    cancelledAt: instant('item.cancelled_at'),
    reason: 'item.cancel_reason',
    fee: money('coalesce(item.cancel_fee, 0)', 'item.price_currency'),
  }),
  createdAt: instant('item.created_at'),
} satisfies Tree & Record<keyof Booking, unknown>;

export const JOINS = `
  JOIN resources resource ON resource.id = item.resource_id
  JOIN locations location ON location.id = item.location_id
  LEFT JOIN members member ON member.id = item.member_id`;
