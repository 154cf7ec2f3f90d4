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
  const literal = searchable.replace(/[\\%_]/g, '\\$&');
  const isAnywhere =
    countCharacters(searchable) >= MIN_LENGTH_ANYWHERE || UNSPACED_SCRIPT_PATTERN.test(searchable);
  return isAnywhere ? [`%${literal}%`] : [`${literal}%`, `% ${literal}%`];
}

/** Returns a condition in SQL: one of the columns contains the text, whatever its case and accents. */
export function matchText(columns: readonly string[], text: string, bind: Bind): string {
  const patterns = toPatterns(text).map((pattern) => bind(pattern, 'text'));
  const conditions = columns.flatMap((column) =>
    patterns.map((pattern) => `searchable_text(${column}) LIKE ${pattern}`),
  );
  return `(${conditions.join(' OR ')})`;
}

const countCharacters = (text: string) => [...text].length;
