import * as client from '../../packages/client/src/index.ts';
import { CURRENCY_DIGITS } from '../../src/core/currency-digits.ts';
import { formatDecimal, formatMoney, toMajorUnits, toMinorUnits } from '../../src/core/money.ts';
import { moneyInput } from '../../src/core/validation.ts';
import {
  explainAmount,
  formatAmount,
  formatMoney as formatOnPage,
  parseAmount,
} from '../../src/web/components/money.ts';

const AMOUNT = 1_234_560;
const LOCALES = ['en', 'de', 'fr-CH'];
const codes = [...CURRENCY_DIGITS.keys()];
const RealFormat = Intl.NumberFormat;

/** A runtime whose locale data have other digits for every currency, as another release of Node or a browser could. */
class OtherFormat extends RealFormat {
  constructor(locale?: string | string[], options: Intl.NumberFormatOptions = {}) {
    super(
      locale,
      options.style === 'currency'
        ? { minimumFractionDigits: 1, maximumFractionDigits: 1, ...options }
        : options,
    );
  }
}

/** Everything that shows an amount of each currency, by the server, in the pages and in the client. */
const formatAll = async (query: string) => {
  // Modules keep the formats that they have created.
  const [core, typedClient] = await Promise.all([
    import(`../../src/core/money.ts?${query}`) as Promise<{ formatMoney: typeof formatMoney }>,
    import(`../../packages/client/src/generated/money.ts?${query}`) as Promise<typeof client>,
  ]);
  return codes.map((currency) => {
    const money = { amount: AMOUNT, currency };
    return [
      ...LOCALES.flatMap((locale) => [
        core.formatMoney(money, locale),
        typedClient.formatMoney(money, locale),
      ]),
      formatDecimal(money),
      formatAmount(toMajorUnits(money), currency),
      explainAmount(currency),
    ];
  });
};

afterEach(() => {
  Intl.NumberFormat = RealFormat;
});

it('shows every amount with the digits of the table, whatever the runtime thinks', async () => {
  const here = await formatAll('here');
  Intl.NumberFormat = OtherFormat as typeof Intl.NumberFormat;
  expect(await formatAll('elsewhere')).toEqual(here);
  for (const [currency, digits] of CURRENCY_DIGITS) {
    const [shown] = formatMoney({ amount: AMOUNT, currency }).match(/\d[\d,.]*/) ?? [];
    expect([currency, shown?.replaceAll(',', '')]).toEqual([
      currency,
      (AMOUNT / 10 ** digits).toFixed(digits),
    ]);
    expect(formatOnPage({ amount: AMOUNT, currency })).toBe(
      client.formatMoney({ amount: AMOUNT, currency }, []),
    );
  }
});

it('reads what it shows in a field', () => {
  for (const currency of codes)
    for (const amount of [0, 1, 999, 1_000, AMOUNT, 2_000_000_000]) {
      const text = formatAmount(toMajorUnits({ amount, currency }), currency);
      expect(toMinorUnits(parseAmount(text, currency) ?? -1, currency)).toBe(amount);
    }
});

it.each([
  ...[['HUF', 2] as const, ['RSD', 2] as const, ['IDR', 2] as const, ['COP', 2] as const],
  ...[['PKR', 2] as const, ['MGA', 2] as const, ['ISK', 0] as const, ['UGX', 0] as const],
  ...[['JPY', 0] as const, ['KRW', 0] as const, ['KWD', 3] as const, ['CLF', 4] as const],
])('%s has %d digits, as ISO 4217 says', (currency, digits) => {
  expect(CURRENCY_DIGITS.get(currency)).toBe(digits);
  expect(client.getCurrencyDigits(currency)).toBe(digits);
});

it('accepts prices only in currencies of the table', () => {
  for (const currency of codes)
    expect(moneyInput.safeParse({ amount: 1, currency }).success).toBe(true);
  for (const currency of ['EUX', 'XAU', 'XXX', 'eur', 'EURO', ''])
    expect(moneyInput.safeParse({ amount: 1, currency }).success).toBe(false);
});
