import { DAY_MS } from './time/time-zone.ts';

/** A receiver cannot stop the work for longer than this by asking to wait. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Parses the header `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. Returns until when to wait, at most a day from now, or
 * null if the header is missing, malformed or in the past.
 */
export function parseRetryAfter(header: string | undefined, now: Date): Date | null {
  const text = header?.trim() ?? '';
  const waitMs = /^\d{1,9}$/.test(text)
    ? Number(text) * 1_000
    : parseHttpDate(text) - now.getTime();
  return waitMs > 0 ? new Date(now.getTime() + Math.min(waitMs, MAX_RETRY_AFTER_MS)) : null;
}

/** Dates of HTTP name the day of the week and end in GMT. Returns NaN for other texts, which Date would guess. */
const parseHttpDate = (text: string): number =>
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), .{8,40} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
