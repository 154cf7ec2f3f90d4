import { instant, money, type Tree } from '../../../db/tree.ts';
import type { Instant, Money } from '../../../values.ts';
import type { EventVisibility } from '../event.ts';

export type SaleState = 'not_yet' | 'open' | 'sold_out' | 'closed';

/** As the wire shows it. */
export interface ListedTicketType {
  id: string;
  name: string;
  price: Money;
  /** What can be bought now: held is not left. Null where unlimited. */
  left: number | null;
  /** Whether it is the time to buy it, if there is any left. */
  salesOpen: boolean;
}

/** What an event sells. */
export interface TicketType extends ListedTicketType {
  description: string | null;
  position: number;
  /** At most so many in one order. */
  maxPerOrder: number;
  /** Who may buy it. */
  audience: EventVisibility;
  salesStartAt: Instant | null;
  salesEndAt: Instant | null;
  saleState: SaleState;
  /** Null: as many as the event holds. This and what follows: for those who see all events. */
  quantity?: number | null;
  /** Sold and held. */
  reservedCount?: number;
  /** Whether it is offered at all. */
  active?: boolean;
}

/** Expressions over the rows of a type and its event, by the names that they have in a statement; `clock.now` is the present. */
function expressions(type: string, event: string) {
  const left = `least(${type}.quantity - ${type}.reserved_count, ${event}.capacity - ${event}.reserved_count)`;
  const isOver = `(${event}.status = 'cancelled' OR ${event}.ends_at <= clock.now
    OR coalesce(${type}.sales_end_at <= clock.now, false) OR NOT ${type}.active)`;
  const isToCome = `(${event}.status = 'draft' OR coalesce(${type}.sales_start_at > clock.now, false))`;
  return {
    left: `CASE WHEN ${type}.active THEN ${left} ELSE 0 END`,
    salesOpen: `(${event}.status = 'published' AND ${event}.ends_at > clock.now AND ${type}.active
      AND coalesce(${type}.sales_start_at <= clock.now, true) AND coalesce(${type}.sales_end_at > clock.now, true))`,
    saleState: `CASE WHEN ${isOver} THEN 'closed' WHEN ${isToCome} THEN 'not_yet'
      WHEN ${left} <= 0 THEN 'sold_out' ELSE 'open' END`,
  };
}

const listed = (type: string, event: string) => {
  const { left, salesOpen } = expressions(type, event);
  return {
    id: `${type}.id`,
    name: `${type}.name`,
    price: money(`${type}.price_amount`, `${type}.price_currency`),
    left,
    salesOpen,
  } satisfies Tree & Record<keyof ListedTicketType, unknown>;
};

/** In the lists of events, where the type's row is `type` and the event's `item`. */
export const LISTED_TYPE: Tree = listed('type', 'item');

/** A ticket type as one statement reads it, and for those who see all events what is sold of it. */
export const typeTree = (type: string, event: string, reader?: 'knowing'): Tree =>
  reader
    ? ({ ...open(type, event), ...kept(type) } satisfies Record<keyof TicketType, unknown>)
    : open(type, event);

const open = (type: string, event: string) =>
  ({
    ...listed(type, event),
    description: `${type}.description`,
    position: `${type}.position`,
    maxPerOrder: `${type}.max_per_order`,
    audience: `${type}.audience`,
    salesStartAt: instant(`${type}.sales_start_at`),
    salesEndAt: instant(`${type}.sales_end_at`),
    saleState: expressions(type, event).saleState,
  }) satisfies Tree;

const kept = (type: string) =>
  ({
    quantity: `${type}.quantity`,
    reservedCount: `${type}.reserved_count`,
    active: `${type}.active`,
  }) satisfies Tree;
