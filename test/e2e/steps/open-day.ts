const DAY = 24 * 3600 * 1000;

/** Returns an upcoming Monday, on which the location is open, as YYYY-MM-DD. */
export function findOpenDay(weeks = 0): string {
  const now = new Date();
  const days = ((8 - now.getUTCDay()) % 7 || 7) + 7 * (weeks + 1);
  return new Date(now.getTime() + days * DAY).toISOString().slice(0, 10);
}
