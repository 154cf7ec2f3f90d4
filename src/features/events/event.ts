import { instant, listOf, type Tree, when } from '../../db/tree.ts';
import type { Instant } from '../../values.ts';
import type { OrderLimits } from '../orders/limits/settings.ts';
import {
  LISTED_TYPE,
  type ListedTicketType,
  type TicketType,
  typeTree,
} from './ticket-types/ticket-type.ts';

export const EVENT_STATUSES = ['draft', 'published', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Whom something is for. */
export const VISIBILITIES = ['public', 'members'] as const;
export type EventVisibility = (typeof VISIBILITIES)[number];

/** As the wire shows it. */
export interface ListedEvent {
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
  ticketTypes: ListedTicketType[];
  createdAt: Instant;
}

export interface CommunityEvent extends ListedEvent {
  ticketTypes: TicketType[];
  /** Buyers get their money back until so many hours before the start; null: never. */
  refundHours: number | null;
  publishedAt: Instant | null;
  cancelledAt: Instant | null;
  cancelReason: string | null;
  /** Sold and held, of all types. For those who see all events. */
  reservedCount?: number;
  /** For those who see all events. */
  orderLimits?: OrderLimits;
}

const typesOf = (tree: Tree, condition = '') =>
  listOf(
    tree,
    `ticket_types type WHERE type.event_id = item.id${condition}`,
    'type.position, type.id',
  );

const OFFERED = ' AND type.active';

/** An event as one statement reads it; `item` is the event's row, `clock.now` the present. */
export const listedTree = {
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
  ticketTypes: typesOf(LISTED_TYPE, OFFERED),
  createdAt: instant('item.created_at'),
} satisfies Tree & Record<keyof ListedEvent, unknown>;

/** All that anybody may know of an event that they see. */
export const eventTree = {
  ...listedTree,
  ticketTypes: typesOf(typeTree('type', 'item'), OFFERED),
  refundHours: 'item.refund_hours',
  publishedAt: instant('item.published_at'),
  cancelledAt: instant('item.cancelled_at'),
  cancelReason: 'item.cancel_reason',
} satisfies Tree & Record<keyof Omit<CommunityEvent, 'reservedCount' | 'orderLimits'>, unknown>;

/** For those who see all events: how many are sold, and ticket types that are not offered. */
export const knowingTree = {
  ...eventTree,
  ticketTypes: typesOf(typeTree('type', 'item', 'knowing')),
  reservedCount: 'item.reserved_count',
  orderLimits: {
    maxSeatsPerEmail: 'item.max_seats_per_email',
    maxSeatsPerAddress: 'item.max_seats_per_address',
    maxSeatsPerNetwork: 'item.max_seats_per_network',
    limitWindowHours: 'item.limit_window_hours',
    confirmFreeOrders: 'item.confirm_free_orders',
  },
} satisfies Tree & Record<keyof CommunityEvent, unknown>;

export const JOINS = `
  JOIN locations location ON location.id = item.location_id
  LEFT JOIN resources resource ON resource.id = item.resource_id`;
