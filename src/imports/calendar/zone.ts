import type { Temporal } from 'temporal-polyfill';

/** A way to read wall clocks. Times that a clock change skips or repeats are read as RFC 5545 says: by the offset before. */
export interface Zone {
  instantOf(wall: Temporal.PlainDateTime): Temporal.Instant;
  wallAt(instant: Temporal.Instant): Temporal.PlainDateTime;
}

export const ianaZone = (id: string): Zone => ({
  instantOf: (wall) => wall.toZonedDateTime(id).toInstant(),
  wallAt: (instant) => instant.toZonedDateTimeISO(id).toPlainDateTime(),
});

export const UTC = ianaZone('UTC');
