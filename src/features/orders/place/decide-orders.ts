import type { Instant } from '../../../core/time/time-zone.ts';
import type { SeatClaim } from '../limits/seat-limits.ts';
import { type CountedSeats, countSeats, type SeatUsages } from '../limits/seat-usage.ts';
import type { OrderRow, OrderUnit } from './build-order.ts';

/** An order that is ready to be inserted, if the stock has not changed meanwhile. */
export interface NewOrder {
  row: OrderRow;
  /** Its tickets or day passes. `itemId` is the ticket type or the day pass type. */
  units: (OrderUnit & { itemId: string })[];
  /** The limits to count its seats against. */
  seats: Pick<SeatClaim, 'limits' | 'windowHours'>;
  /** The start of its event, on which its hold depends. */
  startsAt?: Instant;
}

/**
 * What became of an order. CHANGED means that the event, a price, the code or the stock has changed, so the caller must read
 * them again.
 */
export type PlaceOrderOutcome =
  | 'PLACED'
  | 'SOLD_OUT'
  | 'DISCOUNT_USED_UP'
  | 'SEAT_LIMIT_REACHED'
  | 'CHANGED';

/** What orders need, as read while it is locked. */
export interface Stock {
  /** Whether the event is published. Day passes have no event. */
  isOnSale: boolean;
  /** When the event starts. Null for day passes. */
  startsAt: Instant | null;
  /** Whether people on the waiting list still have to get offers. Until then, nobody else can buy. */
  offersPending: boolean;
  /** The capacity of the event, which all its ticket types share. Null for day passes. */
  total: StockCounter | null;
  /** Ticket types, or day pass types on one date, that are on sale. */
  items: (StockCounter & { id: string; unitPrice: number })[];
  codes: { id: string; active: boolean; maxUses: number | null; uses: number }[];
  seatUsages: SeatUsages;
}

interface StockCounter {
  /** Null if unlimited. */
  capacity: number | null;
  reserved: number;
}

/** How the counters change if the orders are placed. */
export interface StockChanges {
  items: { id: string; count: number }[];
  codes: { id: string; count: number }[];
  seatUsages: CountedSeats[];
}

/**
 * Decides orders one after another, each as if all earlier ones were already placed or rejected. Rejected orders change
 * nothing.
 */
export function decideOrders(
  stock: Stock,
  orders: NewOrder[],
): { outcomes: PlaceOrderOutcome[]; changes: StockChanges } {
  const state = {
    ...stock,
    total: stock.total && { ...stock.total },
    items: new Map(stock.items.map((item) => [item.id, { ...item }])),
    codes: new Map(stock.codes.map((code) => [code.id, { ...code }])),
    seatUsages: new Map(stock.seatUsages),
  };
  const counted = new Map<string, CountedSeats>();
  const outcomes = orders.map((order) => {
    const decision = decideOrder(state, order);
    if (typeof decision === 'string') return decision;
    for (const [id, count] of decision.quantities) add(state.items.get(id), count);
    add(state.total, order.units.length);
    const code = state.codes.get(order.row.discountCodeId ?? '');
    if (code) code.uses += 1;
    for (const usage of decision.seatUsages) {
      state.seatUsages.set(usage.key, usage);
      counted.set(usage.key, usage);
    }
    return 'PLACED';
  });
  const items = stock.items.map(({ id, reserved }) => ({
    id,
    count: (state.items.get(id)?.reserved ?? reserved) - reserved,
  }));
  const codes = stock.codes.map(({ id, uses }) => ({
    id,
    count: (state.codes.get(id)?.uses ?? uses) - uses,
  }));
  const hasChanged = ({ count }: { count: number }) => count > 0;
  return {
    outcomes,
    changes: {
      items: items.filter(hasChanged),
      codes: codes.filter(hasChanged),
      seatUsages: [...counted.values()],
    },
  };
}

interface StockState
  extends Pick<Stock, 'isOnSale' | 'startsAt' | 'offersPending' | 'total' | 'seatUsages'> {
  items: Map<string, Stock['items'][number]>;
  codes: Map<string, Stock['codes'][number]>;
}

/** Returns what an order takes, or why it is rejected. */
function decideOrder(
  { isOnSale, startsAt, offersPending, total, items, codes, seatUsages }: StockState,
  { row, units, seats, startsAt: expectedStart }: NewOrder,
): { quantities: Map<string, number>; seatUsages: CountedSeats[] } | PlaceOrderOutcome {
  const code = row.discountCodeId === null ? null : codes.get(row.discountCodeId);
  const isMoved = expectedStart !== undefined && expectedStart !== startsAt;
  if (!isOnSale || isMoved || (code !== null && !code?.active)) return 'CHANGED';
  const quantities = new Map<string, number>();
  for (const { itemId, unitPrice } of units) {
    if (items.get(itemId)?.unitPrice !== unitPrice) return 'CHANGED';
    quantities.set(itemId, (quantities.get(itemId) ?? 0) + 1);
  }
  if (offersPending && row.change !== 'order.offered') return 'SOLD_OUT';
  const requested = [...quantities].map(([id, quantity]) => ({
    left: countLeft(items.get(id)),
    quantity,
  }));
  const leftOfAll = countLeft(total);
  if (requested.some(({ left, quantity }) => quantity > left) || units.length > leftOfAll)
    return 'SOLD_OUT';
  if (code && code.maxUses !== null && code.uses >= code.maxUses) return 'DISCOUNT_USED_UP';
  const left = Math.min(leftOfAll, ...requested.map((item) => item.left));
  const counted = countSeats(
    seatUsages,
    { ...seats, left: Number.isFinite(left) ? left : null },
    {
      seats: units.length,
      at: Date.parse(row.createdAt),
      hold:
        row.expiresAt === null || row.provider !== 'on_site'
          ? null
          : { until: Date.parse(row.expiresAt), isConfirmed: row.confirmedHoldUntil === null },
    },
  );
  return counted === null ? 'SEAT_LIMIT_REACHED' : { quantities, seatUsages: counted };
}

/** Infinite if unlimited. */
const countLeft = (counter: StockCounter | null | undefined): number =>
  counter?.capacity == null ? Number.POSITIVE_INFINITY : counter.capacity - counter.reserved;

function add(counter: StockCounter | null | undefined, count: number): void {
  if (counter) counter.reserved += count;
}
