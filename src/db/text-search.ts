import { UNSPACED_SCRIPT_PATTERN } from '../core/names.ts';
import type { Bind } from './prepared-statement.ts';

interface TextFilter {
  contains?: string;
  startsWith?: string;
  mode: 'insensitive';
}

// A trigram index finds any part of a text from this length on, and shorter ones only at the beginning of a word.
const MIN_LENGTH_ANYWHERE = 3;

/**
 * Returns Prisma conditions for a column with a trigram index, of which one must be true: the column contains the text. A
 * text of one or two letters must be the beginning of a word, except in scripts without spaces between words.
 */
function toTextFilters(text: string): TextFilter[] {
  // Prisma does not escape the wildcards of LIKE.
  const literal = text.trim().replace(/[\\%_]/g, '\\$&');
  const mode = 'insensitive' as const;
  if (countCharacters(text.trim()) >= MIN_LENGTH_ANYWHERE || UNSPACED_SCRIPT_PATTERN.test(literal))
    return [{ contains: literal, mode }];
  return [
    { startsWith: literal, mode },
    { contains: ` ${literal}`, mode },
  ];
}

/** Returns the same condition in SQL: one of the columns contains the text. */
export function matchText(columns: readonly string[], text: string, bind: Bind): string {
  const patterns = toTextFilters(text).map(({ contains, startsWith }) =>
    bind(startsWith === undefined ? `%${contains}%` : `${startsWith}%`, 'text'),
  );
  const conditions = columns.flatMap((column) =>
    patterns.map((pattern) => `${column} ILIKE ${pattern}`),
  );
  return `(${conditions.join(' OR ')})`;
}

const countCharacters = (text: string) => [...text].length;
