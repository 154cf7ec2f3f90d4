import {
  createUnreadableFileError,
  decodeText,
  removeControlCharacters,
  toSingleByteEncoding,
} from '../source/source-file.ts';

/** What stands between BEGIN and END: properties still as lines, and what is nested. */
export interface CalendarComponent {
  name: string;
  line: number;
  lines: LogicalLine[];
  children: CalendarComponent[];
}

/** The calendars of a file. Throws BAD_REQUEST with the line where its frame is broken. */
export function parseCalendars(lines: LogicalLine[]): CalendarComponent[] {
  const file: CalendarComponent = { name: '', line: 1, lines: [], children: [] };
  const open = [file];
  for (const { line, text } of lines) {
    const current = open.at(-1) ?? file;
    const frame = /^(BEGIN|END)[ \t]*:[ \t]*(\S+)[ \t]*$/i.exec(text);
    const name = frame?.[2]?.toUpperCase();
    if (current === file && text.toUpperCase().trim() !== 'BEGIN:VCALENDAR')
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
  const left = open.at(-1) ?? file;
  if (left !== file)
    throw createUnreadableFileError(
      left.line,
      `BEGIN:${left.name} has no END; the file is cut off.`,
    );
  if (file.children.length === 0) throw createUnreadableFileError(1, 'The file is empty.');
  return file.children;
}

/** The component as text again, for what the parser wants whole. */
export function serializeComponent({ name, lines, children }: CalendarComponent): string {
  const inner = [...lines.map(({ text }) => text), ...children.map(serializeComponent)];
  return [`BEGIN:${name}`, ...inner, `END:${name}`].join('\r\n');
}

const createNotACalendarError = (line: number) =>
  createUnreadableFileError(
    line,
    'This is not an iCalendar file: BEGIN:VCALENDAR was expected here.',
  );

const createMismatchError = (line: number, name: string, open: CalendarComponent) =>
  createUnreadableFileError(
    line,
    `END:${name} stands here, but the ${open.name} of line ${open.line} is still open.`,
  );

/** One property of the file, unfolded. `line` is where it begins. */
export interface LogicalLine {
  line: number;
  text: string;
}

/** Unfolds before it decodes, since some programs fold in the middle of a character. */
export function readLogicalLines(file: Uint8Array): LogicalLine[] {
  const folded = Buffer.from(toSingleByteEncoding(file)).toString('latin1');
  const unfolded = unfoldLines(folded.split(/\r\n|\n|\r/));
  const texts = decodeText(
    Buffer.from(unfolded.map(({ text }) => text).join('\n'), 'latin1'),
  ).split('\n');
  return unfolded.map(({ line }, index) => ({ line, text: decodeLine(texts[index] ?? '') }));
}

function unfoldLines(physical: string[]): LogicalLine[] {
  const lines: { line: number; parts: string[]; goesOn: boolean }[] = [];
  for (const [index, text] of physical.entries()) {
    const open = lines.at(-1);
    if (open?.goesOn) {
      open.goesOn = text.endsWith('=');
      open.parts.push(open.goesOn ? text.slice(0, -1) : text);
    } else if (open && /^[ \t]/.test(text)) {
      open.parts.push(text.slice(1));
    } else if (text.trim() !== '') {
      const goesOn = isQuotedPrintable(text) && text.endsWith('=');
      lines.push({ line: index + 1, parts: [goesOn ? text.slice(0, -1) : text], goesOn });
    }
  }
  return lines.map(({ line, parts }) => ({ line, text: parts.join('') }));
}

function decodeLine(text: string): string {
  const bare = text.replace(/^\uFEFF/, '');
  return isQuotedPrintable(bare) ? decodeQuotedPrintable(bare) : bare;
}

/** vCalendar 1.0, which old phones and Outlook still write, encodes texts in this way. */
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
  try {
    return removeControlCharacters(new TextDecoder(charset).decode(bytes));
  } catch {
    return removeControlCharacters(new TextDecoder('windows-1252').decode(bytes));
  }
}
