import iconv from 'iconv-lite';
import { decodeStrictUtf8, detectUtf16, listInvalidLines } from '../../core/decode-file.ts';
import { guessEncoding, MAX_SAMPLE_BYTES } from '../../core/guess-encoding.ts';
import { createLineDecoder } from './decode-text.ts';
import type { Encoding } from './encoding.ts';
import type { ImportNote } from './note.ts';
import { createUnreadableFileError } from './source-file.ts';

/** Reads a file from its start, piece by piece. Each call reads it again. */
export type ReadFile = () => AsyncIterable<Uint8Array>;

/** A text that is decoded while it is read, so that the size of the file does not matter. */
export interface TextSource {
  encoding: Encoding;
  /** Pieces of whole lines, which end with a line feed. */
  pieces: AsyncIterable<string>;
  /** What there is to say about its characters, once all pieces are read. */
  listNotes: () => ImportNote[];
}

const MAX_LINE_BYTES = 1_000_000;

/**
 * Decodes a file in two passes: the first finds the encoding, the second decodes. It keeps one piece in memory at a time.
 *
 * @throws BAD_REQUEST, with the line, for a line of more than 1 MB
 */
export async function readText(readFile: ReadFile, chosen?: Encoding): Promise<TextSource> {
  const start = await readStart(readFile);
  const utf16 = chosen?.startsWith('utf-16') ? chosen : chosen ? null : detectUtf16(start);
  const encoding = chosen ?? utf16 ?? (await findFallback(readFile));
  const isChosen = chosen !== undefined && chosen !== 'utf-8';
  const decoder = createLineDecoder(encoding, isChosen);
  return {
    encoding,
    pieces: utf16
      ? decodeWide(readFile(), utf16, decoder.clean)
      : decodePieces(readFile(), decoder.decode),
    listNotes: decoder.listNotes,
  };
}

async function readStart(readFile: ReadFile): Promise<Uint8Array> {
  for await (const piece of readFile()) if (piece.length > 0) return piece;
  return new Uint8Array();
}

/** UTF-8, or what the lines that are not UTF-8 look like. */
async function findFallback(readFile: ReadFile): Promise<Encoding> {
  const sample: Uint8Array[] = [];
  let size = 0;
  for await (const lines of splitAtLines(readFile())) {
    if (decodeStrictUtf8(lines) !== null) continue;
    for (const line of listInvalidLines(lines)) {
      sample.push(line);
      size += line.length;
    }
    if (size > MAX_SAMPLE_BYTES) break;
  }
  return size === 0 ? 'utf-8' : guessEncoding(sample);
}

async function* decodePieces(
  pieces: AsyncIterable<Uint8Array>,
  decode: (lines: Uint8Array) => string,
): AsyncIterable<string> {
  let isFirst = true;
  for await (const lines of splitAtLines(pieces)) {
    const text = decode(lines);
    yield isFirst ? text.replace(/^\uFEFF/, '') : text;
    isFirst = false;
  }
}

async function* decodeWide(
  pieces: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  clean: (lines: string) => string,
): AsyncIterable<string> {
  const decoder = iconv.getDecoder(encoding);
  let rest = '';
  for await (const piece of pieces) {
    rest += decoder.write(Buffer.from(piece));
    const end = rest.lastIndexOf('\n') + 1;
    if (end > 0) yield clean(rest.slice(0, end));
    rest = rest.slice(end);
    if (rest.length > MAX_LINE_BYTES) throw lineTooLong();
  }
  rest += decoder.end() ?? '';
  if (rest !== '') yield clean(rest);
}

/** Cuts pieces so that each ends with a line. */
async function* splitAtLines(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of pieces) {
    const joined: Uint8Array = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    // Old programs end lines with a carriage return alone. The last byte can be one whose line feed follows.
    const end =
      joined.lastIndexOf(0x0a) + 1 ||
      (joined.length > MAX_LINE_BYTES ? joined.lastIndexOf(0x0d, joined.length - 2) + 1 : 0);
    if (end > 0) yield joined.subarray(0, end);
    rest = joined.slice(end);
    if (rest.length > 2 * MAX_LINE_BYTES) throw lineTooLong();
  }
  if (rest.length > 0) yield rest;
}

const lineTooLong = () =>
  createUnreadableFileError(1, 'A line has more than 1 MB. Check that the file is a text.');
