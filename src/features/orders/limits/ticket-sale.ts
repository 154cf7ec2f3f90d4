import type { OfferedEvent } from '../place/basket.ts';
import type { Wanted } from '../place/check.ts';
import type { LimitedSale } from './subjects.ts';

/** How many people an event takes, by its own capacity and by what its ticket types hold; null where unlimited. */
function findTicketCapacity({ capacity, types }: OfferedEvent): number | null {
  return leastOf(
    capacity,
    sumOf(types.filter(({ active }) => active).map(({ quantity }) => quantity)),
  );
}

/** An order for some of the types. The one of which least is left counts: tickets of another type make it no larger. */
export const toTicketSale = (event: OfferedEvent, wanted: Wanted[]): LimitedSale => ({
  target: event.id,
  limits: event.limits,
  capacity: findTicketCapacity(event),
  left: wanted.map(({ type }) => type.left).reduce(leastOf, event.left),
  maxPerOrder: Math.max(...wanted.map(({ type }) => type.maxPerOrder)),
});

/** The same, or what one of these types holds, if that is less: an order cannot hide a small type behind a large one. */
export const findLeastCapacity = (event: OfferedEvent, wanted: Wanted[]): number | null =>
  wanted.map(({ type }) => type.quantity).reduce(leastOf, findTicketCapacity(event));

/** How many people can come with tickets of this type; null where unlimited. */
export const findTypeCapacity = (event: OfferedEvent, { type }: Wanted): number | null =>
  leastOf(event.capacity, type.quantity);

/** Null stands for unlimited. */
function leastOf(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

const sumOf = (numbers: (number | null)[]): number | null =>
  numbers.reduce<number | null>((sum, n) => (sum === null || n === null ? null : sum + n), 0);
