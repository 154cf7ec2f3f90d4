import { getCurrencyDigits, type Money } from '../../../core/money.ts';
import type { AmountProblem } from '../provider.ts';

// How Stripe writes amounts: https://docs.stripe.com/currencies, "Zero-decimal currencies", "Three-decimal currencies",
// "Special cases" and "Minimum and maximum charge amounts". The minimums are those on which public integrations agree.

/** Stripe has no minor units of these. ISO 4217 gives MGA two digits, and the others none. */
const WITHOUT_MINOR_UNITS = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);

/** Stripe writes three digits, of which the last must be 0. */
const WITH_THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '));

/** Stripe writes two digits, which must be 0, since these had minor units once. */
const ONLY_WHOLE = new Set(['ISK', 'UGX']);

/** What Stripe charges at least, in its own amounts, if the account is settled in the same currency. */
const MIN_CHARGES: Record<string, number> = {
  ...{ USD: 50, AED: 200, AUD: 50, BGN: 100, BRL: 50, CAD: 50, CHF: 50, CZK: 1_500, DKK: 250 },
  ...{ EUR: 50, GBP: 30, HKD: 400, HUF: 17_500, INR: 50, JPY: 50, MXN: 1_000, MYR: 200, NOK: 300 },
  ...{ NZD: 50, PLN: 200, RON: 200, SEK: 300, SGD: 50, THB: 1_000 },
};

const getStripeDigits = (currency: string): number => {
  if (WITHOUT_MINOR_UNITS.has(currency)) return 0;
  return WITH_THOUSANDTHS.has(currency) ? 3 : 2;
};

/** Of what Stripe's amounts in this currency must be a multiple. */
const getStep = (currency: string): number => {
  if (ONLY_WHOLE.has(currency)) return 100;
  return WITH_THOUSANDTHS.has(currency) ? 10 : 1;
};

const toFactor = (currency: string): number =>
  10 ** (getStripeDigits(currency) - getCurrencyDigits(currency));

/** Converts an amount to Stripe's. Returns null if Stripe cannot represent it. */
export function toStripeAmount({ amount, currency }: Money): number | null {
  const converted = amount * toFactor(currency);
  return Number.isInteger(converted) && converted % getStep(currency) === 0 ? converted : null;
}

/** Converts an amount of Stripe's. One that Foyer cannot represent is rounded. */
export const fromStripeAmount = (amount: number, currency: string): Money => ({
  amount: Math.round(amount / toFactor(currency)),
  currency,
});

/** Finds out why Stripe would reject a charge. */
export function findChargeProblem(money: Money): AmountProblem | null {
  const { currency } = money;
  const converted = toStripeAmount(money);
  if (converted === null) {
    const amount = Math.ceil(Math.max(1, getStep(currency) / toFactor(currency)));
    return { kind: 'too_fine', step: { amount, currency } };
  }
  const smallest = MIN_CHARGES[currency];
  if (smallest === undefined || converted >= smallest) return null;
  return { kind: 'too_small', smallest: fromStripeAmount(smallest, currency) };
}
