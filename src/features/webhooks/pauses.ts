const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds from one attempt to the next: about three days in all. */
export const PAUSES_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
export const MOST_ATTEMPTS = PAUSES_SECONDS.length + 1;

/** Whoever has taken a delivery has it for so long, which outlasts any attempt. */
export const LEASE_SECONDS = 60;
