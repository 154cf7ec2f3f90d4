import {
  findChargeProblem,
  fromStripeAmount,
  toStripeAmount,
} from '../../../src/integrations/payments/stripe/amounts.ts';

/** An amount of Foyer, in minor units of ISO 4217, and the same in Stripe's API. Null: Stripe cannot represent it. */
const AMOUNTS: [currency: string, amount: number, inStripe: number | null][] = [
  ['EUR', 1_050, 1_050],
  ['HUF', 500_050, 500_050],
  ['TWD', 80_045, 80_045],
  ['RSD', 150_000, 150_000],
  ['ISK', 5, 500],
  ['UGX', 5, 500],
  ['MGA', 100_000, 1_000],
  ['MGA', 100_050, null],
  ['KWD', 5_120, 5_120],
  ['KWD', 5_124, null],
  ...['BHD', 'JOD', 'OMR', 'TND'].map((code): [string, number, null] => [code, 1_001, null]),
  ...['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'VND', 'VUV', 'XAF'].map(
    (code): [string, number, number] => [code, 500, 500],
  ),
  ...['XOF', 'XPF'].map((code): [string, number, number] => [code, 500, 500]),
];

it.each(AMOUNTS)('%s %d is %p for Stripe, and the same back', (currency, amount, inStripe) => {
  expect(toStripeAmount({ amount, currency })).toBe(inStripe);
  if (inStripe !== null) expect(fromStripeAmount(inStripe, currency)).toEqual({ amount, currency });
});

it.each([
  ['EUR', 49, { kind: 'too_small', smallest: { amount: 50, currency: 'EUR' } }],
  ['EUR', 50, null],
  ['GBP', 29, { kind: 'too_small', smallest: { amount: 30, currency: 'GBP' } }],
  ['HUF', 17_499, { kind: 'too_small', smallest: { amount: 17_500, currency: 'HUF' } }],
  ['JPY', 50, null],
  ['KWD', 5_124, { kind: 'too_fine', step: { amount: 10, currency: 'KWD' } }],
  ['MGA', 100_050, { kind: 'too_fine', step: { amount: 100, currency: 'MGA' } }],
  ['ISK', 5, null],
])('a charge of %s %d has the problem %p', (currency, amount, problem) => {
  expect(findChargeProblem({ amount, currency })).toEqual(problem);
});
