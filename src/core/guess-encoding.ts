import { analyse } from 'chardet';

/** What programs write if they do not write Unicode, the most frequent first. */
const CANDIDATES = [
  'windows-1252',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'macintosh',
] as const;

/** An encoding that text can be guessed to have. */
export type Candidate = (typeof CANDIDATES)[number];

const CANDIDATE_BY_DETECTED_NAME: Record<string, Candidate> = {
  'windows-1252': 'windows-1252',
  'ISO-8859-1': 'windows-1252', // its superset, which programs mean
  'windows-1250': 'windows-1250',
  'ISO-8859-2': 'iso-8859-2',
  'windows-1251': 'windows-1251',
};

const CENTRAL: Candidate[] = ['windows-1250', 'iso-8859-2'];

/** In Windows-1250, Š Ž š ž: hardly any language writes them in Windows-1252, which has them at the same places. */
const CARONS = [0x8a, 0x8e, 0x9a, 0x9e];

/** In Windows-1252, Å Ñ å ñ. Windows-1250 has Ĺ and Ń there, and hardly anybody writes them without other letters that show it. */
const WESTERN = [0xc5, 0xd1, 0xe5, 0xf1];

/** Enough words for a guess. */
export const MAX_SAMPLE_BYTES = 200_000;

/**
 * Guesses the encoding of lines that are not Unicode, from their words with letters outside of ASCII. A list of names has so few of
 * them that statistics alone guess badly: what cannot be a word excludes an encoding first, then the neighbours of its letters.
 */
export function guessEncoding(lines: Uint8Array[]): Candidate {
  const words = listWords(takeSample(lines));
  const scores = CANDIDATES.map((encoding) => ({
    encoding,
    implausible: countImplausible(decode(words, encoding)),
  }));
  const least = Math.min(...scores.map(({ implausible }) => implausible));
  const possible = excludeByNeighbours(
    scores.filter(({ implausible }) => implausible === least).map(({ encoding }) => encoding),
    words,
  );
  if (possible.includes('windows-1250') && CARONS.some((byte) => words.includes(byte)))
    return 'windows-1250';
  const detected = analyse(words)
    .map(({ name }) => CANDIDATE_BY_DETECTED_NAME[name])
    .find((encoding) => encoding !== undefined && possible.includes(encoding));
  const guess = detected ?? possible[0] ?? 'windows-1252';
  return CENTRAL.includes(guess) &&
    possible.includes('windows-1252') &&
    WESTERN.some((byte) => words.includes(byte))
    ? 'windows-1252'
    : guess;
}

function takeSample(lines: Uint8Array[]): Uint8Array {
  const sample = new Uint8Array(MAX_SAMPLE_BYTES);
  let size = 0;
  for (const line of lines) {
    const part = line.subarray(0, MAX_SAMPLE_BYTES - size);
    sample.set(part, size);
    size += part.length;
  }
  return sample.subarray(0, size);
}

/** The words with bytes outside of ASCII, one a line. */
function listWords(bytes: Uint8Array): Uint8Array {
  const words = Array.from(bytes, (byte) => String.fromCharCode(byte))
    .join('')
    .split(/[\0-&(-,./:-@[-`{-\x7f]+/)
    .filter((word) => /[\x80-\xff]/.test(word));
  return Uint8Array.from(words.join('\n'), (byte) => byte.charCodeAt(0));
}

/** Decodes as the standard says. Node decodes Windows-1252 as ISO-8859-1 unless more can follow. */
const decode = (bytes: Uint8Array, encoding: Candidate) =>
  new TextDecoder(encoding).decode(bytes, { stream: true });

/** Counts what does not occur in a word: signs beside a letter, and capital letters after small ones. */
const countImplausible = (words: string) =>
  words.match(
    /\p{L}[^\p{L}\p{M}\n'’\-\p{ASCII}]|[^\p{L}\p{M}\n'’“”„‘–—\-\p{ASCII}]\p{L}|\p{Ll}(?!\p{ASCII})\p{Lu}|[\x80-\x9f\p{Co}\uFFFD]/gu,
  )?.length ?? 0;

const VOWEL = '[aeiouáéíóúäëöüâêîôûìùãõ]';
const CONSONANT = '[bcdfghjklmnpqrstvwxzçñšžß]';
const START = "(?:^|['’-])";
const END = "(?:$|['’-])";

/** À Å Æ È Ï Ò Ø are Ŕ Ĺ Ć Č Ď Ň Ř in Windows-1250. There, a vowel is between consonants; ñ is before a vowel, and ń is not. */
const WESTERN_LETTER = new RegExp(
  `(?<=${CONSONANT})[àåæèïòø](?=${CONSONANT}|${END})|(?<=${START})[àåæèïòø](?=${CONSONANT})|ñ(?=${VOWEL})`,
  'gm',
);

/** The same letters where a consonant is likelier: after a vowel, as only ï often is, or before one at the start. */
const CENTRAL_LETTER = new RegExp(
  `(?<=${VOWEL})(?:[àåæèòø]|ï(?=${VOWEL}|${END}))|(?<=${START})[àåæèïòø](?=${VOWEL})|ñ(?=${CONSONANT}|${END})`,
  'gm',
);

/** Excludes Windows-1252 or the encodings of Central Europe, by letters that are vowels in one and consonants in the others. */
function excludeByNeighbours(possible: Candidate[], words: Uint8Array): Candidate[] {
  const text = decode(words, 'windows-1252').toLowerCase();
  const votes = count(text, WESTERN_LETTER) - count(text, CENTRAL_LETTER);
  const excluded = votes > 0 ? CENTRAL : votes < 0 ? ['windows-1252'] : [];
  const rest = possible.filter((encoding) => !excluded.includes(encoding));
  return rest.length > 0 ? rest : possible;
}

const count = (text: string, letter: RegExp) => text.match(letter)?.length ?? 0;
