// How people's names are masked for strangers and how they are compared. Rules that SQL and TypeScript both need are
// implemented here in both, and a property test compares the two.

// Explicit ranges, since `\s` and `\p{…}` differ between JavaScript and the locales of PostgreSQL.
const BLANKS =
  '\\u0009-\\u000D\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF';
const COMMAS = ',，';
/** Han, Hangul, Hiragana and Katakana: family and given name are often written as one word. */
const UNSPACED_SCRIPTS =
  '\\u1100-\\u11FF\\u2E80-\\u2FDF\\u3005-\\u3007\\u3021-\\u3029\\u3040-\\u318F\\u31F0-\\u31FF\\u3400-\\u9FFF\\uA960-\\uA97F\\uAC00-\\uD7FF\\uF900-\\uFAFF\\uFF66-\\uFFDC𠀀-𳎯';

const EMOJI = '\\u2300-\\u23FF\\u2600-\\u27BF\\u2B00-\\u2BFF🀀-🫿';
/** An emoji with what changes its look and joins it to others. */
const EMOJI_SEQUENCE = `[${EMOJI}][${EMOJI}\\u200D\\uFE0E\\uFE0F]*`;

const EMOJI_PATTERN = new RegExp(EMOJI_SEQUENCE, 'gu');
const BLANK_PATTERN = new RegExp(`[${BLANKS}]+`, 'u');
const COMMA_PATTERN = new RegExp(`[${COMMAS}]`, 'u');
export const UNSPACED_SCRIPT_PATTERN = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u');

/**
 * Shortens a name for strangers: "Ada L." for "Ada Lovelace" and for "Lovelace, Ada". A single word stays, except in scripts
 * that write family and given name as one word: of these only the first letter stays ("山."). Email addresses are masked. Emoji
 * beside a name are left out.
 */
export function maskName(name: string): string {
  const [beforeComma = '', ...afterComma] = leaveOutEmoji(name).split(COMMA_PATTERN);
  const words = [...afterComma.flatMap(splitWords), ...splitWords(beforeComma)];
  const [first = '', ...others] = words;
  const last = others.at(-1);
  if (last === undefined && UNSPACED_SCRIPT_PATTERN.test(first)) return `${toInitial(first)}.`;
  const given = first.includes('@') ? maskEmail(first) : first;
  return last === undefined ? given : `${given} ${toInitial(last)}.`;
}

function leaveOutEmoji(name: string): string {
  const plain = name.replaceAll(EMOJI_PATTERN, ' ');
  return plain.split(COMMA_PATTERN).some((part) => splitWords(part).length > 0) ? plain : name;
}

const splitWords = (text: string) => text.split(BLANK_PATTERN).filter((word) => word !== '');

/** Masks an email address so that only its owner recognizes it: "a•••@e•••.org", regardless of the length of its parts. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1);
  const dot = host.lastIndexOf('.');
  const ending = dot > 0 ? host.slice(dot) : '';
  return `${toInitial(email)}•••@${toInitial(host)}•••${ending}`;
}

/** Returns the first letter as readers see it, which can be several code points. */
const toInitial = (word: string) =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word)][0]?.segment ?? '';

// Marks that belong to the letter before them, for the scripts whose marks stand alone in Unicode; variation selectors;
// tones of emoji.
const MARKS =
  '\\u0300-\\u036F\\u0483-\\u0489\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DC\\u06DF-\\u06E4\\u06E7\\u06E8\\u06EA-\\u06ED' +
  '\\u0900-\\u0903\\u093A-\\u093C\\u093E-\\u094F\\u0951-\\u0957\\u0962\\u0963\\u0E31\\u0E33-\\u0E3A\\u0E47-\\u0E4E\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\u3099\\u309A\\uFE00-\\uFE0F\\uFE20-\\uFE2F🏻-🏿';

const toInitialSql = (word: string) =>
  `substring(${word} FROM '^.[${MARKS}]*(?:\\u200D.[${MARKS}]*)*')`;

/**
 * Returns `maskName` as an SQL expression over a text expression. Both return the same for names in common scripts. They can
 * disagree on how many code points make up a letter of a rarer script.
 */
export const toMaskedNameSql = (name: string) => toMaskedPlainNameSql(leaveOutEmojiSql(name));

const leaveOutEmojiSql = (name: string) => `(
  SELECT CASE WHEN plain ~ '[^${BLANKS}${COMMAS}]' THEN plain ELSE named END
  FROM (SELECT named, regexp_replace(named, '${EMOJI_SEQUENCE}', ' ', 'g') AS plain FROM (SELECT ${name} AS named) AS name) AS name)`;

const toMaskedPlainNameSql = (name: string) => `(
  SELECT CASE WHEN last IS NULL AND first ~ '[${UNSPACED_SCRIPTS}]' THEN ${toInitialSql('first')} || '.'
    ELSE CASE WHEN first LIKE '%@%' THEN ${toInitialSql('first')} || '•••@' || coalesce(${toInitialSql("substring(first FROM '[^@]*$')")}, '') || '•••'
        || coalesce(substring(substring(first FROM '[^@]*$') FROM '^.+(\\.[^.]*)$'), '') ELSE first END
      || coalesce(' ' || ${toInitialSql('last')} || '.', '') END
  FROM ${splitNameSql(name)})`;

/** Returns the initials of a name as an SQL expression: "A. L." for "Ada Lovelace". A single word has one. */
export const toInitialsSql = (name: string) =>
  `(SELECT ${toInitialSql('first')} || '.' || coalesce(' ' || ${toInitialSql('last')} || '.', '') FROM ${splitNameSql(name)})`;

/** The first word of a name and the last one, or null if there is only one. What follows a comma comes first. */
const splitNameSql = (name: string) =>
  `(SELECT split_part(words, ' ', 1) AS first, substring(words FROM ' ([^ ]+)$') AS last
    FROM (SELECT btrim(regexp_replace(regexp_replace(${name}, '^([^${COMMAS}]*)[${COMMAS}](.*)$', '\\2 \\1'),
      '[${BLANKS}${COMMAS}]+', ' ', 'g')) AS words) AS name) AS name`;

/**
 * Returns the comparable form of a name as an SQL expression: lower case, without accents, one space between words. A
 * function of the database, since an index contains its results.
 */
export const toComparableNameSql = (text: string) => `comparable_name(${text})`;
