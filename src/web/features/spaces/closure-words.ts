import { dayWords } from '../../ui/place-words.ts';
import type { Closure } from './location-queries.ts';

export const daysOf = ({ startsOn, endsOn }: Closure) =>
  startsOn === endsOn ? dayWords(startsOn) : `${dayWords(startsOn)} – ${dayWords(endsOn)}`;

/** A closure cancels nothing by itself. */
export const affectedWords = ({ bookingsAffected: count }: Closure) =>
  count === 1
    ? '1 booking lies in it and stays as it is: look at that day, and move or cancel it.'
    : `${count} bookings lie in it and stay as they are: look at these days, and move or cancel them.`;
