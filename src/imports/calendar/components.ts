import iconv from 'iconv-lite';
import { decodeText, removeControlCharacters } from '../source/decode-text.ts';
import type { Encoding } from '../source/encoding.ts';
import type { ImportNote } from '../source/note.ts';
import {
  assertIsText,
  createUnreadableFileError,
  toSingleByteEncoding,
} from '../source/source-file.ts';

/** The content between BEGIN and END: unparsed property lines and nested components. */
export interface CalendarComponent {
  name: string;
  line: number;
  lines: LogicalLine[];
  children: CalendarComponent[];
}

/**
 * Splits a file into its calendars. Caches and proxies add lines of their own around a calendar: they are not read, and a note says so.
 *
 * @throws BAD_REQUEST, with the line, when BEGIN and END do not match
 */
export function parseCalendars(lines: LogicalLine[]): {
  calendars: CalendarComponent[];
  notes: ImportNote[];
} {
  const file: CalendarComponent = { name: '', line: 1, lines: [], children: [] };
  const open = [file];
  for (const { line, text } of lines) {
    const current = open.at(-1) ?? file;
    const frame = /^(BEGIN|END)[ \t]*:[ \t]*(\S+)[ \t]*$/i.exec(text);
    const name = frame?.[2]?.toUpperCase();
    if (current === file && frame && !/^BEGIN[ \t]*:[ \t]*VCALENDAR/i.test(text))
      throw createNotACalendarError(line);
    if (!frame || !name) {
      current.lines.push({ line, text });
    } else if (frame[1]?.toUpperCase() === 'BEGIN') {
      const child: CalendarComponent = { name, line, lines: [], children: [] };
      current.children.push(child);
      open.push(child);
    } else {
      if (name !== current.name) throw createMismatchError(line, name, current);
      open.pop();
    }
  }
  const unclosed = open.at(-1) ?? file;
  if (unclosed !== file)
    throw createUnreadableFileError(
      unclosed.line,
      `BEGIN:${unclosed.name} has no END: the file is incomplete.`,
    );
  const [outside, ...others] = file.lines;
  if (file.children.length === 0)
    throw outside
      ? createNotACalendarError(outside.line)
      : createUnreadableFileError(1, 'The file is empty.');
  return { calendars: file.children, notes: outside ? [noteOutside(outside, others.length)] : [] };
}

const noteOutside = ({ line }: LogicalLine, more: number): ImportNote => ({
  line,
  text: `This line is outside of the calendar, so it is not read.${more === 0 ? '' : ` The same goes for ${more} more.`}`,
});

const createNotACalendarError = (line: number) =>
  createUnreadableFileError(
    line,
    'This is not an iCalendar file: BEGIN:VCALENDAR was expected here.',
  );

const createMismatchError = (line: number, name: string, open: CalendarComponent) =>
  createUnreadableFileError(
    line,
    `Found END:${name}, but the ${open.name} of line ${open.line} is still open.`,
  );

/** One unfolded property line. `line` is where it starts in the file. */
export interface LogicalLine {
  line: number;
  text: string;
}

// Its entries stand in memory at once.
const MAX_CALENDAR_BYTES = 16 * 1024 * 1024;

/** Reads the unfolded lines of a file. Unfolds before decoding, because some programs fold within a character. */
export function readLogicalLines(
  file: Uint8Array,
  encoding?: Encoding,
): { lines: LogicalLine[]; notes: ImportNote[] } {
  if (file.length > MAX_CALENDAR_BYTES)
    throw createUnreadableFileError(
      1,
      'The calendar is larger than 16 MB. Export a shorter time, or several calendars.',
    );
  assertIsText(file, 'iCalendar');
  const folded = Buffer.from(toSingleByteEncoding(file)).toString('latin1');
  const unfolded = unfoldLines(folded.split(/\r\n|\n|\r/));
  const bytes = Buffer.from(unfolded.map(({ text }) => text).join('\n'), 'latin1');
  const decoded = decodeText(bytes, encoding);
  const texts = decoded.text.split('\n');
  return {
    lines: unfolded.map(({ line }, index) => ({ line, text: decodeLine(texts[index] ?? '') })),
    notes: decoded.notes.map(({ line, text }) => ({
      line: line === null ? null : (unfolded[line - 1]?.line ?? line),
      text,
    })),
  };
}

function unfoldLines(physical: string[]): LogicalLine[] {
  const lines: { line: number; parts: string[]; continues: boolean }[] = [];
  for (const [index, text] of physical.entries()) {
    const open = lines.at(-1);
    if (open?.continues) {
      open.continues = text.endsWith('=');
      open.parts.push(open.continues ? text.slice(0, -1) : text);
    } else if (open && /^[ \t]/.test(text)) {
      open.parts.push(text.slice(1));
    } else if (text.trim() !== '') {
      const continues = isQuotedPrintable(text) && text.endsWith('=');
      lines.push({ line: index + 1, parts: [continues ? text.slice(0, -1) : text], continues });
    }
  }
  return lines.map(({ line, parts }) => ({ line, text: parts.join('') }));
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
