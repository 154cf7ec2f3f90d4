import { DAY_MS, toZonedDateTime } from './time-zone.ts';

/** What a location's clocks show at an instant, with the offset from UTC: 2026-03-29T03:00+02:00. */
export type OffsetFormatter = (instant: number) => string;

/** For many instants: the offset is asked for once a day, and each time only on a day on which it changes. */
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
