import { analyse } from 'chardet';
import iconv from 'iconv-lite';

/** The encodings that a file can be said to have. Of the others, iconv-lite could read most, but nobody has met them here. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
] as const;

export type Encoding = (typeof ENCODINGS)[number];

const NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1252': 'Windows-1252',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1257': 'Windows-1257',
  'iso-8859-2': 'ISO-8859-2',
  'iso-8859-15': 'ISO-8859-15',
  macintosh: 'Mac OS Roman',
};

export const formatEncoding = (encoding: Encoding) => NAMES[encoding];

/** What programs write if they do not write Unicode, the most frequent first. */
const CANDIDATES = [
  'windows-1252',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'macintosh',
] as const satisfies Encoding[];

type Candidate = (typeof CANDIDATES)[number];

const CANDIDATE_BY_DETECTED_NAME: Record<string, Candidate> = {
  'windows-1252': 'windows-1252',
  'ISO-8859-1': 'windows-1252', // its superset, which programs mean
  'windows-1250': 'windows-1250',
  'ISO-8859-2': 'iso-8859-2',
  'windows-1251': 'windows-1251',
};

/** In Windows-1250, Š Ž š ž: hardly any language writes them in Windows-1252, which has them at the same places. */
const CARONS = [0x8a, 0x8e, 0x9a, 0x9e];

/** In Windows-1252, Å Ñ å ñ. Windows-1250 has Ĺ and Ń there, and hardly anybody writes them without other letters that show it. */
const WESTERN = [0xc5, 0xd1, 0xe5, 0xf1];

/**
 * Guesses the encoding of text that is not Unicode, from its words with letters outside of ASCII. A list of names has so few of
 * them that statistics alone guess badly: what cannot be a word excludes an encoding first.
 */
export function guessEncoding(bytes: Uint8Array): Encoding {
  const words = listWords(bytes);
  const scores = CANDIDATES.map((encoding) => ({
    encoding,
    implausible: countImplausible(iconv.decode(words, encoding)),
  }));
  const least = Math.min(...scores.map(({ implausible }) => implausible));
  const possible: Candidate[] = scores
    .filter(({ implausible }) => implausible === least)
    .map(({ encoding }) => encoding);
  if (possible.includes('windows-1250') && CARONS.some((byte) => words.includes(byte)))
    return 'windows-1250';
  const detected = analyse(words)
    .map(({ name }) => CANDIDATE_BY_DETECTED_NAME[name])
    .find((encoding) => encoding !== undefined && possible.includes(encoding));
  const guess = detected ?? possible[0] ?? 'windows-1252';
  const isCentral = guess === 'windows-1250' || guess === 'iso-8859-2';
  return isCentral &&
    possible.includes('windows-1252') &&
    WESTERN.some((byte) => words.includes(byte))
    ? 'windows-1252'
    : guess;
}

/** The words with bytes outside of ASCII, one a line. */
function listWords(bytes: Uint8Array): Buffer {
  const words = Buffer.from(bytes)
    .toString('latin1')
    .split(/[\0-&(-,./:-@[-`{-\x7f]+/)
    .filter((word) => /[\x80-\xff]/.test(word));
  return Buffer.from(words.join('\n'), 'latin1');
}

/** Counts what does not occur in a word: signs beside a letter, and capital letters after small ones. */
const countImplausible = (words: string) =>
  words.match(
    /\p{L}[^\p{L}\p{M}\n'’\-\p{ASCII}]|[^\p{L}\p{M}\n'’“”„‘–—\-\p{ASCII}]\p{L}|\p{Ll}(?!\p{ASCII})\p{Lu}|\uFFFD/gu,
  )?.length ?? 0;
