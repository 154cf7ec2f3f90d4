import { zonedAt } from '../../../time.ts';
import { MINUTE } from './span.ts';

const DAY = 24 * 60 * MINUTE;

/** What a location's clocks show at an instant, with the offset from UTC: 2026-03-29T03:00+02:00. */
export type Clock = (instant: number) => string;

/** For many instants: the offset is asked for once a day, and each time only on a day on which it changes. */
export function clockOf(timeZone: string): Clock {
  const days = new Map<number, Offset | null>();
  return (instant) => {
    const day = Math.floor(instant / DAY);
    let offset = days.get(day);
    if (offset === undefined) {
      offset = offsetAt(day * DAY, timeZone);
      if (offset.millis !== offsetAt((day + 1) * DAY, timeZone).millis) offset = null;
      days.set(day, offset);
    }
    const { millis, text } = offset ?? offsetAt(instant, timeZone);
    return new Date(instant + millis).toISOString().slice(0, 16) + text;
  };
}

interface Offset {
  millis: number;
  /** +02:00 */
  text: string;
}

function offsetAt(instant: number, timeZone: string): Offset {
  const { offsetNanoseconds, offset } = zonedAt(instant, timeZone);
  return { millis: offsetNanoseconds / 1e6, text: offset };
}
