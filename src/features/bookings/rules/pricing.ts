import type { Money } from '../../../core/money.ts';

/** One line of a price. The amounts of all lines add up to the price. */
export interface PriceLine {
  kind: 'allowance' | 'member_rate' | 'public_rate';
  minutes: number;
  /** The public price, before the discount. */
  pricePerHour: Money;
  discountPercent: number;
  amount: number;
}

export interface Quote {
  price: Money;
  lines: PriceLine[];
  /** The minutes that the plan's allowance covers. */
  includedMinutes: number;
}

/**
 * Quotes a booking of a number of minutes: first from the plan's allowance, then at the member's rate or the public rate.
 * Each line is rounded to the minor unit. What costs nothing without the allowance uses none of it.
 */
export function quotePrice(pricePerHour: Money, minutes: number, entitlement: Entitlement): Quote {
  const { discountPercent, includedMinutesLeft } = entitlement;
  const toAmount = (paidMinutes: number) =>
    Math.round((pricePerHour.amount * paidMinutes * (100 - discountPercent)) / (60 * 100));
  const includedMinutes = toAmount(minutes) === 0 ? 0 : Math.min(minutes, includedMinutesLeft);
  const paidMinutes = minutes - includedMinutes;
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
  if (paidMinutes > 0) {
    lines.push({
      kind: discountPercent > 0 ? 'member_rate' : 'public_rate',
      minutes: paidMinutes,
      pricePerHour,
      discountPercent,
      amount: toAmount(paidMinutes),
    });
  }
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  return { price: { amount, currency: pricePerHour.currency }, lines, includedMinutes };
}

/** The benefits of a booker's plan for one type of resource in one month. */
export interface Entitlement {
  membershipId: string | null;
  /** The first day of the month of the allowance, as YYYY-MM-DD. */
  month: string;
  planName: string | null;
  includedMinutesLeft: number;
  discountPercent: number;
  /** The maximum minutes per month, included or paid. Null if there is no limit. */
  limitMinutes: number | null;
  /** Minutes booked in this month so far. */
  bookedMinutes: number;
}

/** Whether the plan's limit allows a booking of a number of minutes. */
export const isWithinLimit = (
  { limitMinutes, bookedMinutes }: Entitlement,
  minutes: number,
): boolean => limitMinutes === null || bookedMinutes + minutes <= limitMinutes;

/** The entitlement without a plan: nothing included, no discount, no limit. */
export const createPublicEntitlement = (day: string): Entitlement => ({
  membershipId: null,
  month: `${day.slice(0, 7)}-01`,
  planName: null,
  includedMinutesLeft: 0,
  discountPercent: 0,
  limitMinutes: null,
  bookedMinutes: 0,
});
