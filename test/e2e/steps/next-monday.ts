const DAY = 24 * 3600 * 1000;

/** A coming day on which the location is open, whatever day it is today, as YYYY-MM-DD. */
export function nextMonday(weeks = 0): string {
  const now = new Date();
  const days = ((8 - now.getUTCDay()) % 7 || 7) + 7 * (weeks + 1);
  return new Date(now.getTime() + days * DAY).toISOString().slice(0, 10);
}
