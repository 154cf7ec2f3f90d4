import iconv from 'iconv-lite';
import { decodeStrictUtf8, findFallback, splitLines } from '../../core/decode-file.ts';
import { type Encoding, formatEncoding } from './encoding.ts';
import type { ImportNote } from './note.ts';

export interface DecodedText {
  text: string;
  /** Says how the text was read, if not as Unicode, and names each line with a character that could not be read. */
  notes: ImportNote[];
}

const UNREADABLE = '\uFFFD';
const CONTROL_CHARACTER = /[^\P{Cc}\t\n\r]/gu;
const MAX_NAMED_LINES = 20;

/**
 * Decodes lines of UTF-8. Lines that are not UTF-8 are decoded as `encoding`, which is guessed if absent: one stray byte affects
 * only its line. An encoding that someone chose applies to all lines.
 */
export function decodeText(bytes: Uint8Array, encoding?: Encoding): DecodedText {
  const decoder = createLineDecoder(encoding ?? findFallback(bytes), encoding !== undefined);
  const text = decoder.decode(bytes);
  return { text, notes: decoder.listNotes() };
}

/** Removes control characters: PostgreSQL rejects NUL, and the others could control a terminal that shows them. */
export const removeControlCharacters = (text: string) => text.replace(CONTROL_CHARACTER, '');

export interface LineDecoder {
  /** Decodes whole lines, the next ones of a file. They end with a line feed afterwards, and have no control characters. */
  decode(bytes: Uint8Array): string;
  /** The same for lines that were decoded already, such as those of UTF-16. */
  clean(text: string): string;
  listNotes(): ImportNote[];
}

/** Decodes a file in pieces of whole lines, and remembers the lines that lost a character. */
export function createLineDecoder(fallback: Encoding, isChosen = false): LineDecoder {
  const losses = { unreadable: createLineList(), control: createLineList() };
  let line = 1;
  let usesFallback = false;
  const decodeLine = (bytes: Uint8Array): string => {
    const unicode = isChosen ? null : decodeStrictUtf8(bytes);
    if (unicode !== null) return unicode;
    usesFallback = true;
    return iconv.decode(Buffer.from(bytes), fallback, { stripBOM: false });
  };
  const clean = (decoded: string): string => {
    const text = decoded.toWellFormed().replace(/\r\n?/g, '\n');
    if (text.includes(UNREADABLE) || text.search(CONTROL_CHARACTER) !== -1) {
      for (const [index, part] of text.split('\n').entries()) {
        if (part.includes(UNREADABLE)) losses.unreadable.add(line + index);
        if (part.search(CONTROL_CHARACTER) !== -1) losses.control.add(line + index);
      }
    }
    line += text.split('\n').length - 1;
    return removeControlCharacters(text);
  };
  return {
    clean,
    decode: (bytes) => {
      const whole = isChosen ? null : decodeStrictUtf8(bytes);
      return clean(whole ?? splitLines(bytes).map(decodeLine).join(''));
    },
    listNotes: () => [
      ...(usesFallback && !isUnicode(fallback)
        ? [
            {
              line: null,
              text: `The file was read as ${formatEncoding(fallback)}. If letters look wrong, choose its encoding.`,
            },
          ]
        : []),
      ...losses.unreadable.toNotes(
        (lines) =>
          `${lines}: a character cannot be read in this encoding. It is shown as ${UNREADABLE}.`,
      ),
      ...losses.control.toNotes((lines) => `${lines}: a control character was removed.`),
    ],
  };
}

const isUnicode = (encoding: Encoding) => encoding.startsWith('utf-');

/** Collects lines: a note for each of the first ones, and one for the others. */
function createLineList() {
  const named: number[] = [];
  let count = 0;
  return {
    add: (line: number) => {
      count += 1;
      if (named.length < MAX_NAMED_LINES) named.push(line);
    },
    toNotes: (describe: (lines: string) => string): ImportNote[] => [
      ...named.map((line) => ({ line, text: describe('In this line') })),
      ...(count > named.length
        ? [{ line: named.at(-1) ?? 1, text: describe(`In ${count - named.length} more lines`) }]
        : []),
    ],
  };
}
