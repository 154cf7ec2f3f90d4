/** Minutes from one attempt to the next; the first outlasts any attempt that is still under way. */
export const PAUSES_MINUTES = [2, 5, 15, 60, 180, 360, 720, 1440];
export const MOST_ATTEMPTS = PAUSES_MINUTES.length + 1;

const DAY = 24 * 3_600_000;

/** Providers tell what became of a refund that takes its time; in case that is lost, it is looked at every day. */
export const nextLook = (now: Date) => new Date(now.getTime() + DAY);
