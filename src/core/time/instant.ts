/** RFC 3339 in UTC with milliseconds and Z. */
export type Instant = string;

export const toInstant = (date: Date): Instant => date.toISOString();
