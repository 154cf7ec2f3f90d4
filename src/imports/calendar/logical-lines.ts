import iconv from 'iconv-lite';
import { findFallback } from '../../core/decode-file.ts';
import { createLineDecoder, removeControlCharacters } from '../source/decode-text.ts';
import type { Encoding } from '../source/encoding.ts';
import type { ImportNote } from '../source/note.ts';
import {
  assertIsText,
  createUnreadableFileError,
  toSingleByteEncoding,
} from '../source/source-file.ts';

/** One unfolded property line. `line` is where it starts in the file. */
export interface LogicalLine {
  line: number;
  text: string;
}

export interface LineReader {
  /** Reads the lines in order, a few thousand at a time. */
  read(): Iterable<LogicalLine[]>;
  /** Returns what there is to say about the characters, once all are read. */
  listNotes(): ImportNote[];
}

// Its entries stand in memory at once, and each needs many times its size.
const MAX_CALENDAR_BYTES = 16 * 1024 * 1024;
const MAX_LINES = 1_000_000;
const MAX_COMPONENTS = 60_000;

const LINES_PER_BATCH = 4_000;

/**
 * Reads the unfolded lines of a file. Unfolds before decoding, because some programs fold within a character.
 *
 * @throws BAD_REQUEST for what is no text, or too large: its lines and components are counted before anything is built of them
 */
export function createLineReader(file: Uint8Array, encoding?: Encoding): LineReader {
  if (file.length > MAX_CALENDAR_BYTES)
    throw tooLarge('is larger than 16 MB. Export a shorter time, or several calendars.');
  assertIsText(file, 'iCalendar');
  const bytes = toSingleByteEncoding(file);
  assertCounts(bytes);
  const decoder = createLineDecoder(encoding ?? findFallback(bytes), encoding !== undefined);
  const physicalLines: number[] = [];
  const decodeBatch = (batch: LogicalLine[]): LogicalLine[] => {
    for (const { line } of batch) physicalLines.push(line);
    const folded = `${batch.map(({ text }) => text).join('\n')}\n`;
    const texts = decoder.decode(Buffer.from(folded, 'latin1')).split('\n');
    return batch.map(({ line }, index) => ({ line, text: decodeLine(texts[index] ?? '') }));
  };
  return {
    *read() {
      let batch: LogicalLine[] = [];
      for (const line of unfoldLines(splitPhysicalLines(bytes))) {
        if (batch.push(line) < LINES_PER_BATCH) continue;
        yield decodeBatch(batch);
        batch = [];
      }
      if (batch.length > 0) yield decodeBatch(batch);
    },
    listNotes: () =>
      decoder.listNotes().map(({ line, text }) => ({
        line: line === null ? null : (physicalLines[line - 1] ?? line),
        text,
      })),
  };
}

const tooLarge = (what: string) => createUnreadableFileError(1, `The calendar ${what}`);

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BEGIN = Buffer.from('begin');
const LOWER_CASE = 0x20;

/**
 * Counts without building anything: a file can be millions of the shortest lines or components. The parser counts the components
 * again, because a line that is folded or begins with a mark of byte order is not recognized here.
 */
function assertCounts(bytes: Uint8Array): void {
  const { length } = bytes;
  let lines = 0;
  let components = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
      if (byte === LINE_FEED || bytes[at + 1] !== LINE_FEED) lines += 1;
      if (startsWithBegin(bytes, at + 1)) components += 1;
    }
  }
  if (lines > MAX_LINES)
    throw tooLarge(
      `has more than ${MAX_LINES} lines. Export a shorter time, or several calendars.`,
    );
  assertComponentCount(components);
}

/** @throws BAD_REQUEST for more components than a calendar can have */
export function assertComponentCount(components: number): void {
  if (components > MAX_COMPONENTS)
    throw tooLarge(
      `has more than ${MAX_COMPONENTS} entries. Export a shorter time, or several calendars.`,
    );
}

const startsWithBegin = (bytes: Uint8Array, start: number) =>
  BEGIN.every((letter, index) => ((bytes[start + index] ?? 0) | LOWER_CASE) === letter);

function* splitPhysicalLines(bytes: Uint8Array): Generator<string> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  for (let at = 0; at <= file.length; at += 1) {
    const byte = file[at];
    if (at < file.length && byte !== LINE_FEED && byte !== CARRIAGE_RETURN) continue;
    yield file.toString('latin1', start, at);
    if (byte === CARRIAGE_RETURN && file[at + 1] === LINE_FEED) at += 1;
    start = at + 1;
  }
}

function* unfoldLines(physical: Iterable<string>): Generator<LogicalLine> {
  let line = 0;
  let open: { line: number; parts: string[]; continues: boolean } | undefined;
  for (const text of physical) {
    line += 1;
    if (open?.continues) {
      open.continues = text.endsWith('=');
      open.parts.push(open.continues ? text.slice(0, -1) : text);
    } else if (open && /^[ \t]/.test(text)) {
      open.parts.push(text.slice(1));
    } else if (text.trim() !== '') {
      if (open) yield { line: open.line, text: open.parts.join('') };
      const continues = isQuotedPrintable(text) && text.endsWith('=');
      open = { line, parts: [continues ? text.slice(0, -1) : text], continues };
    }
  }
  if (open) yield { line: open.line, text: open.parts.join('') };
}

function decodeLine(text: string): string {
  const bare = text.replace(/^\uFEFF/, '');
  return isQuotedPrintable(bare) ? decodeQuotedPrintable(bare) : bare;
}

/** The text encoding of vCalendar 1.0, which old phones and Outlook still write. */
const isQuotedPrintable = (line: string) => /^[^:]*;(ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(line);

function decodeQuotedPrintable(line: string): string {
  const colon = line.indexOf(':');
  const head = line.slice(0, colon);
  const charset = /CHARSET=([^;:]+)/i.exec(head)?.[1] ?? 'utf-8';
  const encoded = line.slice(colon + 1);
  const bytes = encoded.replace(/(=[0-9A-F]{2})+/gi, (run) => decodeRun(run, charset));
  return `${head.replace(/;(ENCODING=)?QUOTED-PRINTABLE/i, '')}:${bytes}`;
}

function decodeRun(run: string, charset: string): string {
  const bytes = Buffer.from(run.replaceAll('=', ''), 'hex');
  const known = iconv.encodingExists(charset) ? charset : 'windows-1252';
  return removeControlCharacters(iconv.decode(bytes, known));
}
