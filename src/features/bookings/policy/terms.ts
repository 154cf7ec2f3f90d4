/** What the plan of whoever books means for one type of resource in one month. */
export interface Terms {
  membershipId: string | null;
  /** The first day of the month that the allowance belongs to, as YYYY-MM-DD. */
  month: string;
  planName: string | null;
  includedMinutesLeft: number;
  discountPercent: number;
  /** Not more minutes a month than this, paid or not; null: as many as they like. */
  limitMinutes: number | null;
  /** Booked in that month so far. */
  bookedMinutes: number;
}

/** Without a plan: nothing included, no discount, no limit. */
export const publicTerms = (day: string): Terms => ({
  membershipId: null,
  month: `${day.slice(0, 7)}-01`,
  planName: null,
  includedMinutesLeft: 0,
  discountPercent: 0,
  limitMinutes: null,
  bookedMinutes: 0,
});
