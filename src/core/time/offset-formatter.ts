import { DAY_MS, toZonedDateTime } from './time-zone.ts';

/** Formats an instant as local time with its UTC offset: 2026-03-29T03:00+02:00. */
export type OffsetFormatter = (instant: number) => string;

/** For many instants: computes the offset once per day, and per instant only on days on which it changes. */
export function createOffsetFormatter(timeZone: string): OffsetFormatter {
  const days = new Map<number, UtcOffset | null>();
  return (instant) => {
    const day = Math.floor(instant / DAY_MS);
    let offset = days.get(day);
    if (offset === undefined) {
      offset = computeOffset(day * DAY_MS, timeZone);
      if (offset.millis !== computeOffset((day + 1) * DAY_MS, timeZone).millis) offset = null;
      days.set(day, offset);
    }
    const { millis, text } = offset ?? computeOffset(instant, timeZone);
    return new Date(instant + millis).toISOString().slice(0, 16) + text;
  };
}

interface UtcOffset {
  millis: number;
  /** +02:00 */
  text: string;
}

function computeOffset(instant: number, timeZone: string): UtcOffset {
  const { offsetNanoseconds, offset } = toZonedDateTime(instant, timeZone);
  return { millis: offsetNanoseconds / 1e6, text: offset };
}
