import { CURRENCY_DIGITS } from './currency-digits.ts';

/** An amount in minor units, such as cents, with an ISO 4217 code. */
export interface Money {
  amount: number;
  currency: string;
}

export const isKnownCurrency = (currency: string): boolean => CURRENCY_DIGITS.has(currency);

/** The number of decimal places: 2 for EUR, 0 for JPY. Currencies that have left the list, such as HRK, had two. */
export const getCurrencyDigits = (currency: string): number => CURRENCY_DIGITS.get(currency) ?? 2;

/** 12.5 for 1250 EUR. */
export const toMajorUnits = ({ amount, currency }: Money): number =>
  amount / 10 ** getCurrencyDigits(currency);

/** 1250 for 12.5 EUR. */
export const toMinorUnits = (major: number, currency: string): number =>
  Math.round(major * 10 ** getCurrencyDigits(currency));

/** A language, or an empty list for that of the runtime. */
type Locale = string | readonly string[];

const formats = new Map<string, Intl.NumberFormat>();

/** Formats an amount with the decimals of its currency: "€12.50", "CHF 12.50" or "¥1,250", and in German "12,50 €". */
export function formatMoney(money: Money, locale: Locale = 'en'): string {
  const { currency } = money;
  const key = `${locale} ${currency}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale as string, {
      style: 'currency',
      currency,
      ...toDigitOptions(getCurrencyDigits(currency)),
    });
  formats.set(key, format);
  return format.format(toMajorUnits(money));
}

/** "1250.50": with a point and without a symbol, for programs. */
export const formatDecimal = (money: Money): string =>
  toMajorUnits(money).toFixed(getCurrencyDigits(money.currency));

/** "1,250.50": a number with a number of decimal places, without a symbol. */
export const formatNumber = (
  value: number,
  digits: number,
  locale: Locale,
  useGrouping = true,
): string =>
  new Intl.NumberFormat(locale as string, {
    ...toDigitOptions(digits),
    useGrouping,
    numberingSystem: 'latn',
  }).format(value);

/** Without them, the locale data of the runtime would decide. */
const toDigitOptions = (digits: number) => ({
  minimumFractionDigits: digits,
  maximumFractionDigits: digits,
});
