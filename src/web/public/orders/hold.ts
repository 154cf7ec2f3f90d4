import { dayIn } from '../../ui/place-words.ts';
import { exactClockIn, exactMomentIn } from '../../ui/shown-twice.ts';
import { clockTime, dayOf, momentOf } from '../../ui/time-words.ts';
import { zoneNote } from '../zone-note.ts';
import type { Order } from './queries.ts';

/** By the event's clock. Of day passes the zone is not known here: those go by the buyer's own, and say so. */
export const momentFor = ({ event }: Order, at: string | Date) =>
  event ? exactMomentIn(at, event.timeZone) + zoneNote(at, event.timeZone) : own(momentOf, at);

/** The same, with the day only where it is not today. */
export function endWords(order: Order, end: Date, now: Date): string {
  const { event } = order;
  const day = (at: Date) => (event ? dayIn(at, event.timeZone) : dayOf(at));
  if (day(end) !== day(now)) return momentFor(order, end);
  if (event === null) return own(clockTime, end);
  return exactClockIn(end, event.timeZone) + zoneNote(end, event.timeZone);
}

const own = (words: (at: Date) => string, at: string | Date) =>
  `${words(new Date(at))} (your time)`;

/** "12 min 05 s left", "23 h 10 min left" */
export function remainingWords(end: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((end.getTime() - now.getTime()) / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
  return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s left`;
}
