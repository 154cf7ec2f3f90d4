import type { SaleState } from '../../gql/graphql.ts';
import { moneyWords } from '../../ui/money.ts';
import type { ListedEvent } from './queries.ts';

const FEW = 5;

type Listed = Pick<ListedEvent, 'ticketTypes' | 'visibility'>;

/** "Free", "€12.00", "From €8.00"; of what can be bought, now or else later; nothing where nothing can. */
export function priceWords({ ticketTypes }: Listed): string {
  const inState = (state: SaleState) => ticketTypes.filter(({ saleState }) => saleState === state);
  const open = inState('OPEN');
  const buyable = open.length > 0 ? open : inState('NOT_YET');
  const prices = buyable.map(({ price }) => price).toSorted((a, b) => a.amount - b.amount);
  const [least, most] = [prices[0], prices.at(-1)];
  if (!least || !most) return '';
  if (most.amount === 0) return 'Free';
  if (least.amount === most.amount) return moneyWords(least);
  return least.amount === 0 ? 'Free and paid tickets' : `From ${moneyWords(least)}`;
}

/** What whoever looks for tickets should know at once, and a colour to find it by. */
export function stockWords({ ticketTypes: types }: Listed): [color: string, words: string] | null {
  if (types.length === 0) return null;
  const open = types.filter(({ saleState }) => saleState === 'OPEN');
  if (open.length > 0) {
    return open.every(({ left }) => isFew(left)) ? ['orange', 'Few left'] : null;
  }
  const has = (state: string) => types.some(({ saleState }) => saleState === state);
  if (has('SOLD_OUT')) return ['red', 'Sold out'];
  return has('NOT_YET') ? ['gray', 'Not on sale yet'] : ['gray', 'Sale has ended'];
}

export const isFew = (left: number | null) => left !== null && left <= FEW;

export const isForMembers = ({ visibility, ticketTypes }: Listed) =>
  visibility === 'MEMBERS' ||
  (ticketTypes.length > 0 && ticketTypes.every(({ audience }) => audience === 'MEMBERS'));
