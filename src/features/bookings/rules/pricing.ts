import type { Money } from '../../../core/money.ts';

/** One step of how a price came about; the amounts of all steps add up to the price. */
export interface PriceLine {
  kind: 'allowance' | 'member_rate' | 'public_rate';
  minutes: number;
  /** Of the public price, before the discount. */
  pricePerHour: Money;
  discountPercent: number;
  amount: number;
}

export interface Quote {
  price: Money;
  lines: PriceLine[];
  /** Minutes of the plan's allowance that it takes. */
  includedMinutes: number;
}

/** The plan's allowance first, then the member's rate, then the public rate. Each line is rounded to the minor unit. */
export function quotePrice(pricePerHour: Money, minutes: number, terms: Entitlement): Quote {
  const includedMinutes = Math.min(minutes, terms.includedMinutesLeft);
  const rest = minutes - includedMinutes;
  const { discountPercent } = terms;
  const lines: PriceLine[] = [];
  if (includedMinutes > 0) {
    lines.push({
      kind: 'allowance',
      minutes: includedMinutes,
      pricePerHour,
      discountPercent: 100,
      amount: 0,
    });
  }
  if (rest > 0) {
    lines.push({
      kind: discountPercent > 0 ? 'member_rate' : 'public_rate',
      minutes: rest,
      pricePerHour,
      discountPercent,
      amount: Math.round((pricePerHour.amount * rest * (100 - discountPercent)) / (60 * 100)),
    });
  }
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  return { price: { amount, currency: pricePerHour.currency }, lines, includedMinutes };
}

/** What the plan of whoever books means for one type of resource in one month. */
export interface Entitlement {
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
export const createPublicEntitlement = (day: string): Entitlement => ({
  membershipId: null,
  month: `${day.slice(0, 7)}-01`,
  planName: null,
  includedMinutesLeft: 0,
  discountPercent: 0,
  limitMinutes: null,
  bookedMinutes: 0,
});
