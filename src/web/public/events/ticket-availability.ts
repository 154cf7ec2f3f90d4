import type { useTimeZoneSuffix } from '../../components/browser-time.tsx';
import { formatPrice } from '../../components/prices.ts';
import type { SaleState } from '../../gql/graphql.ts';
import { formatLongTime } from '../../language/page-dates.ts';
import { getText } from '../../language/page-texts.ts';
import { isLowStock } from '../checkout/order-labels.ts';
import type { ListedEvent, PublicTicketType } from './queries.ts';

/** Returns how many tickets one order can have now. Zero if the type cannot be bought. */
export function countOrderableTickets(type: PublicTicketType, isGuest: boolean): number {
  if (type.saleState !== 'OPEN' || needsSignIn(type, isGuest)) return 0;
  return Math.min(type.maxPerOrder, type.left ?? type.maxPerOrder);
}

export const needsSignIn = ({ audience }: PublicTicketType, isGuest: boolean) =>
  audience === 'MEMBERS' && isGuest;

/** Returns the color and label of a ticket type's availability. */
export function toTicketStockBadge({
  saleState,
  left,
}: PublicTicketType): [color: string, label: string] {
  if (saleState === 'SOLD_OUT') return ['red', getText('event.soldOut')];
  if (saleState === 'NOT_YET') return ['gray', getText('event.notOnSale')];
  if (saleState === 'CLOSED') return ['gray', getText('event.salesEnded')];
  if (left === null) return ['teal', getText('event.available')];
  return isLowStock(left)
    ? ['orange', getText('event.onlyLeft', { count: left })]
    : ['teal', getText('event.left', { count: left })];
}

/** Returns when sales begin or end. Null if neither is ahead. */
export function formatSalesWindow(
  type: PublicTicketType,
  timeZone: string,
  formatSuffix: ReturnType<typeof useTimeZoneSuffix>,
): string | null {
  const { saleState, salesStartAt, salesEndAt } = type;
  const format = (instant: string) =>
    formatLongTime(instant, timeZone) + formatSuffix(instant, timeZone);
  if (saleState === 'NOT_YET' && salesStartAt)
    return getText('event.saleFrom', { time: format(salesStartAt) });
  return saleState === 'OPEN' && salesEndAt
    ? getText('event.saleUntil', { time: format(salesEndAt) })
    : null;
}

type EventTickets = Pick<ListedEvent, 'ticketTypes' | 'visibility'>;

/** Returns "Free", "€12.00" or "From €8.00" for the tickets on sale now, otherwise for those on sale later, or "". */
export function formatPriceRange({ ticketTypes }: EventTickets): string {
  const inState = (state: SaleState) => ticketTypes.filter(({ saleState }) => saleState === state);
  const open = inState('OPEN');
  const buyable = open.length > 0 ? open : inState('NOT_YET');
  const prices = buyable.map(({ price }) => price).toSorted((a, b) => a.amount - b.amount);
  const [lowest, highest] = [prices[0], prices.at(-1)];
  if (!lowest || !highest) return '';
  if (highest.amount === 0) return getText('event.free');
  if (lowest.amount === highest.amount) return formatPrice(lowest);
  return lowest.amount === 0
    ? getText('event.freeAndPaid')
    : getText('event.from', { price: formatPrice(lowest) });
}

/** Returns the color and label of an event's availability, or null if enough tickets are on sale. */
export function toEventStockBadge({
  ticketTypes: types,
}: EventTickets): [color: string, label: string] | null {
  if (types.length === 0) return null;
  const open = types.filter(({ saleState }) => saleState === 'OPEN');
  if (open.length > 0) {
    return open.every(({ left }) => isLowStock(left)) ? ['orange', getText('event.fewLeft')] : null;
  }
  const hasState = (state: SaleState) => types.some(({ saleState }) => saleState === state);
  if (hasState('SOLD_OUT')) return ['red', getText('event.soldOut')];
  return hasState('NOT_YET')
    ? ['gray', getText('event.notOnSale')]
    : ['gray', getText('event.salesEnded')];
}

export const isMembersOnly = ({ visibility, ticketTypes }: EventTickets) =>
  visibility === 'MEMBERS' ||
  (ticketTypes.length > 0 && ticketTypes.every(({ audience }) => audience === 'MEMBERS'));
