/**
 * As much of a name as strangers may read: "Ada L.", also of "Lovelace, Ada". In scripts that write family and given name
 * in one word, its first letter: "山.".
 */
export function maskName(name: string): string {
  const [before = '', ...after] = name.split(/[,，]/u);
  const words = [...after.flatMap(splitWords), ...splitWords(before)].map((word) =>
    word.includes('@') ? maskEmail(word) : word,
  );
  const [first = '', ...others] = words;
  const last = others.at(-1);
  if (last !== undefined) return `${first} ${toInitial(last)}.`;
  return UNSPACED_SCRIPT.test(first) ? `${toInitial(first)}.` : first;
}

/** JavaScript takes every blank of Unicode for one, but for the one of old mainframes. */
const splitWords = (text: string) => text.split(/[\s\u0085]+/u).filter((word) => word !== '');

const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Tells an address to who knows it, and nothing of use to who does not: "a•••@e•••.org", however long its parts are. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1);
  const dot = host.lastIndexOf('.');
  const ending = dot > 0 ? host.slice(dot) : '';
  return `${toInitial(email)}•••@${toInitial(host)}•••${ending}`;
}

/** What is read as one letter may be several code points. */
const toInitial = (word: string) =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word)][0]?.segment ?? '';

// Everything between words that is no letter or digit, as ranges that every database understands alike.
const WORD_SEPARATORS =
  '[\\u0001-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u00A9\\u00AB-\\u00B4\\u00B6-\\u00B9\\u00BB-\\u00BF\\u2000-\\u206F\\u3000-\\u3002\\u30FB]+';
const COMBINING_MARKS =
  '[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]';

/** A name as it is compared, in SQL: in lower case without accents, a single blank between words. Letters that Unicode takes for letters of their own lose their strokes too. */
export const toComparableNameSql = (text: string) =>
  `regexp_replace(replace(replace(replace(translate(lower(regexp_replace(normalize(${text}, NFD), '${COMBINING_MARKS}', '', 'g')),
    'łøđħŧıς', 'lodhtiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), '${WORD_SEPARATORS}', ' ', 'g')`;
