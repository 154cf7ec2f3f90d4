/**
 * As much of a name as strangers may read: "Ada L.", also of "Lovelace, Ada". In scripts that write family and given name
 * in one word, its first letter: "山.".
 */
export function maskedName(name: string): string {
  const [before = '', ...after] = name.split(/[,，]/u);
  const words = [...after.flatMap(wordsOf), ...wordsOf(before)].map((word) =>
    word.includes('@') ? maskedAddress(word) : word,
  );
  const [first = '', ...others] = words;
  const last = others.at(-1);
  if (last !== undefined) return `${first} ${initial(last)}.`;
  return UNDIVIDED.test(first) ? `${initial(first)}.` : first;
}

/** JavaScript takes every blank of Unicode for one, but for the one of old mainframes. */
const wordsOf = (text: string) => text.split(/[\s\u0085]+/u).filter((word) => word !== '');

const UNDIVIDED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Tells an address to who knows it, and nothing of use to who does not: "a•••@e•••.org", however long its parts are. */
export function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1);
  const dot = host.lastIndexOf('.');
  const ending = dot > 0 ? host.slice(dot) : '';
  return `${initial(email)}•••@${initial(host)}•••${ending}`;
}

/** What is read as one letter may be several code points. */
const initial = (word: string) =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word)][0]?.segment ?? '';
