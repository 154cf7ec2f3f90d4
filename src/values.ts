/** RFC 3339 in UTC with milliseconds and Z. */
export type Instant = string;

export const instantOf = (date: Date): Instant => date.toISOString();

/** Minor units (cents) and an ISO 4217 code. */
export interface Money {
  amount: number;
  currency: string;
}

export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
