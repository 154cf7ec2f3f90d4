import { type Candidate, guessEncoding } from './guess-encoding.ts';

/** A file as text, and how it was read. */
export interface DecodedFile {
  text: string;
  encoding: string;
}

const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes a file in a browser. Lines that are not UTF-8 have one encoding, which is guessed as for files that the service reads.
 * An encoding that someone chose applies to all lines.
 */
export function decodeFile(bytes: Uint8Array, chosen?: string): DecodedFile {
  const utf16 = chosen ? null : detectUtf16(bytes);
  const encoding = chosen ?? utf16 ?? findFallback(bytes);
  const decoder = new TextDecoder(encoding);
  if (encoding.startsWith('utf-')) return { text: decoder.decode(bytes), encoding };
  // Node decodes Windows-1252 as ISO-8859-1 unless more can follow.
  const decode = (line: Uint8Array) => decoder.decode(line, { stream: true });
  if (chosen) return { text: decode(bytes), encoding };
  const lines = splitLines(bytes).map((line) => decodeStrictUtf8(line) ?? decode(line));
  return { text: lines.join('').replace(/^\uFEFF/, ''), encoding };
}

/** Detects UTF-16 by its byte order mark, or by the zero bytes of Latin text. */
export function detectUtf16([first, second, third, fourth]: Uint8Array):
  | 'utf-16le'
  | 'utf-16be'
  | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  if (first === 0 && second && third === 0 && fourth) return 'utf-16be';
  return null;
}

/** Guesses the encoding of the lines that are not UTF-8. */
export function findFallback(bytes: Uint8Array): Candidate | 'utf-8' {
  if (decodeStrictUtf8(bytes) !== null) return 'utf-8';
  return guessEncoding(listInvalidLines(bytes));
}

/** The lines that are not UTF-8. */
export const listInvalidLines = (bytes: Uint8Array): Uint8Array[] =>
  splitLines(bytes).filter((line) => decodeStrictUtf8(line) === null);

export function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const to = end === -1 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  return lines;
}

export function decodeStrictUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8Decoder.decode(bytes);
  } catch {
    return null;
  }
}
