import {
  formatMoney as format,
  formatNumber,
  getCurrencyDigits,
  type Money,
} from '../../core/money.ts';
import { getPageLanguage } from '../language/page-texts.ts';

// Amounts as the pages show them, and as people type them.

/** People type amounts as they are used to, whatever the language of the page. */
const BROWSER_LOCALE: readonly string[] = [];

/** Formats an amount in the language of the page, as everything around it. */
export const formatMoney = (money: Money) => format(money, getPageLanguage());

/** Amounts in the languages of browsers group digits with these, or with a dot or comma. */
const BLANKS_AND_APOSTROPHES = /[\s\u00a0\u2009\u202f'’]/g;

/**
 * Parses an amount in major units as people write it in the language of their browser. The other of "1,250.00" and "1.250,00" is
 * understood too, unless it can mean something else. Returns null if the text is not an amount.
 */
export function parseAmount(
  text: number | string,
  currency: string,
  locale: string | readonly string[] = BROWSER_LOCALE,
): number | null {
  const bare = String(text).trim().replaceAll(BLANKS_AND_APOSTROPHES, '');
  const digits = getCurrencyDigits(currency);
  const usesComma = formatNumber(0.5, 1, locale).includes(',');
  if (usesComma)
    return parseNotation(bare, ',', '.', digits) ?? parseOtherNotation(bare, '.', ',', digits);
  return parseNotation(bare, '.', ',', digits) ?? parseOtherNotation(bare, ',', '.', digits);
}

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
  formatNumber(
    major,
    Number.isInteger(major) ? 0 : getCurrencyDigits(currency),
    BROWSER_LOCALE,
    false,
  );

/** What to do if the text of a field is not an amount. */
export const explainAmount = (currency: string) => {
  const digits = getCurrencyDigits(currency);
  return `Enter an amount such as ${formatNumber(digits === 0 ? 1250 : 1250.5, digits, BROWSER_LOCALE)}`;
};
