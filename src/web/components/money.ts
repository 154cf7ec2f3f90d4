import { getPageLocale } from '../language/page-texts.ts';

/** Amounts are minor units, such as cents. */
export interface Money {
  amount: number;
  currency: string;
}

/** The language of the page, and on an English page that of the browser. While the service renders it, that is English. */
const getLocale = () => getPageLocale() ?? (typeof document === 'undefined' ? 'en' : undefined);

const createCurrencyFormat = (currency: string) =>
  new Intl.NumberFormat(getLocale(), { style: 'currency', currency });

/** The number of decimal places: 2 for EUR, 0 for JPY. */
const getCurrencyDigits = (currency: string) => {
  try {
    return createCurrencyFormat(currency).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
};

export const toMajorUnits = ({ amount, currency }: Money) =>
  amount / 10 ** getCurrencyDigits(currency);

export const toMinorUnits = (major: number, currency: string) =>
  Math.round(major * 10 ** getCurrencyDigits(currency));

/** Amounts in the languages of browsers group digits with these, or with a dot or comma. */
const BLANKS_AND_APOSTROPHES = /[\s\u00a0\u2009\u202f'’]/g;

/**
 * Parses an amount in major units as people write it in the language of their browser. The other of "1,250.00" and "1.250,00" is
 * understood too, unless it can mean something else. Returns null if the text is not an amount.
 */
export function parseAmount(
  text: number | string,
  currency: string,
  locale?: string,
): number | null {
  const bare = String(text).trim().replaceAll(BLANKS_AND_APOSTROPHES, '');
  const digits = getCurrencyDigits(currency);
  const mark = createDecimalFormat(locale)
    .formatToParts(0.5)
    .find(({ type }) => type === 'decimal');
  if (mark?.value === ',')
    return parseNotation(bare, ',', '.', digits) ?? parseOtherNotation(bare, '.', ',', digits);
  return parseNotation(bare, '.', ',', digits) ?? parseOtherNotation(bare, ',', '.', digits);
}

const createDecimalFormat = (locale?: string, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(locale, { ...options, numberingSystem: 'latn' });

/** "1.250" alone would be a guess: only a decimal part shows which notation it is. */
const parseOtherNotation = (text: string, decimal: string, group: string, digits: number) =>
  text.includes(decimal) ? parseNotation(text, decimal, group, digits) : null;

function parseNotation(
  text: string,
  decimal: string,
  group: string,
  digits: number,
): number | null {
  const [whole = '', fraction = '0', ...rest] = text.split(decimal);
  const isFraction = rest.length === 0 && /^\d+$/.test(fraction) && fraction.length <= digits;
  if (!isFraction && text.includes(decimal)) return null;
  const [first = '', ...groups] = whole.split(group);
  const isWhole = groups.length === 0 ? /^\d+$/.test(first) : /^[1-9]\d{0,2}$/.test(first);
  if (!isWhole || groups.some((part) => !/^\d{3}$/.test(part))) return null;
  return Number(`${first}${groups.join('')}.${fraction}`);
}

/** What a field shows for an amount in major units: "4.50" or "4,50", without groups of digits. */
export const formatAmount = (major: number, currency: string) =>
  createDecimalFormat(undefined, {
    useGrouping: false,
    minimumFractionDigits: Number.isInteger(major) ? 0 : getCurrencyDigits(currency),
    maximumFractionDigits: getCurrencyDigits(currency),
  }).format(major);

/** What to do if the text of a field is not an amount. */
export const explainAmount = (currency: string) => {
  const digits = getCurrencyDigits(currency);
  const example = createDecimalFormat(undefined, { minimumFractionDigits: digits });
  return `Enter an amount such as ${example.format(digits === 0 ? 1250 : 1250.5)}`;
};

export const formatMoney = (money: Money) =>
  createCurrencyFormat(money.currency).format(toMajorUnits(money));

/** "1250.50": with a point and without a symbol, for programs. */
export const formatDecimal = (money: Money) =>
  toMajorUnits(money).toFixed(getCurrencyDigits(money.currency));

export const isCurrencyCode = (text: string) => /^[A-Z]{3}$/.test(text);
