// Which characters texts can have that others see. The schemas of inputs apply these rules, and imports remove what they reject.

/**
 * Characters that break a line, change the direction of the text around them or cannot be seen. Joiners are allowed: Persian, Hindi
 * and emoji need them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/** A flag of a part of a country, such as Scotland: a black flag, and a code in letters that cannot be seen. */
const FLAG = /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})/u;

/** Splits a text so that every second part is a flag. */
const splitAtFlags = (text: string): string[] => text.split(FLAG);

/** Whether a text has characters that do not belong on one line. */
export const hasUnprintable = (text: string): boolean =>
  UNPRINTABLE.test(text) &&
  splitAtFlags(text).some((part, index) => index % 2 === 0 && UNPRINTABLE.test(part));

/** Embeddings, overrides and isolates: they can show the text after them in another order. Marks of direction are not among them. */
const DIRECTION_CONTROL = /[\u202a-\u202e\u2066-\u2069]/;

export const hasDirectionControls = (text: string): boolean => DIRECTION_CONTROL.test(text);

/** Replaces line breaks and other control characters by spaces. */
export const toSingleLine = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Removes soft hyphens and marks of direction, which people copy along with a text without seeing them. */
export const removeMarks = (text: string): string =>
  text.replace(/[\u00ad\u061c\u200e\u200f]/g, '');

/** Removes all that does not belong on one line from a title of another program. */
export const toPrintableLine = (text: string): string =>
  splitAtFlags(text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' '))
    .map((part, index) => (index % 2 === 0 ? removeCharacters(part, UNPRINTABLE) : part))
    .join('')
    .trim();

/** Removes characters that change the direction of the text around them from a text of another program. */
export const removeDirectionControls = (text: string): string =>
  removeCharacters(text, DIRECTION_CONTROL);

const removeCharacters = (text: string, pattern: RegExp): string =>
  pattern.test(text) ? [...text].filter((character) => !pattern.test(character)).join('') : text;

/** Text that email clients turn into a link. */
const LINK = /:\/\/|https?:|www\.|@|[\p{L}\p{N}]\.\p{L}{2,}/iu;

/** Normalizes the text as email clients do: wide letters and unusual full stops become plain ones, joiners disappear. */
const hasLink = (name: string) =>
  LINK.test(
    name
      .normalize('NFKC')
      .replace(/[\u200c\u200d]/g, '')
      .replace(/[。｡]/g, '.'),
  );

/** Puts a space after each dot within a word, so that "Dr.Weiss" and "Co.KG" are not taken for web addresses. */
export const separateDots = (name: string): string =>
  name.replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, '. ');

/** Says why a text cannot be the name of a person; null if it can. */
export function findNameProblem(name: string): 'invisible' | 'link' | null {
  if (hasUnprintable(name)) return 'invisible';
  return hasLink(name) ? 'link' : null;
}
