import { DAY_MS, type Instant, toInstant, toZonedDateTime } from './time-zone.ts';

/** Formats instants, in milliseconds since 1970. */
export interface InstantFormatter {
  /** In UTC: 2026-03-29T01:00:00.000Z. */
  toUtc(instant: number): Instant;
  /** As local time with its UTC offset: 2026-03-29T03:00+02:00. */
  toLocal(instant: number): string;
}

/** Creates a formatter that formats each instant once. Slots of many resources begin and end at the same instants. */
export function createInstantFormatter(timeZone: string): InstantFormatter {
  return {
    toUtc: memoize((instant) => toInstant(new Date(instant))),
    toLocal: memoize(createOffsetFormatter(timeZone)),
  };
}

function memoize(format: (instant: number) => string): (instant: number) => string {
  const texts = new Map<number, string>();
  return (instant) => {
    const known = texts.get(instant);
    if (known !== undefined) return known;
    const text = format(instant);
    texts.set(instant, text);
    return text;
  };
}

/** Computes the offset once per day, except on days when it changes. */
function createOffsetFormatter(timeZone: string): (instant: number) => string {
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
  /** Such as +02:00. */
  text: string;
}

function computeOffset(instant: number, timeZone: string): UtcOffset {
  const { offsetNanoseconds, offset } = toZonedDateTime(instant, timeZone);
  return { millis: offsetNanoseconds / 1e6, text: offset };
}
