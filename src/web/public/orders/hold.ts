import { clockTime, dayOf, momentOf } from '../../ui/time-words.ts';

/** By the buyer's own clock, with the day where it is another one. */
export const endWords = (end: Date, now: Date) =>
  dayOf(end) === dayOf(now) ? clockTime(end) : momentOf(end);

/** "12 min 05 s left", "23 h 10 min left" */
export function remainingWords(end: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((end.getTime() - now.getTime()) / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
  return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s left`;
}
