import { UNSPACED_SCRIPT_PATTERN } from '../core/names.ts';
import type { Bind } from './prepared-statement.ts';

// A trigram index finds any part of a text from this length on, and shorter ones only at the beginning of a word.
const MIN_LENGTH_ANYWHERE = 3;

/** Combining marks, as in the function `searchable_text` of the database. */
const MARKS = /[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]/g;

const PLAIN_LETTERS: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/**
 * Returns a text as people search for it: in lower case and without accents. The function `searchable_text` of the database does
 * the same; a property test compares both.
 */
export const toSearchableText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/[łøđħŧıςßæœ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);

/**
 * Returns patterns of LIKE for a column with a trigram index, of which one must match: the column contains the text. A text of one
 * or two letters must be the beginning of a word, except in scripts without spaces between words.
 */
function toPatterns(text: string): string[] {
  const searchable = toSearchableText(text.trim());
  const literal = toLiteral(text.trim());
  const isAnywhere =
    countCharacters(searchable) >= MIN_LENGTH_ANYWHERE || UNSPACED_SCRIPT_PATTERN.test(searchable);
  return isAnywhere ? [`%${literal}%`] : [`${literal}%`, `% ${literal}%`];
}

const toLiteral = (text: string) => toSearchableText(text).replace(/[\\%_]/g, '\\$&');

/** Returns a condition in SQL: one of the columns contains the text, whatever its case and accents. */
export function matchText(columns: readonly string[], text: string, bind: Bind): string {
  const patterns = toPatterns(text).map((pattern) => bind(pattern, 'text'));
  const conditions = columns.flatMap((column) =>
    patterns.map((pattern) => `searchable_text(${column}) LIKE ${pattern}`),
  );
  return `(${conditions.join(' OR ')})`;
}

/**
 * Returns a condition in SQL: the column contains each of the words, whatever its case and accents. The text is the same for any
 * number of words. The longest one finds the rows in a trigram index.
 */
export function matchWords(column: string, words: readonly string[], bind: Bind): string {
  const patterns = words
    .map((word) => `%${toLiteral(word)}%`)
    .toSorted((one, other) => other.length - one.length);
  const text = `searchable_text(${column})`;
  return `(${text} LIKE ${bind(patterns[0] ?? '%', 'text')} AND ${text} LIKE ALL (${bind(patterns, 'text[]')}))`;
}

/** SQL: the digits of a phone number. The index members_search_idx contains the same expression. */
const toDigitsSql = (column: string) => `regexp_replace(${column}, '\\D', '', 'g')`;

const MIN_PHONE_DIGITS = 4;

/** Country codes of one or two digits. All others have three. */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/**
 * Returns a condition in SQL: a phone number contains these digits, however both are written. "+49 30 123" and "0049 30 123" also
 * find numbers that begin with "030 123", and "030 123" finds "+49 30 123". Null for texts that are no phone numbers, or have
 * fewer than four digits.
 */
export function matchPhone(column: string, text: string, bind: Bind): string | null {
  const written = text.trim();
  const digits = written.replace(/\D/g, '');
  if (!/^[+\d\s()./-]+$/.test(written) || digits.length < MIN_PHONE_DIGITS) return null;
  const significant = digits.replace(/^0+/, '');
  const patterns = [`%${significant || digits}%`];
  if (/^\(?(\+|00)/.test(written)) {
    const national = significant.slice(COUNTRY_CODE.exec(significant)?.[0].length ?? 3);
    if (national.length >= MIN_PHONE_DIGITS) patterns.push(`${national}%`, `0${national}%`);
  }
  return `(${patterns.map((pattern) => `${toDigitsSql(column)} LIKE ${bind(pattern, 'text')}`).join(' OR ')})`;
}

const countCharacters = (text: string) => [...text].length;
