import { instant, listOf, money, type Tree, when } from '../../db/tree.ts';
import type { Instant, Money } from '../../values.ts';

export const EVENT_STATUSES = ['draft', 'published', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];
type EventVisibility = 'public' | 'members';

export interface TicketType {
  id: string;
  name: string;
  price: Money;
  /** What can be bought now: held is not left. Null where unlimited. */
  left: number | null;
  salesOpen: boolean;
}

export interface CommunityEvent {
  id: string;
  slug: string;
  title: string;
  summary: string | null;
  description: string | null;
  status: EventStatus;
  visibility: EventVisibility;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  location: { id: string; name: string; address: string | null };
  resource: { id: string; name: string } | null;
  tags: string[];
  capacity: number | null;
  ticketTypes: TicketType[];
  createdAt: Instant;
}

/** An event as one statement reads it; `item` is the event's row, `clock.now` the present. */
export const eventTree = {
  id: 'item.id',
  slug: 'item.slug',
  title: 'item.title',
  summary: 'item.summary',
  description: 'item.description',
  status: 'item.status',
  visibility: 'item.visibility',
  startsAt: instant('item.starts_at'),
  endsAt: instant('item.ends_at'),
  timeZone: 'location.time_zone',
  location: { id: 'location.id', name: 'location.name', address: 'location.address' },
  resource: when('resource.id IS NOT NULL', { id: 'resource.id', name: 'resource.name' }),
  tags: 'item.tags',
  capacity: 'item.capacity',
  ticketTypes: listOf(
    {
      id: 'type.id',
      name: 'type.name',
      price: money('type.price_amount', 'type.price_currency'),
      left: 'least(type.quantity - type.taken, item.capacity - item.taken)',
      salesOpen: `(item.status = 'published' AND item.ends_at > clock.now
          AND coalesce(type.sales_start_at <= clock.now, true) AND coalesce(type.sales_end_at > clock.now, true))`,
    },
    'ticket_types type WHERE type.event_id = item.id',
    'type.position, type.id',
  ),
  createdAt: instant('item.created_at'),
} satisfies Tree & Record<keyof CommunityEvent, unknown>;

export const JOINS = `
  JOIN locations location ON location.id = item.location_id
  LEFT JOIN resources resource ON resource.id = item.resource_id`;
