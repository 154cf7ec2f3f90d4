import { formatExactDateTime } from '../../components/format-ambiguous-time.ts';
import { formatMoney } from '../../components/money.ts';
import { formatTimeZoneSuffix } from '../../components/time-zone-suffix.ts';
import type { SaleState } from '../../gql/graphql.ts';
import type { ListedEvent, PublicTicketType } from './queries.ts';

/** How many of it one order may have now; nothing where it cannot be bought. */
export function countOrderableTickets(type: PublicTicketType, isGuest: boolean): number {
  if (type.saleState !== 'OPEN' || needsSignIn(type, isGuest)) return 0;
  return Math.min(type.perOrder, type.left ?? type.perOrder);
}

export const needsSignIn = ({ audience }: PublicTicketType, isGuest: boolean) =>
  audience === 'MEMBERS' && isGuest;

/** What is to be known before buying it, and a colour to find it by. */
export function toTicketStockBadge({
  saleState,
  left,
}: PublicTicketType): [color: string, words: string] {
  if (saleState === 'SOLD_OUT') return ['red', 'Sold out'];
  if (saleState === 'NOT_YET') return ['gray', 'Not on sale yet'];
  if (saleState === 'CLOSED') return ['gray', 'Sale has ended'];
  if (left === null) return ['teal', 'Available'];
  return isLowStock(left) ? ['orange', `Only ${left} left`] : ['teal', `${left} left`];
}

/** When the sale begins, or will end. */
export function formatSalesWindow(type: PublicTicketType, timeZone: string): string | null {
  const { saleState, salesStartAt, salesEndAt } = type;
  const moment = (at: string) =>
    formatExactDateTime(at, timeZone) + formatTimeZoneSuffix(at, timeZone);
  if (saleState === 'NOT_YET' && salesStartAt) return `On sale from ${moment(salesStartAt)}`;
  return saleState === 'OPEN' && salesEndAt ? `On sale until ${moment(salesEndAt)}` : null;
}

const LOW_STOCK_COUNT = 5;

type EventTickets = Pick<ListedEvent, 'ticketTypes' | 'visibility'>;

/** "Free", "€12.00", "From €8.00"; of what can be bought, now or else later; nothing where nothing can. */
export function formatPriceRange({ ticketTypes }: EventTickets): string {
  const inState = (state: SaleState) => ticketTypes.filter(({ saleState }) => saleState === state);
  const open = inState('OPEN');
  const buyable = open.length > 0 ? open : inState('NOT_YET');
  const prices = buyable.map(({ price }) => price).toSorted((a, b) => a.amount - b.amount);
  const [least, most] = [prices[0], prices.at(-1)];
  if (!least || !most) return '';
  if (most.amount === 0) return 'Free';
  if (least.amount === most.amount) return formatMoney(least);
  return least.amount === 0 ? 'Free and paid tickets' : `From ${formatMoney(least)}`;
}

/** What whoever looks for tickets should know at once, and a colour to find it by. */
export function toEventStockBadge({
  ticketTypes: types,
}: EventTickets): [color: string, words: string] | null {
  if (types.length === 0) return null;
  const open = types.filter(({ saleState }) => saleState === 'OPEN');
  if (open.length > 0) {
    return open.every(({ left }) => isLowStock(left)) ? ['orange', 'Few left'] : null;
  }
  const has = (state: string) => types.some(({ saleState }) => saleState === state);
  if (has('SOLD_OUT')) return ['red', 'Sold out'];
  return has('NOT_YET') ? ['gray', 'Not on sale yet'] : ['gray', 'Sale has ended'];
}

export const isLowStock = (left: number | null) => left !== null && left <= LOW_STOCK_COUNT;

export const isMembersOnly = ({ visibility, ticketTypes }: EventTickets) =>
  visibility === 'MEMBERS' ||
  (ticketTypes.length > 0 && ticketTypes.every(({ audience }) => audience === 'MEMBERS'));
