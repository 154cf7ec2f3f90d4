import type { Money } from '../../ui/money.ts';
import { longDayWords } from '../../ui/place-words.ts';
import type { Order } from './queries.ts';

/** A ticket or a day pass: what lets one person in. */
export interface Admission {
  id: string;
  code: string;
  qr: string;
  isValid: boolean;
  /** What it is called. */
  name: string;
  /** What is to be known besides. */
  line: string | null;
  holder: { name: string; email: string | null };
  price: Money;
}

/** The holder of the secret sees the codes. */
export const admissionsOf = ({ tickets, dayPasses }: Order): Admission[] => [
  ...tickets.map(({ id, code, qr, status, attendee, ticketType, price }) => ({
    ...{ id, code: code ?? '', qr: qr ?? '', price },
    isValid: status === 'VALID',
    name: ticketType.name,
    line: null,
    holder: attendee,
  })),
  ...dayPasses.map(
    ({ id, code, qr, status, holder, dayPassType, validOn, locationName, price }) => ({
      ...{ id, code: code ?? '', qr: qr ?? '', price, holder },
      isValid: status === 'VALID',
      name: dayPassType.name,
      line: `${longDayWords(validOn)}, ${locationName}`,
    }),
  ),
];

export const validOf = (order: Order) => admissionsOf(order).filter(({ isValid }) => isValid);

/** "ticket", "2 day passes" */
export function countWords(count: number, { event }: Order): string {
  const [one, many] = event ? ['ticket', 'tickets'] : ['day pass', 'day passes'];
  return count === 1 ? one : `${count} ${many}`;
}

/** "1 ticket", "2 day passes" */
export const countedWords = (count: number, order: Order) =>
  count === 1 ? `1 ${countWords(1, order)}` : countWords(count, order);

/** What the order is for, in a few words. */
export const titleOf = ({ event, items }: Order) =>
  event?.title ?? items[0]?.dayPassType?.name ?? 'Your order';
